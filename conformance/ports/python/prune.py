"""Pruning: spec/pruning.md, rules PRN-001 to PRN-031.

The walk is the one at the start of that chapter. It changes the value in
place and collects the paths of removed keys. PRN-020 is left out: it is about
values that are no resources, and no op has such values.
"""

EXEMPT = ("apiVersion", "kind", "metadata")  # PRN-002


def prune_resource(value, schema):
    """Prunes the root of a resource. Returns the sorted unknown paths."""
    unknown = []
    walk(value, schema, "", unknown, root=True)
    return sorted(unknown, key=str.encode)  # PRN-022


def walk(value, node, path, unknown, root=False, skip=False):
    if node is None:
        without_schema(value, path, unknown)
        return
    skip = skip or node.preserves  # PRN-012
    if isinstance(value, dict):
        exempt = EXEMPT if root or node.embedded else ()
        for key in list(value):
            if key in exempt:
                continue
            if key in node.properties:  # PRN-003
                walk(value[key], node.properties[key], below(path, key), unknown)
            elif isinstance(node.additional, bool):  # PRN-005
                walk(value[key], None, below(path, key), unknown)
            elif node.additional is not None:  # PRN-004
                walk(value[key], node.additional, below(path, key), unknown)
            elif not skip:  # PRN-006
                del value[key]
                report(below(path, key), unknown)
    elif isinstance(value, list):
        if skip and node.items is None:  # PRN-016
            return
        for i, element in enumerate(value):  # PRN-009, PRN-015
            walk(element, node.items, f"{path}[{i}]", unknown, skip=skip)


def without_schema(value, path, unknown):
    """Empties the objects of a value without a schema (PRN-007, PRN-008)."""
    if isinstance(value, dict):
        for key in value:
            report(below(path, key), unknown)
        value.clear()
    elif isinstance(value, list):
        for i, element in enumerate(value):
            without_schema(element, f"{path}[{i}]", unknown)


def below(path, key):
    return f"{path}.{key}"


def report(path, unknown):
    """Records a path, without the dot in front of its first key (PRN-021)."""
    unknown.append(path.removeprefix("."))
