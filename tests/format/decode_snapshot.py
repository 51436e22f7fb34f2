#!/usr/bin/env python3
"""Print a snapshot of an entity component system as JSON: decode_snapshot.py FILE"""
import json
import math
import struct
import sys

NONE = 0xFFFFFFFF  # no entity; as the size of a record: only the class can read its values
LAST = 4194303     # the end of the list of free indices
MASK = 2 ** 64 - 1
TYPES = "f32 f64 i8 u8 i16 u16 i32 u32 bool entity link string".split()
CODES = dict(zip(TYPES, "fdbBhHiIBIII"))  # for the module struct


def finite(value):
    """JSON has no infinity and no NaN; they become the texts inf, -inf and nan."""
    return value if math.isfinite(value) else str(value)


def checksum(data):
    first, second = [0] * 4, [0] * 4
    for words in struct.iter_unpack("<4Q", data + bytes(32 - len(data) % 32)):
        first = [(a + word) & MASK for a, word in zip(first, words)]
        second = [(b + a) & MASK for b, a in zip(second, first)]
    result = len(data)
    for s in (s for lane in zip(first, second) for s in lane):
        result = (((result << 29 | result >> 35) & MASK) ^ s) * 0x9E3779B97F4A7C15 & MASK
    return result ^ result >> 32


