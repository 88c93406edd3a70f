"""Results: figures, items and raters as pages show them, notes that they are out of date, exports, reports and releases."""

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import F, Q


class StudyFigures(models.Model):
    """The newest figures of a study. A job computes them and pages only read them."""

    study = models.OneToOneField("store.StudyRow", models.CASCADE, primary_key=True, db_constraint=False)
    # When the newest computation began, also if it failed; the next one waits for a while after it.
    started_at = models.DateTimeField()
    # Null until the first computation is done.
    computed_at = models.DateTimeField(null=True)
    took_seconds = models.FloatField(null=True)
    # Judgments that they count.
    counted = models.BigIntegerField(default=0)
    # Raters at work when they were computed; another number means that they are out of date.
    at_work = models.IntegerField(default=0)
    # The release that computed them: another release may show other figures.
    release = models.CharField(max_length=40, default="", blank=True)
    # The numbers that the header and the list of studies show.
    summary = models.JSONField(default=dict, db_default={})
    # What each page shows, as JSON. The database never looks inside.
    pages = models.TextField(default="{}")

    class Meta:
        db_table = "study_figures"

    def __str__(self) -> str:
        return f"figures of study {self.study_id} at {self.computed_at}"


class StudyChange(models.Model):
    """Exists while a study has changed since its figures were computed.

    Rows are only inserted and deleted, so two changes of a study never wait for each other.
    """

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_constraint=False)

    class Meta:
        db_table = "study_change"

    def __str__(self) -> str:
        return f"change of study {self.study_id}"


class PreparedExport(models.Model):
    """A file with the answers of a study, in the export folder of the installation until it expires."""

    class State(models.TextChoices):
        """How far it has come."""

        WAITING = "waiting"
        WRITING = "writing"
        READY = "ready"
        FAILED = "failed"

    study = models.ForeignKey("store.StudyRow", models.CASCADE)
    form = models.CharField(max_length=10)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    asked_by = models.CharField(max_length=150)
    asked_at = models.DateTimeField()
    # The number of answers that it will hold, counted when the writing starts, and the number written so far.
    total = models.PositiveBigIntegerField(default=0)
    written = models.PositiveBigIntegerField(default=0)
    bytes = models.PositiveBigIntegerField(null=True)
    # When the file, or the line about a failure, is deleted.
    expires_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "prepared_export"

    def __str__(self) -> str:
        return f"export {self.pk} of study {self.study_id}"


_MOST_DISAGREEMENT = (
    F("study"), F("disagreement").desc(nulls_last=True), F("item").desc(), F("condition").desc(),
)  # fmt: skip


class ItemLine(models.Model):
    """An item in a condition, as the list of items shows, sorts and filters it; always equal to a full recount."""

    pk = models.CompositePrimaryKey("item_id", "condition")
    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    item = models.ForeignKey("store.ItemRow", models.CASCADE, db_index=False, db_constraint=False)
    condition = models.CharField(max_length=40)
    key = models.CharField(max_length=220)
    # The systems whose replies it shows.
    systems = ArrayField(models.CharField(max_length=200), default=list)
    # Whether it is shown as a gold item only, so that it has no label.
    gold = models.BooleanField(default=False)
    # Ratings that are there, and ratings that are wanted, including those that are there.
    stored = models.PositiveIntegerField()
    wanted = models.PositiveIntegerField()
    # Flags that ask for review, on tasks with this item.
    flags = models.PositiveIntegerField(default=0)
    # The largest disagreement of its judgments; null until one has two answers.
    disagreement = models.FloatField(null=True)
    # The number of judgments without a clear label.
    unclear = models.PositiveIntegerField(default=0)

    class Meta:
        db_table = "item_line"
        indexes = (
            models.Index(*_MOST_DISAGREEMENT, name="item_line_sorted"),
            models.Index("study", "key", "condition", name="item_line_by_key"),
            models.Index(*_MOST_DISAGREEMENT, condition=Q(unclear__gt=0), name="item_line_unclear"),
            models.Index(*_MOST_DISAGREEMENT, condition=Q(flags__gt=0), name="item_line_flagged"),
            models.Index(*_MOST_DISAGREEMENT, condition=Q(stored__lt=F("wanted")), name="item_line_open"),
        )

    def __str__(self) -> str:
        return f"item {self.item_id} {self.condition}: {self.stored} of {self.wanted}"


