"""Makes the files of the package that are not committed, whenever a wheel, an sdist or an editable install is built.

Without them, pages would have no charts and no translations, so a build that cannot make them fails.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class NotCommittedFiles(BuildHookInterface):  # type: ignore[type-arg]
    """The scripts that draw charts, and the compiled translations."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Makes the files that are missing; aborts the build with the reason if that fails."""
        sys.path.insert(0, str(Path(self.root)))
        from scripts.charts import NoCharts, make_charts  # noqa: PLC0415  found through the path above
        from scripts.messages import compile_all  # noqa: PLC0415

        try:
            make_charts()
        except NoCharts as error:
            self.app.abort(str(error))
        compile_all()
