"""People on Prolific: groups of those who qualified, and messages.

A group is found by our name of it, and adding a member twice changes nothing. A message cannot be read back: it is sent
once, and if nobody knows whether it arrived, a person decides.
"""

from __future__ import annotations

from collections.abc import Mapping

from labelwright.crowd.ledger import CallState
from labelwright.crowd.platform import CallAnswer, OutgoingCall, PlatformSilent
from labelwright.outside.platforms.prolific.http import ProlificHttp


class ProlificParticipants:
    """The part of the API that is about participants."""

    def __init__(self, http: ProlificHttp, settings: Mapping[str, str]) -> None:
        self._http = http
        self._workspace = settings.get("LABELWRIGHT_PROLIFIC_WORKSPACE", "")

    def send(self, call: OutgoingCall) -> CallAnswer:
        """Looks first where that is possible."""
        if call.kind == "message":
            return self._write(call)
        seen = self.find(call)
        if seen.state != CallState.PLANNED:
            return CallAnswer(CallState.PLANNED, seen.said) if seen.state == CallState.UNKNOWN else seen
        if call.kind == "group":
            if not self._workspace:
                said = "the server does not know the workspace: set LABELWRIGHT_PROLIFIC_WORKSPACE"
                return CallAnswer(CallState.REFUSED, said)
            told = {"workspace_id": self._workspace, "name": call.request["name"]}
            return self._http.change("POST", "participant-groups/", told)
        path = f"participant-groups/{call.request['group']}/participants/"
        return self._http.change("POST", path, {"participant_ids": [_person(call)]})

    def find(self, call: OutgoingCall) -> CallAnswer:
        """What became of a call."""
        if call.kind == "message":
            return CallAnswer(CallState.UNKNOWN, "Prolific does not list messages")
        if call.kind == "grant" and not _person(call):
            return CallAnswer(CallState.REFUSED, "this rater did not come from Prolific")
        try:
            return self._find_group(call) if call.kind == "group" else self._find_member(call)
        except PlatformSilent as silent:
            return CallAnswer(CallState.UNKNOWN, str(silent))

    def _find_group(self, call: OutgoingCall) -> CallAnswer:
        for group in self._http.listed("participant-groups/", workspace_id=self._workspace):
            if group.get("name") == call.request["name"]:
                return CallAnswer(CallState.CONFIRMED, "the group is there", {"id": group["id"]})
        return CallAnswer(CallState.PLANNED, "there is no such group")

    def _find_member(self, call: OutgoingCall) -> CallAnswer:
        members = self._http.listed(f"participant-groups/{call.request['group']}/participants/")
        if any(each.get("participant_id") == _person(call) for each in members):
            return CallAnswer(CallState.CONFIRMED, "they are in the group")
        return CallAnswer(CallState.PLANNED, "they are not in the group")

    def _write(self, call: OutgoingCall) -> CallAnswer:
        person, body = _person(call), call.request.get("body")
        if not person or not body:
            return CallAnswer(CallState.REFUSED, "the person or the text is not there any more")
        told = {"recipient_id": person, "body": body, "study_id": call.request["study"]}
        return self._http.change("POST", "messages/", told)


def _person(call: OutgoingCall) -> str:
    return call.ids.get(call.request["raters"][0], "")
