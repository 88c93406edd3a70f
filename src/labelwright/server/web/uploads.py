"""Sizes of bodies: files are skipped, forms have the limit of any other body, and only a corpus may be larger."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler, SkipFile
from django.http import HttpRequest


def read_corpus_body(request: HttpRequest) -> None:
    """Reads the body of a call that carries a corpus, whose limit is higher; raises RequestDataTooBig.

    For requests whose user is known. Django would refuse the body by the limit of forms.
    """
    if request.path_info not in settings.CORPUS_ROUTES:
        return
    if int(request.META.get("CONTENT_LENGTH") or 0) > settings.LARGEST_CORPUS_BODY:
        raise RequestDataTooBig("The corpus is too large.")
    request._body = request.read()


class NoFiles(FileUploadHandler):
    """Skips every file; Django would write files of any size to disk before a view runs."""

    def handle_raw_input(
        self, input_data: Any, meta: Any, content_length: int, boundary: Any, encoding: Any = None
    ) -> None:
        """Rejects a form that is too large before it is read."""
        if content_length > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise RequestDataTooBig("The form is too large.")

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        """Skips a file."""
        raise SkipFile

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        """Never called, because every file is skipped."""

    def file_complete(self, file_size: int) -> None:
        """Never called, because every file is skipped."""
