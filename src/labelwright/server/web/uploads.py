"""Rejects file uploads: files are skipped, and forms have the same size limit as any other body."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler, SkipFile


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
