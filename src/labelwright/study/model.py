"""Study: corpus, items, conditions, aspects, tasks, pools and quality rules in one file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain, islice
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from labelwright.context import ContextPart, ContextRecipe
from labelwright.corpus import CorpusPart, ItemsPart
from labelwright.crowd import (
    AnyPool,
    AssignmentPart,
    BatchesPart,
    ConsentPart,
    ItemSet,
    LinkPool,
    ModelPool,
    RetentionPart,
    Spoil,
    order_candidates,
    spoil_rules,
)
from labelwright.crowd.qualification import CONDITION
from labelwright.quality import AnyRule, WithPresets
from labelwright.quality.review import ReviewPart
from labelwright.scales import Scale
from labelwright.study._pools import order_problems, pool_problems
from labelwright.study._schema import DescribedSchema
from labelwright.study.analysis_plan import AnalysisPlan, canonical_plan
from labelwright.task import (
    Asking,
    Aspect,
    Condition,
    Gold,
    Markdown,
    QuizPart,
    RaterQuestions,
    Sheet,
    StagePart,
    StoredItem,
    TaskDesign,
    TasksPart,
    example_problems,
    first_conditions,
    gold_problems,
    item_parts,
    quiz_problems,
    stage_problems,
)

Slug = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,59}$")]
Name = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,39}$")]


MOST_PROBLEMS = 20
"""The problems with reference answers and pools that are described together."""


class Study(BaseModel):
    """The complete definition of a study, as one versioned file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    labelwright: Literal[1]
    """The version of the study file format."""
    name: Slug
    """The name of the study in addresses and commands. Loading a file with the same name makes a new version."""
    title: Annotated[str, Field(min_length=1, max_length=120)]
    """The title that raters and your team read."""
    language: Annotated[str, Field(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$")] = "en"
    """The language of the pages for raters. Ours are translated into English, Italian and Arabic; your texts can be in any language."""
    seed: Annotated[int, Field(ge=0, lt=2**63)]
    """A number that decides everything that is drawn: samples, orders and who gets what. The same seed gives the same draw."""
    corpus: CorpusPart
    """Where the dialogues come from."""
    items: ItemsPart = ItemsPart()
    """What is judged: how items are made from the dialogues."""
    tasks: TasksPart = TasksPart()
    """How items are grouped into tasks."""
    scales: dict[Name, Scale] = Field(default_factory=dict)
    """Answer scales by name, for questions to share."""
    aspects: Annotated[dict[Name, Aspect], Field(min_length=1)]
    """The qualities that the study measures, by name. Questions name the aspect that they measure."""
    designs: Annotated[dict[Name, TaskDesign], Field(min_length=1, max_length=100)]
    """The pages of raters by name: instructions and questions."""
    conditions: Annotated[dict[Name, Condition], Field(min_length=1, max_length=50)]
    """The versions of the task that are compared, by name: a context and a design each."""
    stages: dict[Name, StagePart] = Field(default_factory=dict)
    """Later stages, whose items are made from the choices of raters in earlier ones. Conditions name their stage."""
    contexts: dict[Name, ContextRecipe] = Field(default_factory=dict)
    """Named context recipes that conditions can use."""
    context: ContextPart = ContextPart()
    """How needs and summaries are generated and checked."""
    redundancy: Annotated[int, Field(ge=1, le=100)]
    """The number of ratings per item and condition. A value set on an aspect, a condition or a group takes precedence."""
    assignment: AssignmentPart = AssignmentPart()
    """Which tasks one rater may get."""
    sets: dict[Name, ItemSet] = Field(default_factory=dict)
    """Named subsets of the items, for groups and batches."""
    batches: BatchesPart | None = None
    """When items are released. Default: all at once."""
    pools: Annotated[dict[Name, AnyPool], Field(min_length=1, max_length=20)]
    """The raters. The pool of people without a qualification does the main work of the study; a pool with
    `platform: model` rates the same tasks, and is counted apart."""
    people_share: Annotated[float, Field(gt=0, le=1)] = 1
    """The share of tasks that people rate if a model rates all of them. The tasks are drawn by `seed`, so that scores of
    people and model together are valid for all items."""
    quality: Annotated[tuple[AnyRule, ...], WithPresets()] = ()
    """Rules that flag work for review; or the name of a preset, which holds the rules of a published study. A list can
    hold both; a rule of its own replaces that of the preset."""
    record_typing: bool = False
    """Whether the page records how free text is typed: key strokes, the time between them, and pasted characters, but
    never deleted text. The consent form says so. Rules about typing need it."""
    review: ReviewPart = ReviewPart()
    """Which work people review, and how."""
    consent: ConsentPart = ConsentPart()
    """What raters agree to before they begin."""
    retention: RetentionPart = RetentionPart()
    """After how many days the worker deletes visits, drafts, mails, log lines and personal data."""
    content_warning: Markdown = ""
    """A warning about disturbing content, shown before the consent form."""
    demographics: RaterQuestions = ()
    """Questions for each rater before the first task. Answers are optional."""
    familiarity: RaterQuestions = ()
    """Questions before the first task of each batch: how well the rater knows its topic."""
    quiz: QuizPart | None = None
    """Questions that raters must answer right before their first task."""
    debriefing: Markdown = ""
    """Text shown to raters at the end: what the study is about, and whom to contact."""
    gold: Gold = Field(default_factory=dict)
    """Reference answers by item key, then by question name."""
    plan: AnalysisPlan | None = None
    """The analysis plan: what will be compared and how. Its hash is stored when the study is loaded, and the report
    says what departs from it."""

    @model_validator(mode="before")
    @classmethod
    def _named_contexts(cls, data: Any) -> Any:
        """Replaces the name of a recipe in a condition with the recipe itself."""
        contexts = data.get("contexts") if isinstance(data, dict) else None
        conditions = data.get("conditions") if isinstance(data, dict) else None
        if not isinstance(contexts, dict) or not isinstance(conditions, dict):
            return data
        return {**data, "conditions": {name: _filled(value, contexts) for name, value in conditions.items()}}

    @model_validator(mode="after")
    def _model_is_there(self) -> Study:
        asked = [name for name, condition in self.conditions.items() if condition.context.asked_kinds]
        if asked and self.context.model is None:
            raise ValueError(f'condition "{asked[0]}" needs a language model, but `context` has no `model`')
        return self

    @model_validator(mode="after")
    def _right_answers_can_be_given(self) -> Study:
        _raise_first(
            gold_problems(self.gold, self.designs.values(), self.scales),
            quiz_problems(self.quiz, self.scales),
            self._stage_problems(),
            ["`tasks.gold_one_in` is set, but there are no gold items under `gold`"]
            if self._lacks_gold
            else [],
            (
                f'design "{name}", {problem}'
                for name, design in self.designs.items()
                for problem in example_problems(design.examples, design.questions, self.scales)
            ),
        )
        return self

    def _stage_problems(self) -> list[str]:
        asked = {
            name: {question.name: question for question in self.design(name).questions}
            for name in self.conditions
            if self.design_name(name) in self.designs
        }
        if len(asked) < len(self.conditions):
            # An undefined design is reported as a separate mistake.
            return []
        made = [n for n, each in self.conditions.items() if each.stage is not None and each.context.kinds]
        return [
            *stage_problems(self.stages, self._stage_of, asked),
            *(
                f'condition "{name}" belongs to a later stage, which cannot use generated texts'
                for name in made
            ),
        ]

    @property
    def _stage_of(self) -> dict[str, str | None]:
        return {name: condition.stage for name, condition in self.conditions.items()}

    def conditions_of(self, stage: str | None) -> tuple[str, ...]:
        """The conditions of a stage; None means the first stage."""
        return tuple(name for name, of in self._stage_of.items() if of == stage)

    def conditions_before(self, stage: str) -> tuple[str, ...]:
        """The conditions from whose answers the items of a stage are made."""
        return self.stages[stage].after or first_conditions(self._stage_of)

    @model_validator(mode="after")
    def _pools_fit(self) -> Study:
        _raise_first(
            pool_problems(
                self.people_pools, self.gold, self.designs, mixed_in=self.tasks.gold_one_in is not None
            ),
            order_problems(self.people_pools, self.designs, self.scales),
            ["`people_share` is below 1, but no pool has `platform: model` to rate the other tasks"]
            if self.people_share < 1 and not self.model_pools
            else [],
            (
                f'pool "{name}" requires "{required}", which is a model'
                for name, pool in self.people_pools.items()
                for required in pool.requires
                if required in self.model_pools
            ),
            (
                f'`review.without_approval` names the group "{group}", which no pool has'
                for group in self.review.without_approval
                if not any(group in pool.groups for pool in self.pools.values())
            ),
        )
        return self

    def condition(self, name: str) -> Condition:
        """The condition of a task by name. A qualification counts as a condition, although it is not part of the experiment."""
        if not name.startswith(CONDITION):
            return self.conditions[name]
        part = self.pools[name.removeprefix(CONDITION)].qualification
        assert part is not None, f"pool {name} has no qualification"
        return Condition(context=part.context, design=part.design)

    @property
    def _lacks_gold(self) -> bool:
        return self.tasks.gold_one_in is not None and not self.gold

    @property
    def gold_keys(self) -> frozenset[str]:
        """The gold items that are mixed in with the others; empty if the study does not mix in gold items."""
        return frozenset(self.gold) - self.qualification_items if self.tasks.gold_one_in else frozenset()

    def gold_in(self, condition: str) -> frozenset[str]:
        """The gold items of a condition: those with a reference answer to one of its questions.

        A later stage has none, because its items are made from the choices of raters.
        """
        if condition.startswith(CONDITION) or self.conditions[condition].stage is not None:
            return frozenset()
        asked = {question.name for question in self.design(condition).questions}
        return frozenset(key for key in self.gold_keys if asked & self.gold[key].keys())

    def with_gold(self, tasks: int) -> int:
        """About how many tasks a rater has done after this many that are not gold: a whole block has one gold task."""
        if self.tasks.gold_one_in is None or self.tasks.gold_within:
            return tasks
        return tasks + min(tasks // (self.tasks.gold_one_in - 1), len(self.gold_keys))

    def design_name(self, condition: str) -> str:
        """The name of the task design of a condition."""
        return self.condition(condition).design or next(iter(self.designs))

    @property
    def question_texts(self) -> dict[str, str]:
        """The texts of all questions about items and tasks, by name."""
        asked = [q for design in self.designs.values() for q in (*design.questions, *design.feedback)]
        return {question.name: question.text for question in asked}

    def design(self, condition: str) -> TaskDesign:
        """The task design of a condition."""
        return self.designs[self.design_name(condition)]

    def asked_before(self, part: str) -> tuple[Sheet, ...]:
        """The questions before tasks: `demographics`, `familiarity` or the `quiz`.

        Each quiz question has its own sheet, because it may be about an item.
        """
        if part != "quiz":
            return (Sheet(0, Asking(self.scales), getattr(self, part)),)
        assert self.quiz is not None
        return tuple(
            Sheet(position, question.asking(self.scales), (question.ask,))
            for position, question in enumerate(self.quiz.questions)
        )

    def known_before(self, part: str) -> dict[tuple[int, str], Any]:
        """The correct answers of the quiz by position and question; the other parts have none."""
        questions = self.quiz.questions if part == "quiz" and self.quiz else ()
        return {(position, each.ask.name): each.right.answer for position, each in enumerate(questions)}

    @property
    def canonical_plan(self) -> str:
        """The analysis plan with the rules that can exclude data, as the text that is hashed; empty without a plan."""
        rules: dict[str, list[Any]] = {}
        for rule in self.quality:
            rules.setdefault(rule.rule, []).append(rule.model_dump(mode="json", exclude_defaults=True))
        return canonical_plan(self.plan, rules) if self.plan else ""

    @property
    def first_condition(self) -> str:
        """The first condition of the first stage."""
        return self.conditions_of(None)[0]

    def aspects_of(self, condition: str) -> frozenset[str]:
        """The aspects that a condition asks for."""
        return frozenset[str]().union(*(question.aspects() for question in self.design(condition).questions))

    def redundancy_of(self, condition: str, group: str = "") -> int:
        """The number of ratings per task in a condition, set by the group, the condition, its aspects or the study."""
        if group and (own := self.pool.groups[group].redundancy):
            return own
        of_aspects = [self.aspects[name].redundancy or 0 for name in self.aspects_of(condition)]
        return self.conditions[condition].redundancy or max(of_aspects, default=0) or self.redundancy

    def spoils(self) -> dict[str, Spoil]:
        """How judging an item in each condition limits the same rater later."""
        return spoil_rules(self.assignment, {name: self.aspects_of(name) for name in self.conditions})

    def asking(self, condition: str, item: StoredItem) -> Asking:
        """The data that the questions of a condition need when they are asked about an item."""
        parts = item_parts(item, self.condition(condition).context)
        return Asking(self.scales, parts, key=item.key, seed=self.seed)

    def order_for(self, rater_number: int, item: StoredItem) -> tuple[int, ...]:
        """The order in which a rater sees the candidates of an item, as positions in the item."""
        count = len(item.payload.get("candidates", ()))
        return order_candidates(self.seed, item.key, rater_number, count)

    def asking_of(self, rater_number: int, condition: str, item: StoredItem) -> Asking:
        """The same for one rater, with the candidates in the order that this rater sees."""
        return replace(self.asking(condition, item), order=self.order_for(rater_number, item))

    @property
    def pool_name(self) -> str:
        """The name of the pool that does the main work: the one without a qualification."""
        return next(name for name, pool in self.people_pools.items() if pool.qualification is None)

    @property
    def people_pools(self) -> dict[str, LinkPool]:
        """The pools of people."""
        return {name: pool for name, pool in self.pools.items() if isinstance(pool, LinkPool)}

    @property
    def model_pools(self) -> dict[str, ModelPool]:
        """The pools of models."""
        return {name: pool for name, pool in self.pools.items() if isinstance(pool, ModelPool)}

    @property
    def pool(self) -> LinkPool:
        """The pool that does the main work."""
        return self.people_pools[self.pool_name]

    def pool_of(self, name: str) -> AnyPool:
        """The pool with this name, or the main pool if this version of the study has no such pool."""
        return self.pools.get(name, self.pool)

    def pool_for(self, condition: str) -> AnyPool:
        """The pool that does the tasks of a condition."""
        return (
            self.pool_of(condition.removeprefix(CONDITION)) if condition.startswith(CONDITION) else self.pool
        )

    def raters_in(self, name: str) -> int:
        """The number of raters in a pool: as set in the study file, or as many as can qualify."""
        pool = self.pools[name]
        if pool.says_raters:
            return pool.raters
        required = [self.people_pools[other] for other in pool.requires]
        return min(_most_qualified(other) for other in required)

    @property
    def qualification_items(self) -> frozenset[str]:
        """The keys of qualification items. Applicants learn their answers, so they are not used elsewhere."""
        return frozenset(
            key
            for pool in self.pools.values()
            if pool.qualification
            for key in pool.qualification.items or self.gold
        )


def _raise_first(*problems: Iterable[str]) -> None:
    """Raises ValueError with the problems, if there are any; of very many, with the first ones."""
    first = list(islice(chain(*problems), MOST_PROBLEMS))
    if first:
        raise ValueError("; ".join(first))


def _most_qualified(pool: LinkPool) -> int:
    rule = pool.qualification.rule if pool.qualification else None
    return rule.best if rule and rule.best else pool.raters


def _filled(condition: Any, contexts: dict[str, Any]) -> Any:
    if isinstance(condition, dict) and isinstance(condition.get("context"), str):
        return {**condition, "context": contexts.get(condition["context"], condition["context"])}
    return condition


def json_schema() -> dict[str, Any]:
    """The JSON Schema of a study file, with a description of every key, for editors."""
    schema = Study.model_json_schema(schema_generator=DescribedSchema)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
