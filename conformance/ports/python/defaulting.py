"""Nulls and defaults: spec/defaulting.md, rules DEF-001 to DEF-019 and
DEF-030 to DEF-036.

The two walks are those of that chapter. Both change the value in place.
Defaults are used as the schema has them; pruning them (DEF-041) belongs to
the loading of a definition.
"""

from copy import deepcopy


def complete(value, schema):
    """Removes nulls and fills in defaults, as a request does."""
    remove_nulls(value, schema)
    fill_in(value, schema)


def child_of(node, key):
    """Returns the schema of a key, or None (DEF-031)."""
    if key in node.properties:
        return node.properties[key]
    return None if isinstance(node.additional, bool) else node.additional


def replaces_null(node):
    """Reports whether the default of a node replaces a null."""
    return node is not None and node.default is not None and not node.nullable


def remove_nulls(value, node):
    if node is None:  # DEF-033
        return
    if isinstance(value, dict):
        for key in list(value):
            child = child_of(node, key)
            if value[key] is not None:
                remove_nulls(value[key], child)
            elif child is not None and not child.nullable and child.default is None:
                del value[key]  # DEF-030
    elif isinstance(value, list):
        for element in value:  # DEF-032
            remove_nulls(element, node.items)


def fill_in(value, node):
    if node is None:  # DEF-001
        return
    if isinstance(value, dict):
        for key, child in node.properties.items():
            if child.default is not None and key not in value:  # DEF-002
                value[key] = deepcopy(child.default)
        for key in value:
            child = child_of(node, key)
            if value[key] is None and replaces_null(child):  # DEF-003, DEF-007
                value[key] = deepcopy(child.default)
            fill_in(value[key], child)
    elif isinstance(value, list):
        for i in range(len(value)):
            if value[i] is None and replaces_null(node.items):  # DEF-009
                value[i] = deepcopy(node.items.default)
            fill_in(value[i], node.items)
