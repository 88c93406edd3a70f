"""The `context` part of a study file: phrases, prompts, the model, checks, and the reviewed share."""

from __future__ import annotations

import hashlib
import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from labelwright import seeds
from labelwright.context.checks import NEED_CHECKS, SUMMARY_CHECKS, ChecksPart
from labelwright.context.entities import EntitiesPart
from labelwright.context.phrases import PhrasesPart
from labelwright.context.prompts import Ask, PromptPart

FRAME_TOKENS = 200
"""Tokens that an endpoint may add to the messages."""


class ModelPart(BaseModel):
    """A language model with an OpenAI-compatible API."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, Field(min_length=1, max_length=200)]
    """The name of the model, as its server calls it."""
    address: Annotated[str, Field(pattern=r"^https?://")]
    """The base address, including `/v1`."""
    key_variable: Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]*$")] | None = None
    """The environment variable that holds the key, if the model needs one; keys do not belong in a study file."""
    parameters: dict[str, Any] = Field(default_factory=lambda: {"temperature": 0, "max_tokens": 300})
    """Parameters that are sent with every request."""
    per_minute: Annotated[float, Field(gt=0)] = 60
    """The largest number of requests in a minute."""
    burst: Annotated[int, Field(ge=1)] = 5
    """The number of requests that may be sent at once after a pause."""
    timeout_seconds: Annotated[float, Field(gt=0, le=3600)] = 120
    """How long to wait for an answer."""
    attempts: Annotated[int, Field(ge=1, le=50)] = 4
    """The largest number of texts that are generated for one item before a person writes it."""
    cents_per_million_in: Annotated[int, Field(ge=0)] = 0
    """The price of a million tokens that are sent, for the estimate of cost and the budget."""
    cents_per_million_out: Annotated[int, Field(ge=0)] = 0
    """The price of a million tokens that are received."""
    budget_cents: Annotated[int, Field(ge=0)] | None = None
    """A hard limit: generation stops before a request that could exceed it."""

    @model_validator(mode="after")
    def _bounded(self) -> ModelPart:
        tokens = self.parameters.get("max_tokens")
        if not isinstance(tokens, int) or isinstance(tokens, bool) or tokens < 1:
            raise ValueError("parameters must contain max_tokens, which limits the cost of a reply")
        if {"messages", "model", "stream", "n"} & set(self.parameters):
            raise ValueError("messages, model, stream and n cannot be set in parameters")
        return self

    def most_microcents(self, ask: Ask) -> int:
        """The largest possible cost of a request, in millionths of a cent."""
        # A token has at least one byte in any script, so no endpoint can count more tokens than this.
        tokens = ask.bytes + FRAME_TOKENS
        return self.microcents(tokens, int(self.parameters["max_tokens"]))

    def microcents(self, tokens_in: int, tokens_out: int) -> int:
        """The cost of a request in millionths of a cent."""
        return tokens_in * self.cents_per_million_in + tokens_out * self.cents_per_million_out


class ContextPart(BaseModel):
    """How needs and summaries are made and checked."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    phrases: PhrasesPart = PhrasesPart()
    """The phrases by which `need: heuristic` finds what users ask for."""
    no_phrase: Literal["say", "first_turn", "nothing"] = "say"
    """What the heuristic need shows if no user turn has a phrase."""
    no_phrase_text: Annotated[str, Field(min_length=1, max_length=300)] = (
        "The user has not said what they are looking for."
    )
    """The text that `no_phrase: say` shows."""
    extractive_share: Annotated[float, Field(gt=0, le=1)] = 0.5
    """The share of the dialogue that `summary: extractive` keeps."""
    model: ModelPart | None = None
    """The language model for `need: llm` and `summary: llm`."""
    need_prompt: PromptPart = PromptPart()
    """The prompt for `need: llm`."""
    summary_prompt: PromptPart = PromptPart()
    """The prompt for `summary: llm`."""
    need_checks: ChecksPart = NEED_CHECKS
    """Requirements on generated needs; a text that fails is generated again, and after the last attempt a person writes it."""
    summary_checks: ChecksPart = SUMMARY_CHECKS
    """The same for generated summaries."""
    entities: EntitiesPart = EntitiesPart()
    """How entities are found that a generated text must name."""
    review_share: Annotated[float, Field(ge=0, le=1)] = 0.3
    """The share of generated texts, drawn by seed, that people review."""

    def prompt(self, kind: str) -> PromptPart:
        """The prompt of `need` or `summary`."""
        return self.need_prompt if kind == "need" else self.summary_prompt

    def checks(self, kind: str) -> ChecksPart:
        """The checks of `need` or `summary`."""
        return self.need_checks if kind == "need" else self.summary_checks

    def recipe(self, kind: str) -> str:
        """A hash of the settings that decide what a text such as `need:llm` says; a text is kept while it is equal.

        Speed, prices, budget, attempts and the reviewed share are not part of it.
        """
        text = json.dumps({"kind": kind, **self._settings(kind)}, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def _settings(self, kind: str) -> dict[str, Any]:
        what, _, how = kind.partition(":")
        if how == "llm" and self.model is not None:
            prompt, checks = _plain(self.prompt(what)), _plain(self.checks(what))
            asked = {"model": self.model.name, "parameters": self.model.parameters}
            return asked | {"prompt": prompt, "checks": checks, "entities": _plain(self.entities)}
        if kind == "need:heuristic":
            phrases = _plain(self.phrases)
            return {"phrases": phrases, "no_phrase": self.no_phrase, "no_phrase_text": self.no_phrase_text}
        if kind == "summary:extractive":
            return {"share": self.extractive_share}
        # A kind of another package can use every setting that is not about a model.
        return self.model_dump(mode="json", exclude_defaults=True, exclude={"model", "review_share"})


def _plain(part: BaseModel) -> dict[str, Any]:
    return part.model_dump(mode="json", exclude_defaults=True)


def is_reviewed(part: ContextPart, seed: int, item: str, recipe: str) -> bool:
    """Whether a generated text is in the seeded share that people review."""
    return seeds.rank(seed, "review", recipe, item) < part.review_share * 2**63
