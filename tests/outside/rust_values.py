"""Arrays of numbers as Rust source writes them: "[1u32, f32::NAN, -0b101, half::f16::from_f64(3.0)]"."""
import math
import re
import struct

FORMATS = {"u8": "B", "i8": "b", "u16": "H", "i16": "h", "u32": "I", "i32": "i", "u64": "Q", "i64": "q",
           "f16": "e", "f32": "f", "f64": "d"}
NUMBER = re.compile(r"(0x[0-9a-fA-F_]+?|0b[01_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?)([uif](?:8|16|32|64))?(?!\w)")
NAME = re.compile(r"[A-Za-z_]\w*(?:::\w+)*")
FLOATS = {"NAN": math.nan, "INFINITY": math.inf, "NEG_INFINITY": -math.inf, "PI": math.pi, "MAX": 3.4028234663852886e38}


def size_of(kind):
    return struct.calcsize(FORMATS[kind])


def pack(kind, values):
    return struct.pack("<%d%s" % (len(values), FORMATS[kind]), *values)


def unpack(kind, data):
    return list(struct.unpack("<%d%s" % (len(data) // size_of(kind), FORMATS[kind]), data))


class Parser:
    """sum = term {("+"|"-") term}; term = factor {("*"|"/") factor};
    factor = "-" factor | "(" sum ")" | number | name ["(" sum ")"].
    Each gives (kind, value); the kind is None where Rust would infer it."""

    def __init__(self, text):
        self.text, self.at = text, 0

    def blank(self):
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    def take(self, symbol):
        self.blank()
        if not self.text.startswith(symbol, self.at):
            return False
        self.at += len(symbol)
        return True

    def match(self, pattern):
        self.blank()
        found = pattern.match(self.text, self.at)
        if found:
            self.at = found.end()
        return found

    def sum(self):
        kind, value = self.term()
        while True:
            sign = 1 if self.take("+") else -1 if self.take("-") else 0
            if not sign:
                return kind, value
            other, more = self.term()
            kind, value = kind or other, value + sign * more

    def term(self):
        kind, value = self.factor()
        while True:
            if self.take("*"):
                other, more = self.factor()
                value *= more
            elif self.take("/"):
                other, more = self.factor()
                value = value / more if isinstance(value, float) else value // more
            else:
                return kind, value
            kind = kind or other

    def factor(self):
        if self.take("-"):
            kind, value = self.factor()
            return kind, -value
        if self.take("("):
            inner = self.sum()
            if not self.take(")"):
                raise ValueError("no ) in " + self.text)
            return inner
        number = self.match(NUMBER)
        if number:
            return self.number(*number.groups())
        name = self.match(NAME)
        if not name:
            raise ValueError("no number: " + self.text[self.at:self.at + 40])
        kind, value = self.named(name.group().split("::"))
        if self.take(".to_bits()"):
            return "u%d" % (8 * size_of(kind)), int.from_bytes(pack(kind, [value]), "little")
        return kind, value

    def number(self, digits, kind):
        digits = digits.replace("_", "")
        if digits[:2] in ("0x", "0b"):
            return kind, int(digits, 0)
        is_float = "." in digits or "e" in digits.lower() or (kind or "").startswith("f")
        return kind, float(digits) if is_float else int(digits)

    def named(self, parts):
        kind = next((part for part in parts if part in FORMATS), None)
        last = parts[-1]
        if kind is None:
            raise ValueError("not known: " + "::".join(parts))
        if self.take("("):
            inner = None if self.take(")") else self.sum()[1]
            if inner is not None and not self.take(")"):
                raise ValueError("no ) in " + self.text)
            if last == "from_bits":
                return kind, unpack(kind, inner.to_bytes(size_of(kind), "little"))[0]
            if last in ("from_f32", "from_f64"):
                return kind, inner
            last = {"max_value": "MAX", "min_value": "MIN"}[last]
        if kind.startswith("f"):
            return kind, FLOATS[last]
        bits = 8 * size_of(kind)
        low = -(1 << bits - 1) if kind[0] == "i" else 0
        return kind, low if last == "MIN" else low + (1 << bits) - 1


def read_array(text):
    """-> (kind, values). The kind is that of any element that names one; else i32 or f64, as in Rust."""
    parser = Parser(text)
    if not parser.take("["):
        raise ValueError("no array: " + text[:40])
    kind, values = None, []
    while not parser.take("]"):
        one, value = parser.sum()
        kind = kind or one
        values.append(value)
        if not parser.take(",") and not parser.text.startswith("]", parser.at):
            raise ValueError("no , in " + text[parser.at:parser.at + 40])
    kind = kind or ("f64" if any(isinstance(value, float) for value in values) else "i32")
    return kind, [float(value) for value in values] if kind.startswith("f") else values
