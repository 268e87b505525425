"""The exceptions of the library, each in three parts: what was given, what is needed, what to do."""


class ThreeParts(Exception):
    """A message made of what is needed, what was met instead, and what to do.

    `needed` and `given` complete the sentence "needed; got given."; `cure` says what to do.
    """

    def __init__(self, *, needed: str, given: str, cure: str):
        """Keep the three parts and join them to one message."""
        super().__init__(f"{needed}; got {given}. {cure}")
        self.needed = needed
        self.given = given
        self.cure = cure

    def __reduce__(self):
        """Travel between processes with the three parts."""
        return _rebuild, (type(self), self.needed, self.given, self.cure)


class BadInput(ThreeParts, ValueError):
    """A value, shape, name or combination that cannot be worked with, refused before any work."""


class StoreFault(ThreeParts, RuntimeError):
    """The machine or the store failed: a full disk, a damaged run, a catalogue that cannot be read."""


def _rebuild(kind: type[ThreeParts], needed: str, given: str, cure: str) -> ThreeParts:
    return kind(needed=needed, given=given, cure=cure)
