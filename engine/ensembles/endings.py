"""Why an ensemble has fewer members than were asked for."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.ensembles.members import Member


class EndReason(StrEnum):
    """Why no more members follow."""

    NO_MISTAKES = "no_mistakes"
    NO_BETTER_THAN_GUESSING = "no_better_than_guessing"
    STOPPED = "stopped"


@dataclass(frozen=True, eq=False)
class Ending:
    """Why no more members follow; `rejected` is the member that was no better than guessing."""

    reason: EndReason
    rejected: Member | None = None

    def sentence(self, n_members: int, n_wanted: int) -> str:
        """The reason for a person."""
        kept = f"{n_members} of {n_wanted} members"
        if self.reason is EndReason.NO_MISTAKES:
            return f"Member {n_members} makes no mistake, so it is the last: {kept}."
        if self.rejected is None or self.rejected.error is None:
            return f"Stopped: {kept}."
        n_classes = self.rejected.base.table.n_classes
        rest = kept if n_members else "there is no member, and the most frequent class is predicted"
        return (
            f"Member {n_members + 1} would have an error of {self.rejected.error:.3f}, no better than guessing among "
            f"{n_classes} classes ({1 - 1 / n_classes:.3f}): {rest}."
        )
