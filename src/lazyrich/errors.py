"""The exceptions of the library, each in three parts: what was given, what is needed, what to do."""


class BadInput(ValueError):
    """A value, shape, name or combination that cannot be worked with, refused before any work.

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
        return _rebuild, (self.needed, self.given, self.cure)


def _rebuild(needed: str, given: str, cure: str) -> BadInput:
    return BadInput(needed=needed, given=given, cure=cure)
