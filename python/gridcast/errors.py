"""What the library says when a call fails, as exceptions."""


class GridcastError(Exception):
    """A call failed.

    message  what is wrong
    file     the file it is about, or ""
    path     the place in it, such as "/ops/3/grid", or ""
    line     its line and ...
    column   ... column; 0 where they are not known
    hint     what the caller can give so that the call works, or ""
    """

    def __init__(self, status, message, file="", path="", line=0, column=0, hint=""):
        super().__init__(message)
        self.status, self.message, self.file, self.path = status, message, file, path
        self.line, self.column, self.hint = line, column, hint

    def __str__(self):
        place = "%s:%d:%d" % (self.file, self.line, self.column) if self.line else self.file
        return "%s%s%s" % (place and place + ": ", self.message, self.path and " (%s)" % self.path)


class UsageError(GridcastError, ValueError):
    """An argument or an option is wrong."""


class InputError(GridcastError, ValueError):
    """An input is wrong: a workload, a GPU, a file."""


class ResourceError(GridcastError):
    """No memory, or something cannot be read or written."""


class DeviceError(GridcastError):
    """No usable GPU, or a CUDA error."""


class InternalError(GridcastError):
    """An internal check failed: an error in gridcast."""


_BY_STATUS = {2: UsageError, 3: InputError, 4: ResourceError, 5: DeviceError, 70: InternalError}


def error_of(status, err, hint):
    """The exception for a status, the gcast_error that came with it, and the text of its hint."""
    text = [bytes(t).decode("utf-8", "replace") for t in (err.message, err.file, err.path)]
    return _BY_STATUS.get(status, GridcastError)(status, *text, err.line, err.column, hint)
