"""Text from the data, made safe for places that read markdown."""

from __future__ import annotations

import re

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_SPECIAL = re.compile(r"[\\`*\[\]<>$~&|]|(?<!\w)_|_(?!\w)|^(?=[#+\-=])|^(\s*\d+)(?=[.)])")
_COLON = re.compile(r":(?=\S)|(?<=www)(?=\.)")


def plain(text: object) -> str:
    r"""`text` so that markdown, LaTeX, links and Streamlit's own codes show it letter by letter.

    An invisible word joiner after a colon keeps `:red[…]`, `:smile:` and `https://…` from meaning
    anything: those are looked for after backslashes are gone.

    >>> plain("*a* $b$ min_gain <b>")
    '\\*a\\* \\$b\\$ min_gain \\<b\\>'
    >>> plain("a\nb"), plain("1. a"), plain("# a")
    ('a b', '1\\. a', '\\# a')
    >>> plain(":smile:")
    ':\u2060smile:'
    """
    line = _SPECIAL.sub(lambda found: _escaped(found.group()), _CONTROL.sub(" ", str(text)))
    return _COLON.sub(lambda found: found.group() + "\u2060", line)


def _escaped(found: str) -> str:
    return f"{found}\\" if found.strip().isdigit() else f"\\{found}"