class ItemLabel(models.Model):
    """The label that the judgments of an item are aggregated to, by question; always equal to a full recount.

    Judgments about several candidates or sentences also have one row together, under their name with `*`.
    """

    pk = models.CompositePrimaryKey("item_id", "condition", "question")
    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    item = models.ForeignKey("store.ItemRow", models.CASCADE, db_index=False, db_constraint=False)
    condition = models.CharField(max_length=40)
    question = models.CharField(max_length=160)
    n = models.PositiveIntegerField()
    # The most frequent code; null if two are equally frequent, or for several candidates together.
    code = models.IntegerField(null=True)
    # The share of the most frequent code.
    share = models.FloatField()
    # The share of pairs of raters who gave different codes, or what the parts that pairs marked lack of full overlap;
    # null for a single rater.
    disagreement = models.FloatField(null=True)

    class Meta:
        db_table = "item_label"
        indexes = (
            models.Index(
                F("study"),
                F("question"),
                F("disagreement").desc(nulls_last=True),
                F("item").desc(),
                F("condition").desc(),
                name="item_label_sorted",
            ),
        )

    def __str__(self) -> str:
        return f"item {self.item_id} {self.condition} {self.question}: {self.code}"


class ItemWords(models.Model):
    """The words by which an item is found."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    item = models.OneToOneField("store.ItemRow", models.CASCADE, primary_key=True, db_constraint=False)
    words = SearchVectorField()

    class Meta:
        db_table = "item_words"
        indexes = (GinIndex("words", name="item_words_found"),)

    def __str__(self) -> str:
        return f"words of item {self.item_id}"


class ItemChange(models.Model):
    """Exists until an item that has changed is counted again for the list of items.

    Rows are only inserted and deleted, so two changes of an item never wait for each other.
    """

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_constraint=False)
    # Null for all items of the study, because its tasks have changed.
    item = models.ForeignKey("store.ItemRow", models.CASCADE, null=True, db_index=False, db_constraint=False)

    class Meta:
        db_table = "item_change"

    def __str__(self) -> str:
        return f"change of item {self.item_id} of study {self.study_id}"


_LAST_SEEN = (F("last_seen").desc(nulls_last=True), F("rater").desc())


class RaterLine(models.Model):
    """A person who rates, as the list of raters shows, sorts and filters them.

    Always equal to a full recount, except for the agreement, which the figures job computes. The raters of one person,
    known by the address, have one line together, under the oldest of them.
    """

    rater = models.OneToOneField("store.Rater", models.CASCADE, primary_key=True, db_constraint=False)
    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    name = models.CharField(max_length=32)
    state = models.CharField(max_length=10)
    # The names of the pools.
    pools = ArrayField(models.CharField(max_length=40), default=list)
    # Submitted tasks.
    tasks = models.PositiveIntegerField(default=0)
    # The median time of a task, and the times of the last ones, the newest first.
    pace = models.FloatField(null=True)
    recent = ArrayField(models.FloatField(), default=list)
    gold_right = models.PositiveIntegerField(default=0)
    gold_answered = models.PositiveIntegerField(default=0)
    attention_right = models.PositiveIntegerField(default=0)
    attention_answered = models.PositiveIntegerField(default=0)
    # Flags that ask for review, and those on tasks that nobody has decided on.
    flags = models.PositiveIntegerField(default=0)
    undecided = models.PositiveIntegerField(default=0)
    # Cents and currency, once for each currency.
    owed = models.JSONField(default=list)
    last_seen = models.DateTimeField(null=True)
    # Agreement with the others, its interval, and the number of items that it is the mean of.
    agreement = models.FloatField(null=True)
    agreement_low = models.FloatField(null=True)
    agreement_high = models.FloatField(null=True)
    agreement_items = models.PositiveIntegerField(default=0, db_default=0)

    class Meta:
        db_table = "rater_line"
        indexes = (
            models.Index("study", *_LAST_SEEN, name="rater_line_last_seen"),
            models.Index("study", "state", *_LAST_SEEN, name="rater_line_of_state"),
        )

    def __str__(self) -> str:
        return f"{self.name}: {self.tasks} tasks"


class RaterChange(models.Model):
    """Exists until a rater who has changed is counted again for the list of raters.

    Rows are only inserted and deleted, so two changes of a rater never wait for each other.
    """

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_constraint=False)
    # Null for all raters of the study, because its tasks have changed.
    rater = models.ForeignKey("store.Rater", models.CASCADE, null=True, db_index=False, db_constraint=False)

    class Meta:
        db_table = "rater_change"

    def __str__(self) -> str:
        return f"change of rater {self.rater_id} of study {self.study_id}"


class Theme(models.Model):
    """A theme that people find in what raters wrote."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    name = models.CharField(max_length=60)
    made_by = models.CharField(max_length=150)
    made_at = models.DateTimeField()

    class Meta:
        db_table = "theme"
        constraints = (models.UniqueConstraint("study", "name", name="theme_once"),)

    def __str__(self) -> str:
        return f"theme {self.name} of study {self.study_id}"


