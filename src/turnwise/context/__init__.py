"""What a rater is shown besides the item; made only from what came before it, and the next turn if asked."""

from turnwise.context.amount import AmountRecipe, Shown, show

__all__ = ["AmountRecipe", "Shown", "show"]
