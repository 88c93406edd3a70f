"""Categories: dialogues classified by ordered rules in the study file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from labelwright.corpus.cues import Cue

if TYPE_CHECKING:
    from labelwright.tables import Table

Category = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,39}$")]


class CategoryRule(Cue):
    """A category and the condition for a dialogue to be in it."""

    category: Category
    """The category of the dialogues that match."""
    at_most_turns: Annotated[int, Field(ge=0)] | None = None
    """The maximum number of turns of the dialogue, or of the given speaker."""
    at_least_turns: Annotated[int, Field(ge=1)] | None = None
    """The minimum number of turns of the dialogue, or of the given speaker."""

    @property
    def counts_turns(self) -> bool:
        """Whether the rule looks only at the number of turns."""
        return self.at_most_turns is not None or self.at_least_turns is not None

    @model_validator(mode="after")
    def _looks_at_something(self) -> CategoryRule:
        cue = bool(self.cues or self.pattern or self.field)
        if cue == self.counts_turns:
            raise ValueError(
                "a rule needs either `cues`, `pattern` or `field`, or `at_most_turns` or `at_least_turns`"
            )
        return self


# The published cue for a result was "result", a grammar tag in the logs. If your logs have tags, use
# `field` to look for it. Otherwise the sentence that states a result is the closest match.
LETS_GO = (
    CategoryRule(category="TooShort", speaker="user", at_most_turns=3),
    CategoryRule(category="MultiTask", speaker="user", cues=("start a new query", "new query")),
    CategoryRule(
        category="TaskComplete",
        speaker="system",
        pattern="(?:leaving|leaves) .*(?:it will arrive|and arrives)",
    ),
    CategoryRule(category="OutOfScope", speaker="system", cues=("i'm sorry",)),
)
PRESETS = {"lets_go": (LETS_GO, "TaskIncomplete")}


class CategoriesPart(BaseModel):
    """The rules in order, and the category for dialogues that match no rule."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    preset: Literal["lets_go"] | None = None
    """Built-in rules: `lets_go` are the rules of the Let's Go study."""
    rules: Annotated[tuple[CategoryRule, ...], Field(max_length=100)] = ()
    """Your own rules, from the first to the last."""
    otherwise: Category | None = None
    """The category of dialogues that match no rule."""
    wins: Literal["first", "last_cue"] = "first"
    """`first`: the first matching rule. `last_cue`: the rule whose cue is nearest the end of the dialogue;
    rules on the number of turns take precedence over cues."""

    @model_validator(mode="before")
    @classmethod
    def _from_preset(cls, data: Any) -> Any:
        if isinstance(data, dict) and data.get("preset") in PRESETS and not data.get("rules"):
            rules, otherwise = PRESETS[data["preset"]]
            return {"otherwise": otherwise, **data, "rules": rules}
        return data

    @model_validator(mode="after")
    def _whole(self) -> CategoriesPart:
        if not self.rules:
            raise ValueError("there are no rules; add `rules` or a `preset`")
        if self.otherwise is None:
            raise ValueError('"otherwise" is missing: the category for dialogues that match no rule')
        return self

    @property
    def names(self) -> tuple[str, ...]:
        """The categories in rule order, with `otherwise` last."""
        assert self.otherwise is not None
        return tuple(dict.fromkeys([*(rule.category for rule in self.rules), self.otherwise]))

    def without(self, category: str) -> CategoriesPart | None:
        """The part without the rules for a category; None if no rule is left."""
        rules = tuple(rule for rule in self.rules if rule.category != category)
        return CategoriesPart(rules=rules, otherwise=self.otherwise, wins=self.wins) if rules else None


def classify(turns: Table, part: CategoriesPart) -> Table:
    """One row per dialogue: its category, the deciding rule, and the number of matching rules.

    Columns: dialogue, turns, category, rule (index from 0, or -1 if no rule matches), cue (the position of
    the last cue of that rule; null if the rule counts turns or no rule matches), fits, and for each rule
    `fit_0`, `fit_1`, ... This is an expression: nothing is computed until it is fetched.
    """
    per_dialogue = _per_dialogue(turns, part)
    return _first(per_dialogue, part) if part.wins == "first" else _last_cue(per_dialogue, part)


def _per_dialogue(turns: Table, part: CategoriesPart) -> Table:
    """One pass over the turns: their number, and for each rule its last cue or the turns it counts."""
    measures = {"turns": turns.count()}
    for number, rule in enumerate(part.rules):
        if rule.counts_turns:
            counted = turns.position.notnull() if rule.speaker is None else turns.speaker == rule.speaker
            measures[f"n_{number}"] = counted.ifelse(1, 0).sum()
        else:
            measures[f"at_{number}"] = rule.fits(turns).ifelse(turns.position, None).max()
    return turns.group_by("dialogue").aggregate(**measures)


def _fit(table: Table, number: int, rule: CategoryRule) -> Any:
    if not rule.counts_turns:
        return table[f"at_{number}"].notnull()
    fit = table[f"n_{number}"] >= (rule.at_least_turns or 0)
    return fit if rule.at_most_turns is None else fit & (table[f"n_{number}"] <= rule.at_most_turns)


def _first(table: Table, part: CategoriesPart) -> Table:
    fits = [_fit(table, number, rule) for number, rule in enumerate(part.rules)]
    which: Any = None
    for number in reversed(range(len(part.rules))):
        which = fits[number].ifelse(number, -1 if which is None else which)
    return _classified(table, part, which)


def _last_cue(table: Table, part: CategoriesPart) -> Table:
    """Rules on the number of turns in order, then the cue with the highest position; the first rule on a tie."""
    cued = [number for number, rule in enumerate(part.rules) if not rule.counts_turns]
    counting = [number for number, rule in enumerate(part.rules) if rule.counts_turns]
    table = table.mutate(best=table.turns * 0 - 1, nearest=table.turns * 0 - 1)
    for number in cued:
        at = table[f"at_{number}"].fill_null(-1)
        nearer = at > table.best
        table = table.mutate(best=nearer.ifelse(at, table.best), nearest=nearer.ifelse(number, table.nearest))
    which: Any = table.nearest
    for number in reversed(counting):
        which = _fit(table, number, part.rules[number]).ifelse(number, which)
    return _classified(table, part, which)


def _classified(table: Table, part: CategoriesPart, which: Any) -> Table:
    fits = {f"fit_{number}": _fit(table, number, rule) for number, rule in enumerate(part.rules)}
    table = table.mutate(rule=which, fits=sum(fit.ifelse(1, 0) for fit in fits.values()), **fits)
    category: Any = part.otherwise
    cue: Any = None
    for number, rule in reversed(list(enumerate(part.rules))):
        here = table.rule == number
        category = here.ifelse(rule.category, category)
        at = None if rule.counts_turns else table[f"at_{number}"]
        cue = here.ifelse(at, cue) if cue is not None or at is not None else None
    return table.select(
        "dialogue",
        "turns",
        "rule",
        "fits",
        *fits,
        category=category,
        cue=table.turns.nullif(table.turns) if cue is None else cue,
    )
