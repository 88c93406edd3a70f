"""Accounts of requesters: signing up is closed, failed logins are counted, and second factors are encrypted."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from http import HTTPStatus
from smtplib import SMTPException
from typing import Any, ClassVar

from allauth.account import views as library_views
from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from labelwright.errors import LabelwrightError
from labelwright.server.access.actions import second_factor, sessions
from labelwright.server.access.actions.profile import change_profile
from labelwright.server.store.models import User
from labelwright.server.web.desk.status import Done, put_status
from labelwright.server.web.desk.times import zone_names
from labelwright.server.web.forms import form_page, run_form
from labelwright.server.web.requests import user_of

log = logging.getLogger(__name__)

MESSAGES = {
    "account/messages/password_changed.txt": "Your password is changed.",
    "mfa/messages/totp_activated.txt": "The second factor is on. Store your recovery codes now.",
    "mfa/messages/totp_deactivated.txt": "The second factor is off.",
    "mfa/messages/recovery_codes_generated.txt": "You have new recovery codes. The old ones no longer work.",
}
"""What the account library has done, in our words; its other messages are not shown."""


class MailNotSent(LabelwrightError):
    """A mail server that does not take a mail."""

    code: ClassVar[str] = "mail_not_sent"
    status: ClassVar[HTTPStatus] = HTTPStatus.SERVICE_UNAVAILABLE

    def __init__(self) -> None:
        super().__init__(
            "the mail could not be sent.",
            do="Try again in some minutes, or ask an administrator for `labelwright user password EMAIL`.",
        )


class ClosedAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Requesters are let in by `labelwright user add`."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Never."""
        return False

    def login(self, request: HttpRequest, user: User) -> None:
        """Logs a user in, and notes with which browser."""
        super().login(request, user)
        sessions.mark_login(request.session, request.headers.get("User-Agent", ""), datetime.now(UTC))

    def add_message(
        self, request: HttpRequest, level: int, message_template: str | None = None, *rest: Any, **more: Any
    ) -> None:
        """Puts a message of the account library into the status line."""
        if text := MESSAGES.get(message_template or ""):
            put_status(request, Done(text))

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Sends a mail; raises MailNotSent."""
        try:
            super().send_mail(template_prefix, email, context)
        except (OSError, SMTPException) as error:
            log.warning("mail not sent: %s", type(error).__name__)
            raise MailNotSent from error


class SealedSecondFactor(DefaultMFAAdapter):  # type: ignore[misc]
    """Secrets and recovery codes are stored encrypted."""

    def encrypt(self, text: str) -> str:
        """The text as it is stored."""
        return second_factor.seal_secret(text)

    def decrypt(self, encrypted_text: str) -> str:
        """The stored text, readable; raises UnreadableSecret."""
        return second_factor.unseal_secret(encrypted_text)


class _LimitedCode:
    """A form for a code of the second factor, with a limit that all server processes share."""

    user: Any

    def clean_code(self) -> str:
        """The code, if it is right; raises TooManyCodes before it looks at it."""
        second_factor.count_attempt(self.user.pk, datetime.now(UTC))
        code: str = super().clean_code()  # type: ignore[misc]
        second_factor.clear_attempts(self.user.pk)
        return code


class LimitedAuthenticateForm(_LimitedCode, AuthenticateForm):  # type: ignore[misc]
    """The code after the password."""


class LimitedReauthenticateForm(_LimitedCode, ReauthenticateForm):  # type: ignore[misc]
    """The code before a change of the account."""


def login_name(request: HttpRequest, credentials: dict[str, Any] | None) -> str:
    """Who somebody tries to be; without it, one forgetful user would lock out everybody at the same address."""
    given = credentials or {}
    return str(given.get("email") or given.get("username") or request.POST.get("login", "")).lower()


def closed(request: HttpRequest, page: str) -> HttpResponse:
    """A page of the account library that we do not offer."""
    raise Http404


def password_reset(request: HttpRequest) -> HttpResponse:
    """Sends a link for a new password; where no mail is sent, says whom to ask."""
    if settings.MAIL_IS_SENT:
        response: HttpResponse = library_views.password_reset(request)
        return response
    return render(request, "access/no_mail.html")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def account(request: HttpRequest) -> HttpResponse:
    """The user's own account: profile, password, second factor and sessions."""
    user, form, key = user_of(request), request.POST, request.session.session_key

    def do_profile() -> Done:
        change_profile(user, form.get("name", ""), form.get("time_zone", ""))
        return Done("Your profile is saved.")

    def do_end() -> Done:
        ended = sessions.end_session(user, form.get("session", ""))
        return Done("The session is ended." if ended else "That session had already ended.")

    def do_end_others() -> Done:
        n = sessions.end_sessions(user, kept=key)
        return Done(f"{n} other session{'' if n == 1 else 's'} ended.")

    error, done = run_form(request, {"profile": do_profile, "end": do_end, "end-others": do_end_others})
    if done:
        return done
    context = {
        "title": "Account · Labelwright",
        "sessions": sessions.get_sessions(user, key, datetime.now(UTC)),
        "second_factor": is_mfa_enabled(user),
        "zones": sorted(zone_names()),
    }
    return form_page(request, "access/account.html", context, error)
