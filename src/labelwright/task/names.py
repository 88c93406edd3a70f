"""Names of questions and their parts, as they appear in stored answers and on the page."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
