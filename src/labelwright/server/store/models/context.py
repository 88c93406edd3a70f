"""Requests to language models: generated contexts and people's reviews of them, and models that rate."""

from django.db import models


class Generation(models.Model):
    """One request to a language model. The row is committed before the request is sent."""

    class State(models.TextChoices):
        """The state of the request."""

        ASKED = "asked"
        """Sent, or about to be sent; after a crash, it is unknown which."""
        ANSWERED = "answered"
        LOST = "lost"
        """The outcome is unknown or the response is invalid. Never sent again, because it may have been charged."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    cache_key = models.CharField(max_length=64)
    prompt = models.JSONField()
    model = models.CharField(max_length=200)
    parameters = models.JSONField()
    state = models.CharField(max_length=10, choices=State)
    raw = models.TextField(default="")
    text = models.TextField(default="")
    # In millionths of a cent: the reserved amount while the request is open, then the cost that the endpoint reports.
    microcents = models.BigIntegerField()
    asked_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "generation"
        constraints = (models.UniqueConstraint("study", "cache_key", name="generation_once"),)

    def __str__(self) -> str:
        return self.cache_key


class Context(models.Model):
    """A text generated for an item, of one kind (such as `need:llm`). It is kept while its recipe is unchanged."""

    class State(models.TextChoices):
        """The state of the text."""

        WAITING = "waiting"
        MADE = "made"
        PERSON = "person"
        """No attempt passed the checks; a person has to write the text."""
        NONE = "none"
        """There is nothing to describe, because no turn precedes the exchange."""

    class Review(models.TextChoices):
        """The result of the review by a person."""

        NOT_DRAWN = "not_drawn"
        QUEUED = "queued"
        RIGHT = "right"
        WRONG = "wrong"
        REPAIRED = "repaired"

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    # The newest version that shows it.
    version = models.ForeignKey("store.StudyVersion", models.CASCADE, db_index=False)
    item = models.ForeignKey("store.ItemRow", models.CASCADE)
    kind = models.CharField(max_length=60)
    # A hash of the settings that it is made by.
    recipe = models.CharField(max_length=64)
    state = models.CharField(max_length=10, choices=State)
    review = models.CharField(max_length=10, choices=Review, default=Review.NOT_DRAWN)
    content = models.TextField(default="")
    facts = models.JSONField(default=dict)
    generation = models.ForeignKey(Generation, models.SET_NULL, null=True, db_index=False)
    attempts = models.PositiveIntegerField(default=0)
    """Requests made so far, including lost ones; also the number of the next request."""
    not_before = models.DateTimeField()
    """No worker takes it before this time: another worker holds it, or the endpoint asked us to wait."""

    class Meta:
        db_table = "context"
        constraints = (models.UniqueConstraint("item", "kind", "recipe", "study", name="context_once"),)
        indexes = (
            models.Index(
                "version", "not_before", condition=models.Q(state="waiting"), name="context_waiting"
            ),
            models.Index("study", "id", condition=models.Q(review="queued"), name="context_queued"),
            models.Index(
                "generation", condition=models.Q(generation__isnull=False), name="context_of_generation"
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} of {self.item_id}"


class Discard(models.Model):
    """A generated text that failed a check, with the reason; kept for the record and for counting."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    context = models.ForeignKey(Context, models.CASCADE)
    generation = models.ForeignKey(Generation, models.SET_NULL, null=True, db_index=False)
    reason = models.CharField(max_length=30)
    at = models.DateTimeField()

    class Meta:
        db_table = "context_discard"
        indexes = (
            models.Index(
                "generation", condition=models.Q(generation__isnull=False), name="discard_of_generation"
            ),
        )

    def __str__(self) -> str:
        return self.reason


