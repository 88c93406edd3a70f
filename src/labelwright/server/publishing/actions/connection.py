"""Connections to platforms on which studies are published. Whoever opens one holds no transaction meanwhile."""

from __future__ import annotations

import os
from contextlib import closing
from typing import cast

from labelwright.crowd.platform import PLATFORMS
from labelwright.crowd.publication import CostPreview, PublicationReading, PublishingConnection
from labelwright.server.publishing.actions.orders import Preview, check_settings


def get_cost(preview: Preview) -> CostPreview:
    """What the platform says that a publication would cost; changes nothing there. Raises PlatformSilent."""
    check_settings(preview.platform)
    with closing(_connect(preview.platform)) as to:
        return to.preview_cost(preview.order)


def get_reading(platform: str, external: str) -> PublicationReading:
    """What the platform says of a publication. Raises PlatformSilent."""
    with closing(_connect(platform)) as to:
        return to.read(external)


def _connect(platform: str) -> PublishingConnection:
    return cast("PublishingConnection", PLATFORMS[platform].connect(os.environ))
