"""Makes the studies and prints what the rules find: `python -m scripts.rule_evidence lets-go`, or `crowds`, or `curve`.

Without a name, it measures everything, stores the figures and makes the page docs/explanation/quality-rules.md from
them; this takes some minutes.
"""

from __future__ import annotations

import json
import sys

from scripts.rule_evidence import crowds, lets_go, page

PARTS = {"crowds": crowds.measure, "curve": crowds.measure_curve}


def main(wanted: str) -> None:
    """Prints one part, or stores everything."""
    if wanted == "lets-go":
        print("\n".join(lets_go.measure()["table"]))
    elif wanted in PARTS:
        print(json.dumps(PARTS[wanted](), indent=1))
    else:
        page.write({name: measure() for name, measure in PARTS.items()} | {"lets_go": lets_go.measure()})


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")
