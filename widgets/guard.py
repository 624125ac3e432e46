"""EngineError -> one sentence on the page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from engine import EngineError
from widgets.escape import plain


@contextmanager
def guarded(*, stop: bool = False) -> Iterator[None]:
    """Show what is wrong with an input as a sentence, never as a traceback.

    Parameters
    ----------
    stop : bool
        Whether the page ends here after an error; otherwise it goes on below the block.
    """
    try:
        yield
    except EngineError as error:
        complain(error)
        if stop:
            st.stop()


def complain(error: EngineError) -> None:
    """Show the sentence of an error; what it quotes from the data is escaped."""
    st.error(plain(sentence(error)))


def sentence(error: EngineError) -> str:
    """The error's text, begun like a sentence.

    >>> sentence(EngineError("the table has no rows."))
    'The table has no rows.'
    """
    text = str(error)
    return text[:1].upper() + text[1:]
