"""The client: one method for each call, typed by the models that the server uses too."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar
from urllib.parse import quote
from uuid import UUID

import httpx
from pydantic import BaseModel, TypeAdapter

from labelwright.client import models
from labelwright.corpus import Dialogue, draw
from labelwright.corpus.dialogues import turn_records
from labelwright.crowd import StudyVerb
from labelwright.errors import LabelwrightError
from labelwright.study import read_corpus, read_study

T = TypeVar("T")
PageType = TypeVar("PageType", bound=models.ListPage)
TRIES = 3
"""How often a call that changes nothing is tried while the server is busy."""
BUSY = 503


class CallFailed(LabelwrightError):
    """A call that the server refused; `status` and `code` say why."""

    code: ClassVar[str] = "call_failed"

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message, status=status, problem=code)
        self.status = status
        self.problem = code
        """The code of the problem, such as `not_permitted`."""


class NoAnswer(LabelwrightError):
    """A server that did not answer."""

    code: ClassVar[str] = "no_answer"


class Client:
    """Calls a server in the name of the user whose token it has.

    Address and token are read from the environment variables LABELWRIGHT_ADDRESS and LABELWRIGHT_TOKEN if they are not
    given. Use the client in a `with` block, or close it.
    """

    def __init__(
        self, address: str | None = None, token: str | None = None, *, timeout_seconds: float = 60
    ) -> None:
        root = address or os.environ.get("LABELWRIGHT_ADDRESS", "http://127.0.0.1:8000")
        given = token or os.environ.get("LABELWRIGHT_TOKEN", "")
        self._http = httpx.Client(
            base_url=f"{root.rstrip('/')}/api/v1",
            headers={"Authorization": f"Bearer {given}"},
            timeout=timeout_seconds,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    # Study files and studies

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of study files."""
        return self._get(dict[str, Any], "/study-schema")

    def check(self, file: str | Path) -> list[models.FileMistake]:
        """Every mistake in a study file, with its line; empty if there is none."""
        sent = models.StudyFile(text=Path(file).read_text(encoding="utf-8"))
        return self._post(models.CheckedFile, "/study-checks", sent).mistakes

    def plan(self, file: str | Path, left_out: float = 0) -> models.StudyPlan:
        """Whether raters can complete a study under its rules."""
        material = _material(Path(file))
        sent = models.PlanRequest(**material, left_out=left_out)
        return self._post(models.StudyPlan, "/study-plans", sent)

    def studies(self, *, archived: bool = False) -> list[models.StudyListed]:
        """The studies in whose team you are, the newest first; archived ones only if you ask for them."""
        return self._get(list[models.StudyListed], "/studies", archived=archived)

    def study(self, study: str) -> models.StudyDetail:
        """One study with its progress."""
        return self._get(models.StudyDetail, f"/studies/{_part(study)}")

    def file(self, study: str) -> models.StudyText:
        """The study file of the newest version."""
        return self._get(models.StudyText, f"/studies/{_part(study)}/file")

    def load(
        self,
        file: str | Path,
        *,
        expected_version: int | None = None,
        dry_run: bool = False,
        fresh: bool = False,
        same_meaning: str = "",
    ) -> models.LoadedStudy:
        """Loads a study file with its corpus as a new version. A new study is a draft until you open it.

        With `expected_version`, it is refused if somebody loaded another version since you read that one.
        """
        material = _material(Path(file))
        sent = models.LoadRequest(
            **material,
            expected_version=expected_version,
            dry_run=dry_run,
            fresh=fresh,
            same_meaning=same_meaning,
        )
        return self._post(models.LoadedStudy, "/studies", sent)

    def advance(self, study: str) -> list[models.OpenedStage]:
        """Opens the items of later stages that are ready."""
        return self._post(list[models.OpenedStage], f"/studies/{_part(study)}/stages")

    def open_study(self, study: str) -> None:
        """Opens a draft, or a closed study, to raters."""
        self._change_study(study, StudyVerb.OPEN)

    def pause_study(self, study: str) -> None:
        """Offers no new tasks until you resume. Raters at work can finish and submit."""
        self._change_study(study, StudyVerb.PAUSE)

    def resume_study(self, study: str) -> None:
        """Offers tasks again after a pause."""
        self._change_study(study, StudyVerb.RESUME)

    def close_study(self, study: str) -> None:
        """Ends a study. Raters at work can finish and submit."""
        self._change_study(study, StudyVerb.CLOSE)

    def archive_study(self, study: str) -> None:
        """Takes a closed study, or a draft, out of the list of studies. Its data are kept."""
        self._change_study(study, StudyVerb.ARCHIVE)

    def restore_study(self, study: str) -> None:
        """Puts an archived study back into the list of studies. It stays closed."""
        self._change_study(study, StudyVerb.RESTORE)

    def delete(self, study: str) -> None:
        """Deletes a study with all its answers. It cannot be undone. One with paid work can only be archived."""
        self._send(models.ChangeMade, "DELETE", f"/studies/{_part(study)}")

    def scales(self, study: str) -> dict[str, Any]:
        """The meaning of the codes in exports."""
        return self._get(dict[str, Any], f"/studies/{_part(study)}/scales")

    def export(self, study: str, out: str | Path, *, wait_seconds: float = 600) -> Path:
        """Writes all answers to a file in the format of its ending: .csv, .jsonl or .parquet."""
        path = Path(out)
        root = f"/studies/{_part(study)}/exports"
        sent = models.ExportRequest(format=models.ExportFormat(path.suffix.lstrip(".").lower()))
        wanted = self._post(models.ExportListed, root, sent)
        return self._fetch(study, root, wanted, path, wait_seconds)

    def release(self, study: str, out: str | Path, *, wait_seconds: float = 3600) -> Path:
        """Writes the release of a study to a file, as a zip archive; fails while texts are undecided."""
        root = f"/studies/{_part(study)}/releases"
        wanted = self._post(models.ExportListed, root)
        return self._fetch(study, root, wanted, Path(out), wait_seconds)

    def _fetch(
        self, study: str, root: str, wanted: models.ExportListed, path: Path, wait_seconds: float
    ) -> Path:
        """Downloads a file as soon as the worker has written it."""
        until = time.monotonic() + wait_seconds
        while wanted.state != "ready":
            if wanted.state == "failed" or time.monotonic() > until:
                raise NoAnswer(
                    f"the file is {wanted.state}.", do="Check that the worker is running, and try again."
                )
            time.sleep(0.5)
            kept = self._get(list[models.ExportListed], root)
            wanted = next((one for one in kept if one.number == wanted.number), wanted)
        return self._download(f"/studies/{_part(study)}/exports/{wanted.number}/file", path)

    def report(self, study: str, out: str | Path, *, wait_seconds: float = 1800) -> Path:
        """Makes a report and writes it to a file: the page (.html), all numbers (.json), or everything (.zip)."""
        path, root = Path(out), f"/studies/{_part(study)}/report"
        part = models.ReportPart(f"report{path.suffix.lower()}")
        found = self._post(models.ReportState, root)
        until = time.monotonic() + wait_seconds
        while found.state != "ready":
            if found.state == "failed":
                raise NoAnswer(f"the report failed: {found.error}")
            if time.monotonic() > until:
                raise NoAnswer(
                    f"the report is {found.state}.", do="Check that the worker is running, and try again."
                )
            time.sleep(0.5)
            found = self.report_state(study)
        return self._download(f"{root}/files/{part}", path)

    def report_state(self, study: str) -> models.ReportState:
        """How far the newest report is, and whether it is older than the data."""
        return self._get(models.ReportState, f"/studies/{_part(study)}/report")

    def _download(self, address: str, path: Path) -> Path:
        with self._http.stream("GET", address) as answer:
            if answer.status_code != httpx.codes.OK:
                answer.read()
                raise _failure(answer)
            with path.open("wb") as file:
                for chunk in answer.iter_bytes():
                    file.write(chunk)
        return path

    # Releases

    def personal_data(self, study: str) -> models.PersonalDataFound:
        """The texts that may be personal data, undecided ones first."""
        return self._get(models.PersonalDataFound, f"/studies/{_part(study)}/personal-data")

    def search_personal_data(self, study: str) -> models.PersonalDataFound:
        """Has the worker search all texts again; earlier decisions stay."""
        return self._post(models.PersonalDataFound, f"/studies/{_part(study)}/personal-data/search")

    def decide_personal_data(
        self, study: str, numbers: Sequence[int], decision: str
    ) -> models.PersonalDataFound:
        """Decides what becomes of texts: keep, replace, leave_out, or open to take a decision back."""
        sent = models.DecisionRequest(numbers=list(numbers), decision=models.HitDecisionSent(decision))
        return self._post(models.PersonalDataFound, f"/studies/{_part(study)}/personal-data", sent)

    def data_sheet(self, study: str) -> models.SheetAnswered:
        """The data sheet, with its open fields."""
        return self._get(models.SheetAnswered, f"/studies/{_part(study)}/data-sheet")

    def answer_data_sheet(self, study: str, answers: Mapping[str, str]) -> models.SheetAnswered:
        """Answers fields of the data sheet; an empty text makes a field open again."""
        sent = models.SheetRequest(answers=dict(answers))
        return self._send(models.SheetAnswered, "PATCH", f"/studies/{_part(study)}/data-sheet", sent)

    # Raters, pools and links

    def raters(self, study: str, pool: str | None = None) -> Iterator[models.RaterListed]:
        """The raters of all pools, or of one, in the order in which they joined."""
        chosen = {} if pool is None else {"pool": pool}
        for page in self._pages(models.RaterPage, f"/studies/{_part(study)}/raters", **chosen):
            yield from page.raters

    def invite(self, study: str, pool: str, email: str = "") -> models.PersonalLink:
        """Adds a rater with a personal link, which is mailed if there is an address."""
        path = f"/studies/{_part(study)}/pools/{_part(pool)}/raters"
        return self._post(models.PersonalLink, path, models.InviteRequest(email=email))

    def links(
        self, study: str, raters: int | None = None, pool: str | None = None
    ) -> list[models.PersonalLink]:
        """A personal link for each rater of a pool; asked again, the same ones."""
        sent = models.LinksRequest(raters=raters, pool=pool)
        return self._post(list[models.PersonalLink], f"/studies/{_part(study)}/links", sent)

    def open_link(self, study: str, pool: str, most: int, days: int = 14) -> str:
        """A link by which many people can join."""
        path = f"/studies/{_part(study)}/pools/{_part(pool)}/open-links"
        return self._post(models.LinkAddress, path, models.OpenLinkRequest(most=most, days=days)).address

    def open_links(self, study: str) -> models.StudyLinks:
        """The open links of a study, and the reviewers who got a link."""
        return self._get(models.StudyLinks, f"/studies/{_part(study)}/links")

    def revoke(self, study: str, **which: Any) -> None:
        """Revokes links: give one of `rater`, `pool`, `open_link`, `reviewer` and `everything=True`."""
        self._post(
            models.ChangeMade, f"/studies/{_part(study)}/links/revocation", models.RevokeRequest(**which)
        )

    def ranking(self, study: str, pool: str) -> list[models.ApplicantListed]:
        """The applicants of a qualification, the best first."""
        path = f"/studies/{_part(study)}/pools/{_part(pool)}/ranking"
        return self._get(list[models.ApplicantListed], path)

    def qualify(self, study: str, pool: str, raters: list[str] | None = None) -> list[str]:
        """Qualifies the named applicants, or those that the rule picks; returns the pools that gained members."""
        path = f"/studies/{_part(study)}/pools/{_part(pool)}/qualification"
        return self._post(models.QualifiedPools, path, models.QualifyRequest(raters=raters)).pools

    def pause(self, study: str, pool: str, rater: str, reason: str = "") -> None:
        """Pauses a rater: they get no new tasks, but can finish open ones."""
        self._set_state(study, pool, rater, models.RaterState.PAUSED, reason)

    def exclude(self, study: str, pool: str, rater: str, reason: str = "") -> None:
        """Excludes a rater; open tasks go to other raters."""
        self._set_state(study, pool, rater, models.RaterState.EXCLUDED, reason)

    def resume(self, study: str, pool: str, rater: str, reason: str = "") -> None:
        """Resumes a paused or excluded rater."""
        self._set_state(study, pool, rater, models.RaterState.ACTIVE, reason)

    def forget(self, study: str, rater: str) -> None:
        """Deletes the personal data of a rater, and their answers if the study says so."""
        self._send(
            models.ChangeMade, "DELETE", f"/studies/{_part(study)}/raters/{_part(rater)}/personal-data"
        )

    # Flagged work, generated texts, team

    def flags(self, study: str) -> Iterator[models.FlagListed]:
        """Flagged work, the newest first."""
        for page in self._pages(models.FlagPage, f"/studies/{_part(study)}/flags"):
            yield from page.flags

    def decide(self, study: str, work: int, choice: str, reason: str = "") -> UUID:
        """Decides on submitted work: `fine`, `leave_out` (pay, exclude the data) or `reject`; `undo` takes it back."""
        sent = models.VerdictRequest.model_validate({"choice": choice, "reason": reason})
        return self._post(models.VerdictMade, f"/studies/{_part(study)}/work/{work}/verdict", sent).decision

    def review_queue(self, study: str) -> models.ReviewQueueListed:
        """The review queue: work that waits for a decision, grouped by rater and rule."""
        return self._get(models.ReviewQueueListed, f"/studies/{_part(study)}/review")

    def reviewer_agreement(self, study: str) -> models.ReviewerAgreementFound:
        """How well reviewers agree on second opinions."""
        return self._get(models.ReviewerAgreementFound, f"/studies/{_part(study)}/review/reviewers")

    def discussion(self, study: str) -> list[models.DiscussedItemListed]:
        """Items of the newest batch without a clear label, drawn at random for an expert's look."""
        return self._get(list[models.DiscussedItemListed], f"/studies/{_part(study)}/review/discussion")

    def discuss(self, study: str, item: int, text: str, to: str = "raters", condition: str = "") -> None:
        """Writes a remark on an item to its raters in a condition, or to `all`; the item counts as discussed."""
        sent = models.DiscussRequest.model_validate({"to": to, "condition": condition, "text": text})
        self._post(models.ChangeMade, f"/studies/{_part(study)}/items/{item}/discussion", sent)

    def decide_group(self, study: str, group: int, choice: str, reason: str = "") -> UUID:
        """Decides on all work of a group of the queue: `fine` or `leave_out`."""
        sent = models.GroupVerdictRequest.model_validate({"choice": choice, "reason": reason})
        address = f"/studies/{_part(study)}/review/groups/{group}/verdict"
        return self._post(models.VerdictMade, address, sent).decision

    def undo(self, study: str, decision: UUID) -> None:
        """Takes a verdict back, until the work is paid."""
        self._post(models.ChangeMade, f"/studies/{_part(study)}/review/decisions/{decision}/undo")

    def texts(self, study: str) -> models.TextsStatus:
        """How far the generation of texts is, and what the rest can cost."""
        return self._get(models.TextsStatus, f"/studies/{_part(study)}/texts")

    def agree(self, study: str, seen: models.TextsStatus) -> models.TextsStatus:
        """Agrees to the cost that you saw. The worker then generates the texts."""
        sent = models.AgreeRequest(requests=seen.requests, most_microcents=seen.most_microcents)
        return self._post(models.TextsStatus, f"/studies/{_part(study)}/texts", sent)

    # Money

    def money(self, study: str) -> models.MoneyStatus:
        """What a study costs, its newest payment runs, and payments whose outcome nobody knows."""
        return self._get(models.MoneyStatus, f"/studies/{_part(study)}/money")

    def plan_payments(self, study: str) -> models.PaymentsPlanned:
        """Plans everything that is owed; nothing is planned twice."""
        return self._post(models.PaymentsPlanned, f"/studies/{_part(study)}/payments")

    def run_payments(self, study: str) -> list[models.RunReleased]:
        """Releases everything that waits for nobody and fits the budgets."""
        return self._post(list[models.RunReleased], f"/studies/{_part(study)}/payment-runs")

    def pay_list(self, study: str, run: int, *, with_ids: bool = False) -> list[models.PaymentListed]:
        """The pay list of a run. Its payments count as sent from then on; asked again, it is the same list."""
        sent = models.PayListRequest(with_ids=with_ids)
        return self._post(
            list[models.PaymentListed], f"/studies/{_part(study)}/payment-runs/{run}/list", sent
        )

    def reconcile_payments(
        self,
        study: str,
        confirmations: Iterable[models.PaymentConfirmed] = (),
        *,
        settled: Iterable[models.PaymentConfirmed] = (),
    ) -> models.PaymentsReconciled:
        """Takes confirmations of a pay list over, and what you found out about payments without one."""
        sent = models.ConfirmationsRequest(confirmations=list(confirmations), settled=list(settled))
        return self._post(models.PaymentsReconciled, f"/studies/{_part(study)}/confirmations", sent)

    def publication(self, study: str, pool: str) -> models.PublicationStatus:
        """The newest publication of a pool, and differences with its platform."""
        return self._get(models.PublicationStatus, f"/studies/{_part(study)}/pools/{_part(pool)}/publication")

    def publication_cost(self, study: str, pool: str) -> models.PublicationCost:
        """What publishing a pool would cost, as the platform says; nothing is published."""
        path = f"/studies/{_part(study)}/pools/{_part(pool)}/publication/cost"
        return self._get(models.PublicationCost, path)

    def change_publication(
        self, study: str, pool: str, do: str, total_cents: int | None = None
    ) -> models.PublicationStatus:
        """Starts a publication for the total of its preview, or pauses, resumes or stops it."""
        sent = models.PublicationRequest.model_validate({"do": do, "total_cents": total_cents})
        path = f"/studies/{_part(study)}/pools/{_part(pool)}/publication"
        return self._post(models.PublicationStatus, path, sent)

    def set_budget(
        self,
        study: str,
        limit_cents: int | None,
        *,
        scope: str = "study",
        batch: int | None = None,
        rater: str = "",
    ) -> list[models.BudgetListed]:
        """Sets the budget of the study, of each batch or rater, or of one of them; returns all budgets."""
        sent = models.BudgetRequest.model_validate(
            {"scope": scope, "batch": batch, "rater": rater, "limit_cents": limit_cents}
        )
        return self._send(list[models.BudgetListed], "PUT", f"/studies/{_part(study)}/budgets", sent)

    def give_bonus(self, study: str, rater: str, cents: int, reason: str, bonus: UUID) -> models.BonusPlanned:
        """Plans a bonus for one rater. `bonus` is an id of your own: sent again, it gives nothing twice."""
        sent = models.BonusRequest(id=bonus, cents=cents, reason=reason)
        return self._post(models.BonusPlanned, f"/studies/{_part(study)}/raters/{_part(rater)}/bonuses", sent)

    # Models

    def model_raters(self, study: str) -> list[models.ModelRaterStatus]:
        """The models that rate, how far they are, and what the rest can cost."""
        return self._get(list[models.ModelRaterStatus], f"/studies/{_part(study)}/models")

    def start_model(self, study: str, seen: models.ModelRaterStatus) -> models.ModelRaterStatus:
        """Agrees to the cost that you saw. The worker then has the model rate."""
        sent = models.AgreeRequest(requests=seen.requests, most_microcents=seen.most_microcents)
        address = f"/studies/{_part(study)}/models/{_part(seen.name)}"
        return self._post(models.ModelRaterStatus, address, sent)

    def model_findings(self, study: str, model: str) -> models.ModelFindings:
        """What is known about a model: agreement, stand-in test, scores, biases and versions of its instructions."""
        return self._get(models.ModelFindings, f"/studies/{_part(study)}/models/{_part(model)}/findings")

    def probe_model(
        self,
        study: str,
        model: str,
        kind: str,
        *,
        smallest: float = 0.1,
        seen: models.RunProposed | None = None,
    ) -> models.RunProposed:
        """What a bias probe asks and costs; with the proposal that you saw and agree to, starts it."""
        sent = models.ProbeRequest.model_validate({"kind": kind, "smallest": smallest, "seen": _agreed(seen)})
        return self._post(models.RunProposed, f"/studies/{_part(study)}/models/{_part(model)}/probes", sent)

    def align_model(
        self,
        study: str,
        model: str,
        instructions: str,
        change: str = "",
        *,
        open_held_out: bool = False,
        items: int = 200,
        seen: models.RunProposed | None = None,
    ) -> models.RunProposed:
        """What a version of the instructions asks and costs on development items, or on held-out ones; with the proposal
        that you saw and agree to, starts it.
        """
        sent = models.AlignRequest(
            instructions=instructions,
            change=change,
            open_held_out=open_held_out,
            items=items,
            seen=_agreed(seen),
        )
        return self._post(models.RunProposed, f"/studies/{_part(study)}/models/{_part(model)}/versions", sent)

    def draw_items(
        self, study: str, model: str, question: str, wanted: float, *, seen: models.DrawProposed | None = None
    ) -> models.DrawProposed:
        """How many more items people would have to rate until no interval of a question reaches further than `wanted` to
        each side; with the proposal that you saw and agree to, draws them.
        """
        sent = models.DrawRequest(question=question, wanted=wanted, seen=seen.items if seen else None)
        return self._post(models.DrawProposed, f"/studies/{_part(study)}/models/{_part(model)}/draws", sent)

    def measure_model(self, study: str, model: str) -> None:
        """Has the worker compute the figures of a model again, from all labels that are there."""
        self._send(models.ChangeMade, "POST", f"/studies/{_part(study)}/models/{_part(model)}/findings")

    # Teams and texts

    def review_link(self, study: str, reviewer: str) -> str:
        """The link at which a person reviews generated texts."""
        sent = models.ReviewLinkRequest(reviewer=reviewer)
        return self._post(models.LinkAddress, f"/studies/{_part(study)}/review-links", sent).address

    def team(self, study: str) -> list[models.TeamMember]:
        """The people in the team of a study."""
        return self._get(list[models.TeamMember], f"/studies/{_part(study)}/team")

    def invite_teammate(self, study: str, email: str, role: str) -> str:
        """Invites a person into the team as `editor`, `reviewer` or `viewer`; returns the link of the invitation."""
        sent = models.TeamInviteRequest.model_validate({"email": email, "role": role})
        return self._post(models.LinkAddress, f"/studies/{_part(study)}/team", sent).address

    def remove_teammate(self, study: str, email: str) -> None:
        """Takes a person out of the team."""
        self._send(models.ChangeMade, "DELETE", f"/studies/{_part(study)}/team/{_part(email)}")

    def transfer(self, study: str, email: str) -> None:
        """Makes somebody in the team the owner of a study; you become an editor."""
        self._post(
            models.ChangeMade, f"/studies/{_part(study)}/transfer", models.TransferRequest(email=email)
        )

    def log(self, study: str, before: int | None = None) -> list[models.LogLine]:
        """The newest 200 lines of the audit log, or the newest before a line."""
        given = {} if before is None else {"before": before}
        return self._get(list[models.LogLine], f"/studies/{_part(study)}/log", **given)

    # How calls are made

    def _change_study(self, study: str, verb: StudyVerb) -> None:
        sent = models.StudyStateRequest(verb=verb)
        self._send(models.ChangeMade, "PUT", f"/studies/{_part(study)}/state", sent)

    def _set_state(self, study: str, pool: str, rater: str, state: models.RaterState, reason: str) -> None:
        path = f"/studies/{_part(study)}/pools/{_part(pool)}/raters/{_part(rater)}/state"
        self._send(models.ChangeMade, "PUT", path, models.StateRequest(state=state, reason=reason))

    def _pages(self, kind: type[PageType], path: str, **query: Any) -> Iterator[PageType]:
        page = self._get(kind, path, **query)
        yield page
        while page.next is not None:
            page = self._get(kind, path, **query, after=page.next)
            yield page

    def _get(self, kind: type[T], path: str, **query: Any) -> T:
        for _ in range(TRIES - 1):
            try:
                return self._send(kind, "GET", path, query=query)
            except CallFailed as error:
                if error.status != BUSY:
                    raise
                time.sleep(1)
        return self._send(kind, "GET", path, query=query)

    def _post(self, kind: type[T], path: str, sent: BaseModel | None = None) -> T:
        return self._send(kind, "POST", path, sent)

    def _send(
        self,
        kind: type[T],
        method: str,
        path: str,
        sent: BaseModel | None = None,
        query: dict[str, Any] | None = None,
    ) -> T:
        """The answer of a call, as `kind`; raises CallFailed or NoAnswer."""
        body = None if sent is None else sent.model_dump(mode="json")
        try:
            answer = self._http.request(method, path, json=body, params=query)
        except httpx.TransportError as error:
            raise NoAnswer(
                f"{self._http.base_url.host} did not answer: {type(error).__name__}.",
                do="Check the address and your network.",
            ) from error
        if answer.status_code != httpx.codes.OK:
            raise _failure(answer)
        return TypeAdapter(kind).validate_json(answer.content)


def _failure(answer: httpx.Response) -> CallFailed:
    try:
        problem = models.CallProblem.model_validate_json(answer.content)
    except ValueError:
        return CallFailed(answer.status_code, "unknown", f"the server answered with {answer.status_code}.")
    return CallFailed(answer.status_code, problem.code, problem.message)


def _part(text: str) -> str:
    """A part of an address.

    >>> _part("a/b")
    'a%2Fb'
    """
    return quote(text, safe="")


def _agreed(seen: models.RunProposed | None) -> models.AgreeRequest | None:
    return models.AgreeRequest(requests=seen.requests, most_microcents=seen.most_microcents) if seen else None


def _material(file: Path) -> dict[str, Any]:
    """The text of a study file, and the dialogues of its corpus that the study uses."""
    study, text = read_study(file)
    dialogues, _ = read_corpus(file, study, text)
    drawn = draw(dialogues, study.corpus, study.seed).dialogues
    return {"text": text, "dialogues": [_sent(dialogue) for dialogue in drawn], "drawn": True}


def _sent(dialogue: Dialogue) -> models.SentDialogue:
    return models.SentDialogue.model_validate(
        {"key": dialogue.key, "turns": turn_records(dialogue.turns), "meta": dialogue.meta}
    )
