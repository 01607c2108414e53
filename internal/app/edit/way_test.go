package edit

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// wayAt returns the way to the cursor ‸ in a text, and its line.
func wayAt(text string) (w *way, lines []string, line int) {
	before, after, _ := strings.Cut(text, "‸")
	lines = strings.Split(before+after, "\n")
	line = strings.Count(before, "\n")
	return wayTo(lines, line, len(before)-strings.LastIndexByte(before, '\n')-1), lines, line
}

// show returns a way in a line: its steps, what is typed and where it begins,
// what it is within, and the other keys of its object.
func show(w *way, line int) string {
	var steps []string
	for _, s := range w.steps {
		if s.item {
			s.key = "-"
		}
		steps = append(steps, s.key)
	}
	text := strings.Join(steps, "/")
	if w.inValue {
		text += ":"
	}
	text += fmt.Sprintf(" %s@%d", w.typed, w.start)
	if w.flow != 0 {
		text += " " + string(w.flow)
	}
	for _, f := range []struct {
		is   bool
		name string
	}{{w.inText, " text"}, {w.inComment, " comment"}, {w.inJSON, " json"}} {
		if f.is {
			text += f.name
		}
	}
	if taken := slices.Sorted(maps.Keys(w.taken(line))); len(taken) > 0 {
		text += " (" + strings.Join(taken, " ") + ")"
	}
	return text
}

