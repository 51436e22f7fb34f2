"""Pretty printers for gdb: `source core/debug/crateful_gdb.py`, for example in ~/.gdbinit."""

import gdb
import gdb.printing

INDEX_BITS = 22  # ENTITY_INDEX_BITS


class EntityPrinter:
    """The index and the generation of a handle."""

    def __init__(self, value):
        self.handle = int(value) & 0xFFFFFFFF

    def to_string(self):
        if self.handle == 0xFFFFFFFF:
            return "NONE"
        return f"(index {self.handle & ((1 << INDEX_BITS) - 1)}, generation {self.handle >> INDEX_BITS})"


# A program knows the members of these classes only from a library that was compiled with debug information.
UNKNOWN = "not known: compile crateful with -g, for example with CMAKE_BUILD_TYPE=RelWithDebInfo"


class SetPrinter:
    """The entities of a SparseSet."""

    def __init__(self, value):
        try:
            self.control = value["control_"]
        except gdb.error:
            self.control = None

    def to_string(self):
        return f"{int(self.control['size'])} entities" if self.control is not None else UNKNOWN

    def children(self):
        if self.control is None:
            return
        for slot in range(int(self.control["size"])):
            yield f"[{slot}]", self.control["dense"][slot]

    def display_hint(self):
        return "array"


class StoragePrinter:
    """The entities of a TypedStorage, each with its component."""

    def __init__(self, value):
        try:
            self.control = value["control_"]
            self.values = value["values_"]["data_"].cast(value.type.template_argument(0).pointer())
        except gdb.error:
            self.control = None

    def to_string(self):
        return f"{int(self.control['count'])} components" if self.control is not None else UNKNOWN

    def children(self):
        if self.control is None:
            return
        mask = self.control["mask"]  # of the filled slots, under `linear`
        for slot in range(int(self.control["extent"])):
            if int(mask) != 0 and not int(mask[slot // 64]) >> (slot % 64) & 1:
                continue
            yield f"entity {slot}", self.control["entities"][slot]
            yield f"component {slot}", self.values[slot]

    def display_hint(self):
        return "map"


printers = gdb.printing.RegexpCollectionPrettyPrinter("crateful")
printers.add_printer("Entity", "^crateful::Entity$", EntityPrinter)
printers.add_printer("SparseSet", "^crateful::SparseSet$", SetPrinter)
printers.add_printer("TypedStorage", "^crateful::TypedStorage<.*>$", StoragePrinter)
gdb.printing.register_pretty_printer(None, printers, replace=True)