class ContextVerdict(models.Model):
    """A person's review of a generated text. Append-only: the latest one applies, and earlier ones are kept."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    context = models.ForeignKey(Context, models.CASCADE)
    author = models.CharField(max_length=150)
    verdict = models.CharField(max_length=10, choices=Context.Review)
    before = models.TextField()
    after = models.TextField()
    at = models.DateTimeField()

    class Meta:
        db_table = "context_verdict"

    def __str__(self) -> str:
        return self.verdict


class GenerationBudget(models.Model):
    """The budget for generation, and the amount spent or reserved."""

    study = models.OneToOneField("store.StudyRow", models.CASCADE, primary_key=True)
    limit_microcents = models.BigIntegerField(null=True)
    committed_microcents = models.BigIntegerField(default=0)

    class Meta:
        db_table = "generation_budget"
        constraints = (
            models.CheckConstraint(
                condition=models.Q(limit_microcents=None)
                | models.Q(committed_microcents__lte=models.F("limit_microcents")),
                name="generation_within_budget",
            ),
        )

    def __str__(self) -> str:
        return f"{self.committed_microcents} of {self.limit_microcents}"


class AgreedCost(models.Model):
    """Somebody's consent to the cost of generating the texts of a version. No model is called without one."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    version = models.ForeignKey("store.StudyVersion", models.CASCADE)
    author = models.CharField(max_length=150)
    at = models.DateTimeField()
    model = models.CharField(max_length=200)
    address = models.TextField()
    # What the author saw.
    texts = models.PositiveIntegerField()
    requests = models.PositiveIntegerField()
    tokens = models.PositiveBigIntegerField()
    microcents = models.PositiveBigIntegerField()

    class Meta:
        db_table = "agreed_cost"

    def __str__(self) -> str:
        return f"{self.microcents} by {self.author}"


class TokenBucket(models.Model):
    """Rate limit of an endpoint, shared by all workers and studies."""

    endpoint = models.CharField(max_length=300, primary_key=True)
    tokens = models.FloatField()
    filled_at = models.DateTimeField()

    class Meta:
        db_table = "token_bucket"

    def __str__(self) -> str:
        return self.endpoint


class MinedPhrase(models.Model):
    """A phrase that requests begin with, mined for a version of a study."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    version = models.ForeignKey("store.StudyVersion", models.CASCADE)
    place = models.PositiveIntegerField()
    text = models.CharField(max_length=500)
    dialogues = models.PositiveIntegerField()

    class Meta:
        db_table = "mined_phrase"
        constraints = (models.UniqueConstraint("version", "place", "study", name="mined_phrase_once"),)

    def __str__(self) -> str:
        return self.text


class ModelCall(models.Model):
    """One request to a model about a task that it rates. The row is committed before the request is sent."""

    class State(models.TextChoices):
        """The state of the request."""

        ASKED = "asked"
        """Sent, or about to be sent; after a crash, it is unknown which."""
        ANSWERED = "answered"
        LOST = "lost"
        """The outcome is unknown or the response is invalid. Never sent again, because it may have been charged."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    pool = models.ForeignKey("store.Pool", models.CASCADE, db_index=False, db_constraint=False)
    assignment = models.ForeignKey("store.Assignment", models.CASCADE, db_index=False, db_constraint=False)
    # From 0; lost requests count.
    attempt = models.PositiveIntegerField()
    prompt = models.JSONField()
    model = models.CharField(max_length=200)
    parameters = models.JSONField()
    state = models.CharField(max_length=10, choices=State)
    raw = models.TextField(default="")
    # What was wrong with the reply, as the next attempt is told; empty if it was accepted.
    problems = models.JSONField(default=list)
    tokens_in = models.PositiveIntegerField(null=True)
    tokens_out = models.PositiveIntegerField(null=True)
    # In millionths of a cent: the reserved amount while the request is open, then the cost that the endpoint reports.
    microcents = models.BigIntegerField()
    asked_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "model_call"
        constraints = (models.UniqueConstraint("assignment", "attempt", "study", name="model_call_once"),)
        indexes = (models.Index("pool", "state", name="model_call_of_pool"),)

    def __str__(self) -> str:
        return f"{self.model}, attempt {self.attempt}"


