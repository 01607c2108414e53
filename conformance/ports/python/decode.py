"""Decoding of JSON: spec/pipeline.md, rules PIPE-001 to PIPE-003 and PIPE-005.

An integer becomes an int, any other number a float, so the two stay different
values. json.loads already lets the last one of repeated keys count.
"""

import codecs
import json
import re

MAX_DEPTH = 10_000
LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def decode(text):
    """Returns the value of a JSON document, or raises ValueError."""
    value = json.loads(text, parse_int=integer, parse_float=floating, parse_constant=constant)
    return clean(value, 0)


def is_json(text):
    """Reports whether a document is JSON; otherwise it is YAML (PIPE-005)."""
    return text.startswith("{")


def integer(text):
    number = int(text)
    return number if -(2**63) <= number < 2**63 else floating(text)


def floating(text):
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"json: cannot unmarshal number {text} into Go value of type float64")
    return number


def constant(text):
    raise ValueError(f"{text} is not JSON")


def clean(value, depth):
    """Returns the value with U+FFFD for lone surrogates. Checks its depth."""
    if isinstance(value, str):
        return LONE_SURROGATE.sub("\ufffd", value)
    if isinstance(value, (dict, list)) and depth == MAX_DEPTH:
        raise ValueError("the document is nested too deep")
    if isinstance(value, dict):
        return {clean(k, 0): clean(v, depth + 1) for k, v in value.items()}
    if isinstance(value, list):
        return [clean(v, depth + 1) for v in value]
    return value


def replace_each_byte(error):
    return "\ufffd" * (error.end - error.start), error.end


codecs.register_error("each byte", replace_each_byte)


def utf8(line):
    """Returns the text of a line, U+FFFD for each invalid byte (PIPE-002)."""
    return line.decode(errors="each byte")
