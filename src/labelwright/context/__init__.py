"""Contexts: what raters see besides the item, made only from earlier turns and, on request, the next turn."""

from labelwright.context import need, summary
from labelwright.context.access import BadModelSetting, ModelAccess, ModelNotAllowed
from labelwright.context.amount import ShownTurns, before_exchange, show, show_query
from labelwright.context.checks import ChecksPart, check_text
from labelwright.context.entities import EntitiesPart, comparable, find_entities
from labelwright.context.makers import MAKERS, ContextText, Maker, Surroundings, context_maker, make_text
from labelwright.context.part import ContextPart, ModelPart, is_reviewed
from labelwright.context.phrases import FrequentPhrase, PhrasesPart, mine_phrases
from labelwright.context.prompts import Ask, PromptPart, clean_reply, make_ask
from labelwright.context.recipes import AmountRecipe, ContextRecipe

__all__ = [
    "MAKERS",
    "AmountRecipe",
    "Ask",
    "BadModelSetting",
    "ChecksPart",
    "ContextPart",
    "ContextRecipe",
    "ContextText",
    "EntitiesPart",
    "FrequentPhrase",
    "Maker",
    "ModelAccess",
    "ModelNotAllowed",
    "ModelPart",
    "PhrasesPart",
    "PromptPart",
    "ShownTurns",
    "Surroundings",
    "before_exchange",
    "check_text",
    "clean_reply",
    "comparable",
    "context_maker",
    "find_entities",
    "is_reviewed",
    "make_ask",
    "make_text",
    "mine_phrases",
    "need",
    "show",
    "show_query",
    "summary",
]