// The way to a position is found by lines and their indentation, and within
// braces and brackets by those.
func TestWays(t *testing.T) {
	for text, want := range map[string]string{
		"a: 1\nb‸: 2\nc: 3\n":             " b@0 (a c)",
		"a:\n  b: 1\n  ‸\n":               "a @2 (b)",
		"a:\n  b: 1\n‸":                   " @0 (a)",
		"a:\n- b: 1\n  ‸":                 "a/- @2 (b)",
		"a:\n- b: 1\n- c: 1\n  ‸":         "a/- @2 (c)",
		"a:\n- ‸":                         "a/- @2",
		"a:\n-‸":                          "a/- @1",
		"a:\n-   b‸":                      "a/- b@4",
		"- - x‸":                          "-/- x@4",
		"-\n  a: 1\n  ‸":                  "- @2 (a)",
		"a: 'x y‸'":                       "a: 'x y@3",
		"a:‸":                             "a: @2",
		"a:   x‸":                         "a: x@5",
		"a ‸":                             " a @0",
		"a: |\n  te‸xt\nb: 1\n":           "a te@2 text (a b)",
		"a: |\n  x\n‸\n  y":               "a @0 text (a)",
		"a: |\n  x\n‸\nb: 1":              " @0 (a b)",
		"a: |\n  x\nb‸":                   " b@0 (a)",
		"c:\n  a: >-2 # c\n    x‸":        "c/a x@4 text (c)",
		"c:\n  a: |\n    x: 1\n  b‸":      "c b@2 (a)",
		"a: |x\n  y‸":                     "a y@2",
		"a: 1 # c‸":                       " @0 comment",
		"# c‸":                            " @0 comment",
		"- # c‸":                          " @0 comment",
		"a: '#‸":                          "a: '#@3",
		"a: #‸":                           " @0 comment",
		"# a:\n  b: 1\n  ‸":               " @2 (b)",
		"a: 1\n---\nb: 1\n‸\n---\nc: 1\n": " @0 (b)",
		"a: 1\n--- # x\n‸":                " @0",
		"a: 1\n---x\n‸":                   " @0 (a)",
		"\"a b\": ‸":                      "a b: @7",
		"'it''s': x‸":                     "it''s: x@9",
		"a:\n    b:\n      c: 1\n  d‸":    "a d@2 (b)",
		"a: 1\n  b: ‸":                    "a/b: @5",
		"-a: x‸":                          "-a: x@4",
		"a#b: x‸":                         " a#b: x@0",
		"a:b: x‸":                         "a:b: x@5",
		"a:b‸":                            " a:b@0",
		"\"a\\\"b\": x‸":                  "a\\\"b: x@8",
		"a:\n  b:\n    c: 1\n  d: {}\n  ‸e: 1\n": "a @2 (b d)",
		// Within braces and brackets.
		"a: {b: 1, c‸":              "a c@10 { (b)",
		"a: {b: ‸":                  "a/b: @7 { (b)",
		"a: {b: x‸y, c: 1}":         "a/b: x@7 { (b c)",
		"a: {‸b: x, c: 1}":          "a @4 { (c)",
		"a: {b: x‸ , c: 1}":         "a/b: x@7 { (b c)",
		"a: [x‸":                    "a/- x@4 [",
		"a: [b, ‸":                  "a/- @7 [",
		"a: [{b: 1}, {c‸":           "a/- c@13 {",
		"a: [\n  {b: 1},\n  {c: ‸":  "a/-/c: @6 { (c)",
		"a: [[1], [x‸":              "a/-/- x@10 [",
		"a: {b: {c: 1}, ‸":          "a @15 { (b)",
		"a: {b: [1], ‸":             "a @12 { (b)",
		"{\"a\": {\"b‸":             "a \"b@7 { json",
		"{\"a\": 1,\n\"b‸":          " \"b@0 { json (a)",
		"[{\"a\": 1, ‸":             "- @10 { json (a)",
		"[\n1,\n‸":                  "- @0 [ json",
		"a: {b: 1,\nc‸":             " c@0 (a)",
		"a: {b: 1,\n‸":              " @0 (a)",
		"a: {b: 1,\n ‸":             "a @1 { (b)",
		"c:\n  a: {b: 1,\n  ‸":      "c @2 (a)",
		"c:\n  a: {b: 1,\n   d: ‸":  "c/a/d: @6 { (b d)",
		"a: {b: 1 # x‸":             "a/b: 1 # x@7 { comment (b)",
		"a: {b: 1, # x }\n  c‸":     "a c@2 { (b)",
		"a: {b: \"x, {‸":            "a/b: \"x, {@7 { (b)",
		"a: {'b c': ‸":              "a/b c: @11 { (b c)",
		"a: {b: x:y‸}":              "a/b: x:y@7 { (b)",
		"a: {{ x‸":                  "a/ x@6 {",
		"a: {b: 1}\n‸":              " @0 (a)",
		"a: {b: 1} ‸":               "a: {b: 1} @3 (b)",
		"- {a: 1, b‸":               "- b@9 { (a)",
		"a: 1\n{b‸":                 " {b@0 (a)",
		"a:\n  {b: 1, c‸":           "a c@9 { (b)",
		"a: {b: 1,\n}\nc‸":          " c@0 (a)",
		"a: [\n]\nc‸":               " c@0 (a)",
		"a: {b: 'it''s, x', c‸: 1}": "a c@19 { (b)",
		"a: {b: \"x\\\"y\", c‸: 1}": "a c@15 { (b)",
		"a: {b: 1,\tc‸":             "a c@10 { (b)",
		"a: {b, c‸":                 "a c@7 {",
		"a: {b: 1}\nc: {d: 1, ‸":    "c @10 { (d)",
	} {
		w, _, line := wayAt(text)
		if got := show(w, line); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	if got := show(wayTo([]string{"a: 1"}, 5, 0), 5); got != " @0 (a)" {
		t.Errorf("behind the end: %s", got)
	}
}

// A scalar in flow style ends with its quote, or before what ends a plain one.
func TestScalarSize(t *testing.T) {
	for text, want := range map[string]int{
		`"a"b`: 3, `"a\"b"c`: 6, `'a''b'c`: 6, `"a`: 2, `'a`: 2, `"a\`: 3, `'a'''`: 5, `"a''b"`: 6, `'a\'b`: 4,
		`a, b`: 1, `a b]`: 3, `a[`: 1, `a{`: 1, `x}y`: 1, `a #b`: 2, `a#b`: 3, `a: b`: 1, `a:b`: 3, `a:`: 1,
		`a:,`: 1, `a:]`: 1, `a:[`: 1, `a:{`: 1, `a:}`: 1, `-`: 1, `a"b"`: 4, `a''b`: 4,
	} {
		if got := scalarSize(text); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}

// The value of a key at the top is without its quotes and a comment.
func TestValues(t *testing.T) {
	w, _, _ := wayAt("a: \"x\" # c\nb:\n  c: y\nd: 'z'\na: 2\ne: x#y\n‸")
	for key, want := range map[string]string{
		"a": "x", "b": "", "c": "", "d": "z", "e": "x#y", "f": "",
	} {
		if got := w.value(key); got != want {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
}
