"""Answers the op admit, for creates, with the command flux-schema.

FLUX_SCHEMA is its path. The command extracts JSON Schemas from the definition
and validates the object against them, rules in CEL included. It decodes
strictly, and prunes and defaults nothing.
"""

import hashlib
import json
import os
import subprocess
import sys
import tempfile

COMMAND = os.environ.get("FLUX_SCHEMA", "flux-schema")


class Fault(Exception):
    """The reason why a request could not be carried out."""


def document(given):
    """Returns an input as text: a string of JSON or YAML, or a value."""
    return given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)


def write(name, text):
    with open(name, "w", encoding="utf-8", errors="surrogatepass", newline="\n") as file:
        file.write(text)


def schemas_of(crd, folder):
    """Returns the folder with the schemas of a definition, which it writes once."""
    at = os.path.join(folder, hashlib.sha256(crd.encode(errors="surrogatepass")).hexdigest())
    if not os.path.isdir(at):
        os.mkdir(at)
        write(os.path.join(at, "crd.yaml"), crd)
        run("extract", "crd", os.path.join(at, "crd.yaml"), "-d", at)
    return at


def run(*args):
    out = subprocess.run([COMMAND, *args], capture_output=True, text=True, errors="replace", timeout=60)
    if out.returncode != 0 and args[0] == "extract":
        raise Fault(out.stderr.strip())
    return out


def admit(request, folder):
    if request.get("old") is not None or request.get("subresource"):
        raise Fault("not supported: updates")
    if "crd" not in request or "object" not in request:
        raise Fault("an input is missing")
    schemas, name = schemas_of(document(request["crd"]), folder), os.path.join(folder, "object.yaml")
    write(name, document(request["object"]))
    out = run("validate", name, "--schema-location", schemas, "--config", os.path.join(folder, "config.yaml"))
    text = (out.stdout + out.stderr).replace(name, "object").strip()
    errors = [] if out.returncode == 0 else [{"type": "", "field": "", "detail": "", "text": text}]
    stage = "invalid" if errors else "admitted"
    return {"stage": stage, "errors": errors, "warnings": [], "unknownFields": []}


def emit(value):
    print(json.dumps(value), flush=True)


def main(folder):
    write(os.path.join(folder, "config.yaml"), "apiVersion: schema.plugin.fluxcd.io/v1beta1\nkind: Config\n")
    subprocess.run([COMMAND, "version"], stdout=subprocess.DEVNULL, check=True)
    emit({"protocol": 1, "name": "flux-schema", "ops": ["admit"]})
    for line in sys.stdin:
        request = json.loads(line)
        try:
            emit({"id": request["id"], **admit(request, folder)})
        except (Fault, OSError, UnicodeError, subprocess.TimeoutExpired) as err:
            emit({"id": request["id"], "fault": str(err) or "fault"})


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        main(folder)
