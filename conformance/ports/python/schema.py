"""Schemas: spec/structural.md, rules STR-002 to STR-005 and STR-010 to STR-020.

A Node has the keywords that pruning and defaulting look at. All keywords are
checked for their kind, and the ones that do not convert are refused.
"""

PRESERVE = "x-kubernetes-preserve-unknown-fields"


class SchemaError(ValueError):
    """The schema does not decode, or does not convert."""


class Node:
    def __init__(self, value):
        schema = as_object(value)
        check_kinds(schema)
        refuse_unsupported(schema)
        for junctor in nested(schema):
            Node(junctor)  # for its errors; PRN-027 and DEF-017 ignore it
        if schema.get(PRESERVE) is False:  # STR-019
            raise SchemaError(f"internal error: '{PRESERVE}' must be true or undefined")
        self.preserves = bool(schema.get(PRESERVE))
        self.embedded = bool(schema.get("x-kubernetes-embedded-resource"))
        self.nullable = bool(schema.get("nullable"))
        self.default = schema.get("default")  # null is the same as none
        self.items = items(schema.get("items"))
        properties = schema.get("properties") or {}
        self.properties = {key: Node(child) for key, child in properties.items()}
        self.additional = additional(schema.get("additionalProperties"))


def as_object(value):
    """Returns the schema's keywords. Null is an empty schema (STR-002)."""
    if value is not None and not isinstance(value, dict):
        raise SchemaError("a schema must be an object")
    return value or {}


def nested(schema):
    """Returns the schemas directly in junctors, in the order of STR-020."""
    found = [schema["not"]] if schema.get("not") is not None else []
    for name in ("allOf", "anyOf", "oneOf"):
        found += schema.get(name) or []
    return found


def items(value):
    """Returns the Node of items, or None (STR-004, STR-018)."""
    if isinstance(value, list) and value:
        raise SchemaError("OpenAPIV3Schema 'items' must be a schema, but is an array")
    return Node(value) if isinstance(value, dict) else None


def additional(value):
    """Returns a Node, a boolean or None (STR-003, STR-027)."""
    if value is None or isinstance(value, bool):
        return value
    if not isinstance(value, dict):
        raise SchemaError("boolean or JSON schema expected")
    return Node(value)


UNSUPPORTED = ["id", "$schema", "$ref", "patternProperties", "dependencies", "definitions"]


def refuse_unsupported(schema):
    """Fails on the keywords that do not convert (STR-011 to STR-017)."""
    for name in UNSUPPORTED:
        if schema.get(name):
            raise SchemaError(f"OpenAPIV3Schema '{name}' is not supported")
    if schema.get("additionalItems") is not None:
        raise SchemaError("OpenAPIV3Schema 'additionalItems' is not supported")


def is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value):
    return is_integer(value) or isinstance(value, float)


def is_string(value):
    return isinstance(value, str)


def is_boolean(value):
    return isinstance(value, bool)


def is_list(value):
    return isinstance(value, list)


def is_object(value):
    return isinstance(value, dict)


def is_strings(value):
    return is_list(value) and all(v is None or is_string(v) for v in value)


def is_docs(value):
    return is_object(value) and has_kinds(value, DOCS)


def is_rules(value):
    return is_list(value) and all(v is None or is_object(v) and has_kinds(v, RULE) for v in value)


def has_kinds(value, kinds):
    """Reports whether each member is null or of its kind."""
    return all(value.get(name) is None or test(value[name]) for name, test in kinds.items())


DOCS = dict.fromkeys(("description", "url"), is_string)
RULE = dict.fromkeys(("rule", "message", "messageExpression", "reason", "fieldPath"), is_string)
RULE["optionalOldSelf"] = is_boolean

# The table of STR-002. Schemas in keywords are checked where they are read.
KINDS = {
    is_string: "type format title description pattern id $schema $ref"
    " x-kubernetes-list-type x-kubernetes-map-type",
    is_boolean: "nullable uniqueItems exclusiveMaximum exclusiveMinimum"
    " x-kubernetes-embedded-resource x-kubernetes-int-or-string " + PRESERVE,
    is_number: "maximum minimum multipleOf",
    is_integer: "maxLength minLength maxItems minItems maxProperties minProperties",
    is_strings: "required x-kubernetes-list-map-keys",
    is_list: "enum allOf anyOf oneOf",
    is_object: "not properties patternProperties definitions dependencies",
    is_docs: "externalDocs",
    is_rules: "x-kubernetes-validations",
}


def check_kinds(schema):
    """Fails on a keyword of another kind. Null is no keyword (STR-002)."""
    for test, names in KINDS.items():
        for name in names.split():
            value = schema.get(name)
            if value is not None and not test(value):
                raise SchemaError(f"keyword {name} is of another kind: {test.__name__} fails")
