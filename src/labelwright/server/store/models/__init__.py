"""One module per topic. Tables that belong to a study name it first; the study is the shard key.

In the database, their primary keys and foreign keys end with `study_id` too, which Django's models cannot say; see
`labelwright.server.store.keys`.
"""

from labelwright.server.store.models.access import (
    ApiToken,
    CodeAttempt,
    KeyCheck,
    LoginSession,
    ReviewerLink,
    TeamInvitation,
    Teammate,
    Webhook,
    WebhookDelivery,
)
from labelwright.server.store.models.assignment import Answer, Assignment, Draft, Verdict, Visit
from labelwright.server.store.models.context import (
    AgreedCost,
    Context,
    ContextVerdict,
    Discard,
    Generation,
    GenerationBudget,
    MinedPhrase,
    TokenBucket,
)
from labelwright.server.store.models.corpus import DialogueRow, ItemRow
from labelwright.server.store.models.message import Mail, Message, MessageItem
from labelwright.server.store.models.people import Audit, Joining, Note, OpenLink, Person, WaitingAddress
from labelwright.server.store.models.quality import (
    CaseChange,
    CaseKind,
    CaseState,
    Dispute,
    Flag,
    GoldResult,
    ItemTally,
    ReviewCase,
    ReviewGroup,
    Tally,
)
from labelwright.server.store.models.rater import Exposure, Member, Pool, Rater, RaterCount
from labelwright.server.store.models.results import (
    ItemChange,
    ItemLabel,
    ItemLine,
    ItemWords,
    PreparedExport,
    RaterChange,
    RaterLine,
    StudyChange,
    StudyFigures,
)
from labelwright.server.store.models.sheet import RaterSheet, Withdrawal
from labelwright.server.store.models.study import (
    CorpusFile,
    EditedFile,
    StudyRehearsal,
    StudyRow,
    StudyVersion,
)
from labelwright.server.store.models.task import Batch, BatchWork, Offered, Place, Task, TaskItem
from labelwright.server.store.models.user import User

__all__ = [
    "AgreedCost",
    "Answer",
    "ApiToken",
    "Assignment",
    "Audit",
    "Batch",
    "BatchWork",
    "CaseChange",
    "CaseKind",
    "CaseState",
    "CodeAttempt",
    "Context",
    "ContextVerdict",
    "CorpusFile",
    "DialogueRow",
    "Discard",
    "Dispute",
    "Draft",
    "EditedFile",
    "Exposure",
    "Flag",
    "Generation",
    "GenerationBudget",
    "GoldResult",
    "ItemChange",
    "ItemLabel",
    "ItemLine",
    "ItemRow",
    "ItemTally",
    "ItemWords",
    "Joining",
    "KeyCheck",
    "LoginSession",
    "Mail",
    "Member",
    "Message",
    "MessageItem",
    "MinedPhrase",
    "Note",
    "Offered",
    "OpenLink",
    "Person",
    "Place",
    "Pool",
    "PreparedExport",
    "Rater",
    "RaterChange",
    "RaterCount",
    "RaterLine",
    "RaterSheet",
    "ReviewCase",
    "ReviewGroup",
    "ReviewerLink",
    "StudyChange",
    "StudyFigures",
    "StudyRehearsal",
    "StudyRow",
    "StudyVersion",
    "Tally",
    "Task",
    "TaskItem",
    "TeamInvitation",
    "Teammate",
    "TokenBucket",
    "User",
    "Verdict",
    "Visit",
    "WaitingAddress",
    "Webhook",
    "WebhookDelivery",
    "Withdrawal",
]
