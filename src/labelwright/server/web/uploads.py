"""No page takes a file: what is sent as one is passed over, and a form has the limit of any other body."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler, SkipFile


class NoFiles(FileUploadHandler):
    """Django does not count files against its limit, and would fill the disk with them before a view is asked."""

    def handle_raw_input(
        self, input_data: Any, meta: Any, content_length: int, boundary: Any, encoding: Any = None
    ) -> None:
        """Refuses a form that is too large before it is read."""
        if content_length > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise RequestDataTooBig("That is more than a form takes.")

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        """Passes a file over."""
        raise SkipFile

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        """Never called: no file is begun."""

    def file_complete(self, file_size: int) -> None:
        """Nor is one ended."""
