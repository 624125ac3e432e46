"""What can be wrong with an input: every error says what was got, what is allowed and how to mend it."""


class EngineError(ValueError):
    """Base of every error that bad input can raise; its text is one sentence for a person."""


class TableError(EngineError):
    """A file or a frame that cannot become a table."""


class SettingsError(EngineError):
    """A setting, or a pair of settings, that makes no sense for this table."""


class QueryError(EngineError):
    """Rows to predict that do not fit the table which the tree was grown from."""


class TreeError(EngineError):
    """A tree in a file, or entered by hand, that makes no sense."""
