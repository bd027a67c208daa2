"""Write every stub under levels/ anew from solutions/, or with --check say which are stale and exit 1.

This overwrites what you solved in levels/; name exercises to touch only those.
"""

import sys
from pathlib import Path

from grader.discover import select
from grader.stubs import stale

ROOT = Path(__file__).resolve().parent.parent


def main(arguments: list[str]) -> int:
    targets = [argument for argument in arguments if argument != "--check"] or ["all"]
    found = stale(ROOT, select(ROOT, targets))
    for path, text in found:
        print(f"{'stale' if '--check' in arguments else 'written'}: {path.relative_to(ROOT)}")
        if "--check" not in arguments:
            path.write_text(text, encoding="utf-8")
    return int("--check" in arguments and bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
