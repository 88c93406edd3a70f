"""Requesters' pages without a server process: Django's own client, logged in as one of the users."""

from __future__ import annotations

from typing import Any

PASSWORD = "a long password of a test"
PARTS = {"study-review-next", "study-review-group"}
"""What is loaded into a page, or is there only while something is undecided."""
FILES = {
    *("study-export", "study-export-file", "study-completed-batches", "editor-file", "editor-corpus"),
    *(
        "study-report-file",
        "study-report-page",
        "study-payments",
        "study-release-file",
        "study-reconciliation",
    ),
}
"""Downloads, and the report itself, which are no pages of the desk."""


def client_of(email: str | None = None) -> Any:
    """A browser of this user; of a stranger if there is none."""
    from django.test import Client

    from labelwright.server.store.models import User

    client = Client(SERVER_NAME="127.0.0.1")
    if email:
        user = User.objects.get(username=email)
        client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    return client


def anyones_reviewer() -> str:
    """The name of a user who may review every study."""
    from labelwright.server.access.actions.users import add_user
    from labelwright.server.store.models import User

    name = "reviewer-of-all@example.org"
    if not User.objects.filter(username=name).exists():
        add_user(name)
        User.objects.filter(username=name).update(is_superuser=True)
    return name


def get(client: Any, address: str) -> str:
    """The text of a page."""
    return str(client.get(address).content.decode())


def post(client: Any, address: str, **form: Any) -> Any:
    """The response to a form."""
    return client.post(address, form)


def study_pages(study: Any) -> dict[str, str]:
    """The address of every page of a study, by the name of its route."""
    from django.urls import reverse

    from labelwright.server.store.models import ItemRow, Rater
    from tests.routes import routes

    known = {
        "public_id": study.public_id,
        "pseudonym": Rater.objects.filter(study=study).order_by("id")[0].pseudonym,
        "item_id": ItemRow.objects.filter(study=study).order_by("id")[0].pk,
        "pool": "own",
        "number": 0,
        "name": "start",
        "place": 0,
    }
    return {
        route.name or "": reverse(
            route.name or "", kwargs={key: known[key] for key in route.pattern.converters}
        )
        for route in routes()
        if "public_id" in str(route.pattern) and route.name not in FILES | PARTS
    }