class Reader:
    def __init__(self, data):
        self.data, self.at, self.start = data, 0, 0  # start: of what was read last, for messages

    def check(self, condition, message, start=None):
        if not condition:
            self.start = self.start if start is None else start
            raise ValueError(message)

    def bytes(self, size):
        self.start, left = self.at, len(self.data) - self.at
        self.check(size <= left, f"truncated: {size} bytes expected, {left} left")
        self.at += size
        return self.data[self.start:self.at]

    def one(self, code="I", highest=math.inf):
        value = struct.unpack("<" + code, self.bytes(struct.calcsize("<" + code)))[0]
        self.check(not value > highest, f"{value} instead of at most {highest}")
        return finite(value)

    def text(self):
        return self.bytes(self.one()).decode("utf-8")

    def repeat(self, read):
        return [read() for _ in range(self.one())]

    def block(self, size):
        """The position of an array of this size in bytes; zeros are in front of empty arrays, too."""
        self.check(not any(self.bytes(-self.at % 8)), "bytes in front of an array are not zero")
        self.bytes(size)
        return self.start

    def array(self, count):
        return list(struct.unpack_from(f"<{count}I", self.data, self.block(4 * count)))

    def own_value(self, size):
        """A value that only its class can read, or an event."""
        data = self.bytes(size)
        self.check(data[:1] in (b"\0", b"\1"), "a value that is neither bytes nor JSON")
        if data[0] == 0:
            return {"bytes": data[1:].hex()}
        return {"json": json.loads(data[1:].decode("utf-8"), parse_float=lambda s: finite(float(s)))}

    def inbox(self):
        return {"class": self.text(), "events": self.repeat(lambda: self.own_value(self.one()))}

    def header(self):
        magic, version, kind, length, expected = struct.unpack("<IHHQQ", self.bytes(24))
        self.check(magic == 0x4C465243, "no snapshot, the letters CRFL are missing", 0)
        self.check(version in (1, 2), f"unknown version {version}", 4)
        self.version = version
        self.check(kind == 1, f"kind {kind} is no snapshot", 6)
        self.check(length <= len(self.data), f"truncated, the length should be {length}", len(self.data))
        self.check(length == len(self.data), "there are bytes behind the end", length)
        self.check(checksum(self.data[24:]) == expected, "wrong checksum of the bytes from 24 on", 16)
        return {"version": version, "length": length, "checksum": f"{expected:016x}"}

    def time(self):
        names = "frame", "gameTime", "wallTime", "timeScale", "slowMotionFrames"
        time = {name: self.one("d") for name in names}
        time.update(paused=bool(self.one("B", 1)), slowMotionStyle=("scale", "step")[self.one("B", 1)])
        time["slowMotion"] = self.repeat(lambda: {"factor": self.one("d"), "remaining": self.one("d")})
        return time

    def entries(self, count):
        if self.version == 1:
            return self.array(count)
        entries = []
        while len(entries) < count:
            length, is_run = divmod(self.one(), 2)
            self.check(0 < length <= count - len(entries), f"a piece of {length} entries")
            if is_run:
                first = self.one()
                entries += [first + k & NONE for k in range(length)]
            else:
                entries += struct.unpack(f"<{length}I", self.bytes(4 * length))
        return entries

    def entities(self):
        """The generation of a free index is the next one; an index that is used up has none."""
        count, index = self.one(), self.one()
        entries, free, result = self.entries(count), {}, []
        while index != LAST:  # this list first: its last entry can look like a used up index
            self.check(index < count and index not in free, f"wrong free index {index}")
            free[index] = entries[index] >> 22
            index = entries[index] & LAST
        for index, entry in enumerate(entries):
            alive = index not in free and entry != NONE
            self.check(not alive or entry & LAST == index, f"wrong handle of index {index}")
            generation = entry >> 22 if alive else free.get(index)
            result.append({"index": index, "generation": generation, "alive": alive})
            result[-1].update({"handle": entry} if alive else {})
        return result

    def field(self):
        name, kind, length = self.text(), TYPES[self.one("B", 11)], self.one("B", 64)
        self.check(length > 0, "a field without elements")
        offset, enum = self.one(), self.repeat(self.text)
        return {"name": name, "type": kind, "length": length, "offset": offset, "enum": enum}

    def components(self, size, fields):
        """At first, a field gets the position of its value, because the texts of strings follow later."""
        components = [{"entity": entity, "values": {}} for entity in self.array(self.one())]
        if size == NONE:
            self.check(not fields, "fields that only their class can read")
            lengths = self.array(len(components))
            self.block(0)
            return [{**c, "values": self.own_value(length)} for c, length in zip(components, lengths)]
        records = self.block(size * len(components)) if size else None
        for field in fields:
            width = field["length"] * struct.calcsize(CODES[field["type"]])
            self.check(not size or field["offset"] + width <= size, "a field outside of its record")
            start = records + field["offset"] if size else self.block(width * len(components))
            for i, component in enumerate(components):
                component["values"][field["name"]] = start + i * (size or width)
        return components

    def value(self, field, at, strings):
        names = {"bool": [False, True], "string": strings}.get(field["type"], field["enum"])
        values = list(struct.unpack_from(f"<{field['length']}{CODES[field['type']]}", self.data, at))
        for i, value in enumerate(values):
            self.check(not names or value in range(len(names)), f"wrong {field['name']}: {value}", at)
            no_entity = value == NONE and field["type"] in ("entity", "link")
            values[i] = names[value] if names else None if no_entity else finite(value)
        return values if field["length"] > 1 else values[0]

    def hierarchy(self, cls):
        fields, components = cls["fields"], cls["components"]
        self.check([(f["name"], f["type"]) for f in fields] == [("entity", "entity")], "wrong Parent")
        parents = {c["entity"]: self.value(fields[0], c["values"]["entity"], []) for c in components}
        children = {}
        for child in self.array(len(components)):
            self.check(child in parents, f"{child} has no parent, or is in this array twice")
            children.setdefault(parents.pop(child), []).append(child)
        return [{"parent": parent, "children": order} for parent, order in children.items()]

    def system(self):
        name, flags, since = self.text(), self.one("B", 7), self.one("d")
        system = {"name": name, "enabled": bool(flags & 1), "sinceLastRun": since}
        system.update(entities=self.array(self.one()), dirty=self.array(self.one()))
        if flags & 2:
            system["watched"] = self.repeat(self.text)
            names = dict(enumerate(system["watched"])) | {31: "another parent"}
            bits = self.array(len(system["dirty"]))
            causes = [[names.get(k) for k in range(32) if b >> k & 1] for b in bits]
            system["causes"] = ["newly tracked" if len(c) == 32 else c for c in causes]
        return {**system, "inboxes": self.repeat(self.inbox)}

    def snapshot(self):
        result = {"header": self.header(), "time": self.time(), "entities": self.entities()}
        result["markedForRemoval"] = self.array(self.one())
        result["classes"] = classes = self.repeat(
            lambda: {"name": self.text(), "recordSize": self.one(), "fields": self.repeat(self.field)})
        result["leftOut"] = self.repeat(self.text)
        for cls in classes:
            cls["components"] = self.components(cls["recordSize"], cls["fields"])
        trees = [self.hierarchy(cls) for cls in classes if cls["name"] == "Parent"]
        result["hierarchy"] = trees[0] if trees else []
        strings = [""] + self.repeat(self.text)
        for cls in classes:
            for values in (component["values"] for component in cls["components"]):
                values.update({f["name"]: self.value(f, values[f["name"]], strings) for f in cls["fields"]})
        result["delayedEvents"] = self.repeat(
            lambda: {"class": self.text(), "due": self.one("d"), **self.own_value(self.one())})
        result["inboxes"] = self.repeat(self.inbox)
        result["systems"] = self.repeat(self.system) if self.one("B", 1) else None
        self.check(self.at == len(self.data), "there are bytes behind the last part", self.at)
        return result


with open(sys.argv[1], "rb") as file:
    reader = Reader(file.read())
try:
    snapshot = reader.snapshot()
except (ValueError, RecursionError) as problem:  # also of texts that are not UTF-8 and of wrong JSON
    sys.exit(f"{sys.argv[1]}: byte {reader.start}: {problem}")  # status 1
# half of a surrogate pair, which JSON can contain, is printed as an escape
sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
print(json.dumps(snapshot, indent=1, ensure_ascii=False, allow_nan=False))
