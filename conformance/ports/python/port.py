"""A port of the ops sort, prune and default of the evaluation protocol.

The protocol is that of internal/app/protocol/doc.go and of the section "The ops"
in conformance/vectors/README.md. The program reads a request per line from
stdin and writes an answer per line to stdout.
"""

import json
import sys
import threading

import decode
import defaulting
import prune
import schema
import versionsort


class Fault(Exception):
    """The reason why a request could not be carried out."""


def do_sort(names):
    if not isinstance(names, list) or not all(isinstance(n, str) for n in names):
        raise Fault("names must be a list of strings")
    return {"names": versionsort.sort(names)}


def do_prune(schema, object):
    node, value = read_schema(schema), read(object)
    unknown = prune.prune_resource(value, node)
    return {"object": value, "unknownFields": unknown}


def do_default(schema, object):
    node, value = read_schema(schema), read(object)
    defaulting.complete(value, node)
    return {"object": value}


OPS = {  # each op, and its inputs
    "sort": (do_sort, ("names",)),
    "prune": (do_prune, ("schema", "object")),
    "default": (do_default, ("schema", "object")),
}

# The answers to these ops are the same in all minors.
MINORS = [f"1.{n}" for n in range(29, 38)]

yaml_inputs = 0


def read(given):
    """Returns an input: a JSON value as it is, a text decoded."""
    global yaml_inputs
    if not isinstance(given, str):
        return given
    if not decode.is_json(given):
        yaml_inputs += 1
        raise Fault("this port does not read YAML")
    return decode.decode(given)


def read_schema(given):
    try:
        return schema.Node(read(given))
    except schema.SchemaError as err:
        raise Fault(f"the schema cannot be used: {err}")


def answer(line):
    """Returns the answer to a line."""
    id = ""
    try:
        request = decode.decode(decode.utf8(line))
        if not isinstance(request, dict) or not isinstance(request.get("id"), str):
            raise Fault("a request is an object with a string as id")
        id = request.pop("id")
        op = request.pop("op", None)
        minor = request.pop("kubernetes", MINORS[-1])
        if minor not in MINORS:
            raise Fault(f"kubernetes {json.dumps(minor)} is not one of {', '.join(MINORS)}")
        if op not in OPS:
            raise Fault(f"unknown op {json.dumps(op)}")
        function, inputs = OPS[op]
        if set(request) != set(inputs):
            raise Fault(f"op {op} has the inputs {', '.join(inputs)}")
        return {"id": id, **function(**request)}
    except (Fault, ValueError, RecursionError) as err:
        return {"id": id, "fault": str(err).replace("\n", " ")}


def main():
    emit({"protocol": 1, "name": "python", "kubernetes": MINORS, "ops": list(OPS)})
    for line in sys.stdin.buffer:
        emit(answer(line))
    if yaml_inputs:
        print(f"{yaml_inputs} inputs in YAML were not read", file=sys.stderr)


def emit(value):
    """Writes a line. Python prints floats with a point or an exponent."""
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    # The walks are recursive, and documents are up to 10,000 levels deep.
    sys.setrecursionlimit(100_000)
    threading.stack_size(512 << 20)
    thread = threading.Thread(target=main)
    thread.start()
    thread.join()