class ThemeMark(models.Model):
    """A theme that a person assigned to one text of a rater, which is an answer to a question with free text."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    theme = models.ForeignKey(Theme, models.CASCADE, db_index=False, db_constraint=False)
    assignment = models.ForeignKey("store.Assignment", models.CASCADE, db_index=False, db_constraint=False)
    position = models.PositiveSmallIntegerField()
    question = models.CharField(max_length=160)
    marked_by = models.CharField(max_length=150)
    marked_at = models.DateTimeField()

    class Meta:
        db_table = "theme_mark"
        constraints = (
            models.UniqueConstraint(
                "theme", "assignment", "position", "question", "study", name="theme_mark_once"
            ),
        )
        indexes = (models.Index("assignment", name="theme_mark_of_assignment"),)

    def __str__(self) -> str:
        return f"theme {self.theme_id} of {self.question} in assignment {self.assignment_id}"


class StudyReport(models.Model):
    """The newest report of a study."""

    class State(models.TextChoices):
        """How far it has come."""

        WAITING = "waiting"
        MAKING = "making"
        READY = "ready"
        FAILED = "failed"

    study = models.OneToOneField("store.StudyRow", models.CASCADE, primary_key=True, db_constraint=False)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    asked_by = models.CharField(max_length=150)
    asked_at = models.DateTimeField()
    # What the worker is doing, in one phrase.
    step = models.CharField(max_length=80, default="", blank=True)
    # Why it failed, for the requester.
    error = models.TextField(default="", blank=True)
    # When the stored files were made, and from how many judgments; null until the first report is ready.
    made_at = models.DateTimeField(null=True)
    judgments = models.PositiveBigIntegerField(default=0)
    # What the files were made from: another value means that they are older than the data.
    basis = models.JSONField(default=dict)

    class Meta:
        db_table = "study_report"

    def __str__(self) -> str:
        return f"report of study {self.study_id}: {self.state}"


class ReportFile(models.Model):
    """A file of the newest report."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    name = models.CharField(max_length=40)
    content = models.BinaryField()
    bytes = models.PositiveIntegerField()

    class Meta:
        db_table = "report_file"
        constraints = (models.UniqueConstraint("study", "name", name="report_file_once"),)

    def __str__(self) -> str:
        return f"{self.name} of study {self.study_id}"


class TextScan(models.Model):
    """The newest search for personal data in the texts of a study."""

    study = models.OneToOneField("store.StudyRow", models.CASCADE, primary_key=True)
    asked_at = models.DateTimeField()
    # Null until the first search is done.
    scanned_at = models.DateTimeField(null=True)
    # The number of texts that were looked at.
    texts = models.PositiveBigIntegerField(default=0)

    class Meta:
        db_table = "text_scan"

    def __str__(self) -> str:
        return f"texts of study {self.study_id}, searched at {self.scanned_at}"


class PersonalHit(models.Model):
    """A text that may be personal data, however often it occurs, and what a person decided about it."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    # The name of a `HitKind`.
    kind = models.CharField(max_length=20)
    # A hash that all ways to write it share.
    key = models.CharField(max_length=64)
    # As it was found first.
    text = models.CharField(max_length=400)
    places = models.PositiveBigIntegerField()
    # The table and the row in which it was found first.
    source = models.CharField(max_length=40)
    row = models.BigIntegerField()
    # The work that it was found in, if a rater wrote it.
    assignment = models.ForeignKey(
        "store.Assignment", models.CASCADE, null=True, db_index=False, db_constraint=False
    )
    # The name of a `HitDecision`; empty until somebody decides.
    decision = models.CharField(max_length=10, default="", blank=True)
    decided_by = models.CharField(max_length=150, default="", blank=True)
    decided_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "personal_hit"
        constraints = (models.UniqueConstraint("study", "key", name="personal_hit_once"),)
        indexes = (
            models.Index("assignment", condition=Q(assignment__isnull=False), name="personal_hit_of_work"),
        )

    def __str__(self) -> str:
        return f"{self.kind} in study {self.study_id}: {self.decision}"


class DataSheet(models.Model):
    """What only a person can say about a study that is released, and how it is to be released."""

    study = models.OneToOneField("store.StudyRow", models.CASCADE, primary_key=True)
    # Texts by the name of the field; fields without an answer are left out.
    answers = models.JSONField(default=dict)
    changed_by = models.CharField(max_length=150)
    changed_at = models.DateTimeField()

    class Meta:
        db_table = "data_sheet"

    def __str__(self) -> str:
        return f"data sheet of study {self.study_id}"
