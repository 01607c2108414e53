"""Version priority: spec/versions.md, rules VER-001 to VER-007."""

import re

# VER-002. A digit is one of 0 to 9, and nothing may follow, not even a newline.
KUBE_VERSION = re.compile(r"v([0-9]+)(?:(alpha|beta)([0-9]+))?")
KINDS = {"alpha": 0, "beta": 1, None: 2}
MAX_INT64 = 2**63 - 1


def parse(name):
    """Returns kind, major and minor of a Kubernetes version, otherwise None."""
    match = KUBE_VERSION.fullmatch(name)
    if not match:
        return None
    major, minor = int(match[1]), int(match[3] or "0")
    if major > MAX_INT64 or minor > MAX_INT64:
        return None
    return KINDS[match[2]], major, minor


def priority(name):
    """Returns a key by which sorted() puts higher priorities first."""
    version = parse(name)
    if version is None:
        return (1, name.encode())  # VER-003, VER-004
    kind, major, minor = version
    return (0, -kind, -major, -minor, name.encode())  # VER-005, VER-006


def sort(names):
    """Returns the names by priority, the highest one first (VER-007)."""
    return sorted(names, key=priority)
