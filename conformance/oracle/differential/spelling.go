package differential

import (
	"math/rand/v2"
	"strings"

	"github.com/crdsem/crdsem/internal/app/protocol"
)

// spellings are pieces of JSON that decoders treat with care, and replacements
// for them.
var spellings = []struct{ old, new string }{
	{":1", ":1.0"}, {":1", ":1e0"}, {":0", ":-0"}, {":0", ":-0.0"}, {":5", ":5E+0"}, {":2", ":20e-1"},
	{":1", ":1e400"}, {":1", ":01"}, {":1", ":9223372036854775808"}, {":1", ":1e-400"}, {":true", ":True"},
	{`"a":`, `"a":1,"a":`}, {`"name":`, `"name":"x","name":`}, {`"metadata":`, `"metadata":{"labels":{"a":"b"}},"metadata":`},
	{`"spec":`, `"spec":{"a":1},"spec":`}, {`"kind":`, `"Kind":"x","kind":`}, {`"a"`, `"\u0061"`}, {`"b"`, `"\ud800"`},
	{`"b"`, "\"\xff\""}, {`"x`, `"\u0000x`}, {"{", "{ \n\t"}, {"}", "},"}, {"}", ""}, {"]", ",]"}, {":", ": /* c */ "},
	{"null", "nul"}, {`""`, `"\/"`}, {"é", `\u00e9`}, {"[", "[[["}, {`"apiVersion"`, `"apiversion"`},
}

// mangled returns a document as JSON text with one piece spelled in another
// way, at times wrongly.
func mangled(r *rand.Rand, v any) any {
	doc, err := protocol.AppendValue(nil, v)
	if err != nil || len(doc) == 0 || doc[0] != '{' {
		return v
	}
	text := string(doc)
	for range 1 + r.IntN(2) {
		s := spellings[r.IntN(len(spellings))]
		places := strings.Count(text, s.old)
		if places == 0 {
			continue
		}
		at := nth(text, s.old, r.IntN(places))
		text = text[:at] + s.new + text[at+len(s.old):]
	}
	if r.IntN(12) == 0 {
		text += []string{" ", "x", "{}", "\n---\n"}[r.IntN(4)]
	}
	return text
}

// nth returns the index of the n-th occurrence of part in text.
func nth(text, part string, n int) int {
	at := strings.Index(text, part)
	for range n {
		at += len(part) + strings.Index(text[at+len(part):], part)
	}
	return at
}

// mangledYAML returns a document as YAML text with one piece spelled in another
// way.
func mangledYAML(r *rand.Rand, v any) any {
	text, ok := asYAML(v).(string)
	if !ok {
		return v
	}
	changes := []struct{ old, new string }{
		{": 1\n", ": 0x1\n"}, {": 1\n", ": 01\n"}, {": 1\n", ": 1.0\n"}, {": 1\n", ": 1_0\n"}, {": 1\n", ": 1e3\n"}, {": 5\n", ": .inf\n"},
		{": true\n", ": yes\n"}, {": false\n", ": off\n"}, {": a\n", ": 2020-01-01\n"}, {": a\n", ": ~\n"}, {": a\n", ": !!str 5\n"},
		{"metadata:\n", "metadata: &x\n"}, {"kind: ", "1: x\nkind: "}, {"kind: ", "kind: Other\nkind: "}, {": b\n", ": |\n    b\n"},
		{"spec:\n", "? [a]\n: b\nspec:\n"}, {": {}\n", ": {a: b, a: c}\n"}, {": x\n", ": \"\\x41\"\n"}, {"\n", "\n# comment\n"}, {": ", ":\t"},
	}
	c := changes[r.IntN(len(changes))]
	return strings.Replace(text, c.old, c.new, 1)
}
