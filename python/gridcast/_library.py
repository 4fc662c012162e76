"""Finds libgridcast, checks its version, and calls it."""
import ctypes
import ctypes.util
import glob
import os
import re

from . import _layout
from .errors import error_of

_PLAIN = {"void": None, "bool": ctypes.c_bool, "int": ctypes.c_int, "unsigned": ctypes.c_uint,
          "size_t": ctypes.c_size_t, "int64_t": ctypes.c_int64, "uint64_t": ctypes.c_uint64,
          "gcast_write_fn": _layout.WRITE}

_INTEGERS = (ctypes.c_int, ctypes.c_uint, ctypes.c_size_t, ctypes.c_int64, ctypes.c_uint64)


def _fitting(kind):
    """A parameter of an integer type that refuses what does not fit."""
    class Fitting:
        @staticmethod
        def from_param(value):
            if isinstance(value, int) and kind(value).value != value:
                raise ValueError("%d is too large" % value)
            return kind.from_param(value)
    return Fitting


def _type(words):
    """The ctypes type of a C type such as `const gcast_gpu *`; enumerations are int."""
    stars = words.count("*")
    name = words.replace("*", " ").replace("const", " ").strip()
    if name == "char":
        return ctypes.c_char_p if stars == 1 else ctypes.POINTER(ctypes.c_void_p)
    if name == "void":
        return ctypes.c_void_p if stars else None
    kind = _layout.STRUCTS.get(name) or _PLAIN.get(name, ctypes.c_int)
    for _ in range(stars):
        kind = ctypes.POINTER(kind)
    return kind


def _declare(library):
    for line in _layout.DECLARATIONS.strip().splitlines():
        match = re.fullmatch(r"(.*?)(gcast_\w+)\((.*)\);", line)
        if not match:
            continue
        result, name, parameters = match.groups()
        function = getattr(library, name)
        function.restype = _type(result)
        kinds = [] if parameters == "void" else [_type(re.sub(r"\w+$", "", p.strip())) for p in parameters.split(",")]
        function.argtypes = [_fitting(k) if k in _INTEGERS else k for k in kinds]


def _places():
    """Where the library may be, in the order in which it is looked for."""
    if "GRIDCAST_LIBRARY" in os.environ:
        return [os.environ["GRIDCAST_LIBRARY"]]
    soname = "libgridcast.so.%d" % (_layout.VERSION // 10000)
    here = os.path.dirname(os.path.abspath(__file__))
    own = os.path.join(here, soname)  # of a wheel
    source = os.path.join(here, "..", "..", "build", soname)  # python/gridcast of the source tree
    prefix = os.path.join(here, "..", "..", "..", "..")  # PREFIX/share/gridcast/python/gridcast
    installed = [os.path.join(prefix, "lib", soname), os.path.join(prefix, "lib64", soname)]
    installed += sorted(glob.glob(os.path.join(prefix, "lib", "*", soname)))
    return [p for p in [own, source] + installed if os.path.exists(p)] + [soname]


def _open():
    """The first library that can be loaded, and where it is: one for another architecture may lie beside it."""
    reasons = []
    for place in _places():
        try:
            return ctypes.CDLL(place), place
        except OSError as reason:
            reasons.append(str(reason))
    raise ImportError("libgridcast cannot be loaded (%s): GRIDCAST_LIBRARY may name it" % "; ".join(reasons))


def _load():
    library, place = _open()
    if not hasattr(library, "gcast_version_check"):
        raise ImportError("%s is no libgridcast, or too old a one" % place)
    _declare(library)
    err = _layout.gcast_error()
    if library.gcast_version_check(_layout.VERSION, ctypes.byref(err)):
        raise ImportError("%s: %s" % (place, err.message.decode()))
    return library


native = _load()


def call(function, *arguments):
    """Calls a function that returns a status and takes a gcast_error last; raises what went wrong."""
    err = _layout.gcast_error()
    status = function(*arguments, ctypes.byref(err))
    if status:
        raise error_of(status, err, native.gcast_text(_layout.CONSTANTS["GCAST_NAMES_HINT"], err.hint).decode() if err.hint else "")


def made(function, kind, *arguments):
    """Calls a function that gives a struct of the kind before the error, and returns the pointer to it."""
    out = ctypes.POINTER(kind)()
    call(function, *arguments, ctypes.byref(out))
    return out


def options(kind, **given):
    """Options with the defaults of the library and what is given."""
    o = kind()
    o.size = ctypes.sizeof(kind)
    for name, value in {**_layout.DEFAULTS[kind.__name__], **given}.items():
        if name not in dict(kind._fields_) or name in ("size", "progress_data"):
            raise TypeError("there is no option %s" % name)
        setattr(o, name, value)
    return o


def written(function, handle):
    """The text that a function writes for a struct."""
    data, size = ctypes.c_void_p(), ctypes.c_size_t()
    call(function, handle, ctypes.byref(data), ctypes.byref(size))
    try:
        return ctypes.string_at(data, size.value).decode()
    finally:
        native.gcast_memory_free(data)
