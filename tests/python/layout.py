"""Compares python/gridcast/_layout.py with the headers: sizes and offsets of all fields, defaults, enumerators, the
version, and, by declaring them again, all functions.
  layout.py INCLUDE_DIR         with CC, or cc
"""
import ctypes
import os
import shlex
import subprocess
import sys
import tempfile

from gridcast import _layout


def program():
    """A C program that prints what the headers say, a line each, and what _layout.py says of the same."""
    lines, expected = [], []

    def show(what, expression, value):
        lines.append('    printf("%%s %%lld\\n", "%s", (long long)(%s));' % (what, expression))
        expected.append("%s %d" % (what, value if value < 1 << 63 else value - (1 << 64)))  # as long long

    for name, kind in _layout.STRUCTS.items():
        show("sizeof " + name, "sizeof(%s)" % name, ctypes.sizeof(kind))
        for field, _ in kind._fields_:
            place = getattr(kind, field)
            show("offset of %s.%s" % (name, field), "offsetof(%s, %s)" % (name, field), place.offset)
            show("size of %s.%s" % (name, field), "sizeof(((%s *)0)->%s)" % (name, field), place.size)
    for name, defaults in _layout.DEFAULTS.items():
        for field, kind in _layout.STRUCTS[name]._fields_:
            if field != "size":
                value = "%s_default().%s" % (name, field)
                is_pointer = not isinstance(kind(), (int, ctypes._SimpleCData)) or kind is ctypes.c_void_p
                show("default " + name + "." + field, value + " != 0" if is_pointer else value, defaults.get(field, 0))
    for prefix, names in _layout.ENUMS.items():
        for value, name in enumerate(names):
            show(prefix + name.upper(), prefix + name.upper(), value)
    for name, value in _layout.CONSTANTS.items():
        show(name, name, value)
    show("version", "GCAST_VERSION_NUMBER", _layout.VERSION)
    text = "#include <stddef.h>\n#include <stdio.h>\n#include <gridcast/gridcast.h>\n%s\nint main(void)\n{\n%s\n}\n"
    return text % (_layout.DECLARATIONS, "\n".join(lines)), expected


def main(include):
    text, expected = program()
    with tempfile.TemporaryDirectory() as folder:
        source, binary = os.path.join(folder, "layout.c"), os.path.join(folder, "layout")
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        compiler = shlex.split(os.environ.get("CC", "cc"))
        subprocess.run(compiler + ["-std=c17", "-Werror", "-I", include, source, "-o", binary], check=True)
        said = subprocess.run([binary], check=True, capture_output=True, text=True).stdout.splitlines()
    wrong = [(s, e) for s, e in zip(said, expected) if s != e]
    for header, package in wrong:
        print("the headers say %s, the package %s" % (header, package.rsplit(" ", 1)[1]))
    print("%d figures compared, %d differ" % (len(expected), len(wrong)))
    return 1 if wrong or len(said) != len(expected) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
