"""Compares the structs and enums in two descriptions of the library that abidw wrote: where one may grow (docs/embedding.md,
"Versions"), abidiff does not look at the rest of it, nor at what can be reached through it only.
  abi_types.py THEN NOW STRUCTS COUNTS   STRUCTS that may grow, separated by |, without gcast_; COUNTS that may, by commas
"""
import sys
import xml.etree.ElementTree as tree


class Description:
    def __init__(self, path):
        root = tree.parse(path).getroot()
        self.by_id = {e.get("id"): e for e in root.iter() if e.get("id")}
        structs = [e for e in root.iter("class-decl") if not e.get("is-declaration-only")]
        self.structs = {e.get("name"): e for e in structs if e.get("name").startswith("gcast_")}
        self.enums = {e.get("name"): e for e in root.iter("enum-decl")}

    def spelled(self, number):
        """A type in words: what it points to is named, and not looked into."""
        e = self.by_id[number]
        if e.tag in ("type-decl", "class-decl", "union-decl", "enum-decl", "typedef-decl"):
            name, size = e.get("name"), e.get("size-in-bits", "")
            return name if e.tag == "typedef-decl" or name.startswith("gcast_") else "%s %s" % (name, size)
        marks = [e.get(mark, "") for mark in ("const", "volatile", "restrict")]
        lengths = [r.get("length") for r in e.iter("subrange")]
        inner = [self.spelled(c.get("type-id")) for c in e if c.get("type-id") and c.tag in ("parameter", "return")]
        if e.get("type-id"):
            inner.append(self.spelled(e.get("type-id")))
        return " ".join([e.tag] + marks + lengths + inner)

    def fields(self, struct):
        """In their order: name, offset, type."""
        for member in struct.iter("data-member"):
            variable = member.find("var-decl")
            yield variable.get("name"), member.get("layout-offset-in-bits"), self.spelled(variable.get("type-id"))


def differences(then, now, growing, counts):
    for name, old in then.structs.items():
        new = now.structs.get(name)
        if new is None:
            yield "struct %s is gone" % name
            continue
        before, after = list(then.fields(old)), list(now.fields(new))
        for field, kept in zip(before, after):
            if field != kept:
                yield "struct %s: %s is now %s" % (name, field, kept)
                break
        if len(after) < len(before):
            yield "struct %s: %s is gone" % (name, before[len(after)][0])
        if name not in growing and (len(after) > len(before) or old.get("size-in-bits") != new.get("size-in-bits")):
            yield "struct %s has another size, or more fields" % name
    for name, old in then.enums.items():
        values = {e.get("name"): e.get("value") for e in now.enums[name].iter("enumerator")} if name in now.enums else {}
        for e in old.iter("enumerator"):
            word, value = e.get("name"), values.get(e.get("name"))
            if value != e.get("value") and (word not in counts or value is None):
                yield "enum %s: %s was %s, is %s" % (name, word, e.get("value"), value)


def main(then, now, structs, counts):
    then, now = Description(then), Description(now)
    growing = {"gcast_" + name for name in structs.split("|")}
    growing |= {name for name in then.structs if name.endswith("options")}
    unknown = sorted(growing - set(then.structs) - set(now.structs))
    found = list(differences(then, now, growing, counts.split(",")))
    found += ["there is no struct %s" % name for name in unknown]
    for line in found:
        print(line)
    print("%d structs and %d enums compared" % (len(then.structs), len(then.enums)))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
