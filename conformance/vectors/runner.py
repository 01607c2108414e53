#!/usr/bin/env python3
"""Runs the vectors of a folder against a program: runner.py FOLDER COMMAND [ARG...]

It exits with 1 where an answer is wrong or missing. It is an example: see README.md.
"""
import collections
import glob
import json
import os
import subprocess
import sys


def text(value):
    """One text for each JSON value: 1, 1.0 and true differ, the order of members does not count."""
    return json.dumps(value, sort_keys=True)


def canonical(answer):
    """The answer as it is compared: sets sorted, without id, ratcheted and the rules of errors."""
    left_out = ("id", "ratcheted", "rule") if "code" in answer else ("id", "ratcheted")
    answer = {name: value for name, value in answer.items() if name not in left_out}
    if answer.get("code") == 422 and "causes" in answer:
        answer["causes"] = sorted({text(cause) for cause in answer["causes"]})
        answer.pop("message" if len(answer["causes"]) > 1 else None, None)
    if "errors" in answer:
        answer["errors"] = [{k: v for k, v in err.items() if k != "rule"} for err in answer["errors"]]
    for name in ("errors", "warnings"):
        if name in answer:
            answer[name] = sorted({text(item) for item in answer[name]})
    if "rules" in answer:
        answer["rules"] = [canonical(rule) for rule in answer["rules"]]
    return answer


def outcome(vector, answer):
    wanted = [text(canonical(want)) for want in [vector["want"], *vector.get("or", [])]]
    if text(canonical(answer)) in wanted:
        return "passed"
    if "fault" in answer:
        return "faulted"
    if vector["want"].get("fault", "").startswith("panic: "):
        return "excused"
    return "failed"


def load(folder):
    """The vectors with their groups."""
    for name in sorted(glob.glob(os.path.join(folder, "*.jsonl"))):
        with open(name, encoding="utf-8", newline="\n") as lines:
            for line in lines:
                yield os.path.basename(name)[: -len(".jsonl")], json.loads(line)


def ask(command, vectors):
    """The program's answers by id, its introduction under None, and its exit code."""
    requests = "".join(json.dumps({"id": vector["id"], **vector["request"]}) + "\n" for _, vector in vectors)
    ended = subprocess.run(command, input=requests.encode(), stdout=subprocess.PIPE, timeout=600)
    answers = map(json.loads, ended.stdout.splitlines())
    return {answer.get("id"): answer for answer in answers}, ended.returncode


def main(folder, command):
    vectors = list(load(folder))
    answers, code = ask(command, vectors)
    ops = answers.get(None, {}).get("ops")
    counts = collections.Counter()
    for group, vector in vectors:
        answer = answers.get(vector["id"], {"fault": "no answer"})
        known = ops is None or vector["request"]["op"] in ops
        what = outcome(vector, answer) if known else "skipped"
        counts[group, what] += 1
        if what in ("failed", "faulted"):
            print(what, vector["id"], vector["rule"], "\n  got ", text(answer), "\n  want", text(vector["want"]))
    for (group, what), number in sorted(counts.items()):
        print(f"{group:8}{what:8}{number:6}")
    if code != 0:
        print("the program exits with", code)
    return int(code != 0 or any(what in ("failed", "faulted") for _, what in counts))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