class ModelBudget(models.Model):
    """The budget of a model's pool, the amount spent or reserved, and who agreed to it."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    pool = models.ForeignKey("store.Pool", models.CASCADE, db_index=False, db_constraint=False)
    limit_microcents = models.BigIntegerField(null=True)
    committed_microcents = models.BigIntegerField(default=0)
    # Whether the endpoint holds answers to a schema; it said so if not.
    structured = models.BooleanField(default=True)
    # No worker asks before this time, because the endpoint refused the last request.
    not_before = models.DateTimeField(null=True)
    refused = models.PositiveIntegerField(default=0)
    """Requests in a row that the endpoint refused."""
    agreed_by = models.CharField(max_length=150)
    agreed_at = models.DateTimeField()
    # The figures of the page Judge, as they were last computed.
    figures = models.JSONField(null=True)
    figures_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "model_budget"
        constraints = (
            models.UniqueConstraint("pool", "study", name="model_budget_once"),
            models.CheckConstraint(
                condition=models.Q(limit_microcents=None)
                | models.Q(committed_microcents__lte=models.F("limit_microcents")),
                name="model_within_budget",
            ),
        )

    def __str__(self) -> str:
        return f"{self.committed_microcents} of {self.limit_microcents}"


class JudgeVersion(models.Model):
    """A declared version of the instructions of a model that rates; never changed."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    pool = models.ForeignKey("store.Pool", models.CASCADE, db_index=False, db_constraint=False)
    # From 1.
    number = models.PositiveIntegerField()
    change = models.CharField(max_length=200)
    instructions = models.TextField()
    # Of everything that decides what the model is told: another prompt, model or parameter is another version.
    digest = models.CharField(max_length=64)
    author = models.CharField(max_length=150)
    declared_at = models.DateTimeField()

    class Meta:
        db_table = "judge_version"
        constraints = (
            models.UniqueConstraint("pool", "number", "study", name="judge_version_number"),
            models.UniqueConstraint("pool", "digest", "study", name="judge_version_once"),
        )

    def __str__(self) -> str:
        return f"version {self.number}"


class JudgeRun(models.Model):
    """Requests that belong together: a bias probe, or the development or held-out items of a version."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    pool = models.ForeignKey("store.Pool", models.CASCADE, db_index=False, db_constraint=False)
    kind = models.CharField(max_length=20)
    version = models.ForeignKey(JudgeVersion, models.CASCADE, null=True, db_index=False, db_constraint=False)
    """None for a probe."""
    items = models.PositiveIntegerField()
    # The bias that a probe looks for.
    smallest = models.FloatField(null=True)
    author = models.CharField(max_length=150)
    agreed_at = models.DateTimeField()
    figures = models.JSONField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "judge_run"
        constraints = (
            # Held-out items are opened once for each version. Probes have no version and may be repeated.
            models.UniqueConstraint("version", "kind", "study", name="judge_run_once"),
        )
        indexes = (models.Index("pool", name="judge_run_of_pool"),)

    def __str__(self) -> str:
        return self.kind


class JudgeTrial(models.Model):
    """One request of a run. The row is committed as asked before the request is sent."""

    class State(models.TextChoices):
        """The state of the request."""

        PLANNED = "planned"
        ASKED = "asked"
        """Sent, or about to be sent; after a crash, it is unknown which."""
        ANSWERED = "answered"
        LOST = "lost"
        """The outcome is unknown or the response is invalid. Never sent again, because it may have been charged."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    run = models.ForeignKey(JudgeRun, models.CASCADE, db_index=False, db_constraint=False)
    item = models.ForeignKey("store.ItemRow", models.CASCADE, db_index=False, db_constraint=False)
    condition = models.CharField(max_length=40)
    # Whether the item is in its changed form.
    changed = models.BooleanField()
    # From 0; lost requests count.
    attempt = models.PositiveIntegerField(default=0)
    state = models.CharField(max_length=10, choices=State, default=State.PLANNED)
    prompt = models.JSONField(null=True)
    model = models.CharField(max_length=200, default="")
    parameters = models.JSONField(null=True)
    raw = models.TextField(default="")
    # The codes of the accepted answers, by the name they would be stored under; None without any.
    codes = models.JSONField(null=True)
    # What was wrong with the attempt before; the model is told.
    told = models.JSONField(default=list)
    tokens_in = models.PositiveIntegerField(null=True)
    tokens_out = models.PositiveIntegerField(null=True)
    # As for tasks: the reserved amount while the request is open, then the cost.
    microcents = models.BigIntegerField(default=0)
    asked_at = models.DateTimeField(null=True)
    answered_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "judge_trial"
        constraints = (
            models.UniqueConstraint("run", "item", "changed", "attempt", "study", name="judge_trial_once"),
        )
        indexes = (
            models.Index("run", "state", name="judge_trial_of_run"),
            models.Index("item", name="judge_trial_of_item"),
        )

    def __str__(self) -> str:
        return f"{self.state}, attempt {self.attempt}"
