package yamlfast_test

import (
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/base/yamlfast"
	"github.com/crdsem/crdsem/internal/base/yamljson"
	"github.com/crdsem/crdsem/internal/test/corpus"
)

// The fast reader and the library agree. The list says which documents the fast
// reader must be able to read.
func TestPlainYAMLAgreesWithTheLibrary(t *testing.T) {
	for _, c := range []struct {
		name, text string
		plain      bool
	}{
		{"mapping", "a: 1\nb: x y\nc:\n  d: true\n", true},
		{"sequence below its key, same column", "a:\n- 1\n- b: 2\n  c: 3\n-\n  - x\n- - y\n  - z\nd: e\n", true},
		{"null values", "a:\nb: ~\nc: null\nd:\n- \n-\n", true},
		{"continued plain text", "a: one\n  two\n\n\n  three\nb: x\n", true},
		{"plain text below its key", "a:\n  one\n  two\nb: x\n", true},
		{"literal", "a: |\n  one\n   two\n\n  three\n\n\nb: |-\n  x\n\nc: |+\n  y\n\nd: 1\n", true},
		{"literal in a list", "- |\n  one\n- x: |-\n    two\n  z: 3\n", true},
		{"literal with a blank longer line", "a: |\n     \n  x\n", false},
		{"quotes", "a: 'it''s'\n'b': \"x\\ny\"\n\"c\": \"z\" # why\n", true},
		{"quotes over lines", "a: \"one\n  two\n\n  three\"\nb: 'x\n  y'\n", true},
		{"line breaks between quotes", "a: 'one \n\n\n two''s\n'\nb: '\n\n x  y \n z'\nc: '  '\nd: ' \n '\n", true},
		{"escapes", "a: \"one\\n  \\\"two\\\"\n  three\\\\\"\nb: \"x \\\n  \\\n  y\\\n\n z\"\nc: \"\\x41\\t\"\n", true},
		{"tab between quotes", "a: 'one\ttwo'\nb: \"one\n \ttwo\"\n", true},
		{"dots", "a: .spec.x\nb: .inf5x\nc: .5e3\nd: ..a\n", true},
		{"flow", "a: {}\nb: []\nc: [1, \"a, b\", {x: y}]\n", true},
		{"flow over lines", "a: [1,\n  2]\n", false},
		{"quotes over lines in a flow", "a: [\"b\n  c\"]\n", false},
		{"dashes", "a: --\nb: -- x\n", true},
		{"three dashes", "a: ---x\n", false},
		{"duplicate key in a flow", "a: {b: 1, b: 2}\n", false},
		{"comment in a flow", "a: {b: 1 # c }\n  }\n", false},
		{"tab in a flow", "a: [1,\t2]\n", false},
		{"line below a flow", "a: {}\n  b: 1\n", false},
		{"line below a list", "a:\n  - 1\n   - 2\nb: 1\n", false},
		{"numbers", "a: 010\nb: 1.0\nc: 1e3\nd: -5\ne: 0x10\nf: 1_000\ng: 9223372036854775808\nh: -0\ni: +1\n", true},
		{"words", "a: yes\nb: No\nc: on\nd: y\ne: 2020-01-01\nf: .inf2\n", true},
		{"word as key", "yes: 1\n", false},
		{"integer as key", "1: a\n", true},
		{"duplicate key", "a: 1\na: 2\n", false},
		{"anchor", "a: &x 1\nb: *x\n", false},
		{"comments", "# top\na: 1 # one\n  # deep\nb: x#y\n", true},
		{"document start", "---\na: 1\n", true},
		{"two documents", "a: 1\n---\nb: 1\n", false},
		{"key in plain text", "a: b: c\n", false},
		{"bad indentation", "a: 1\n  b: 2\n", false},
		{"tab", "a:\t1\n", false},
		{"folded", "a: >\n  x\n  y\n", false},
		{"carriage return", "a: 1\r\n", false},
		{"dash in continued text", "a: x\n  - y\n", true},
		{"an indented line of dashes", "  ---\na: 1\n", false},
		{"escape in a key", "\"\\x41\": 1\n", false},
		{"comment in a key", "x #y: 1\n", false},
		{"directive", "%a: 1\n", false},
		{"end of a document", "- a\n...\n", false},
		{"line of a tab", "a: 1\n\t\n", false},
		{"colon inside a word", "a: http://x:1/\nb:c: 2\n", true},
	} {
		if _, ok := yamlfast.Decode([]byte(c.text), yamljson.Decode); ok != c.plain {
			t.Errorf("%s: read directly %v, want %v", c.name, ok, c.plain)
		}
		agree(t, c.name, []byte(c.text))
	}
}

func agree(t *testing.T, name string, data []byte) {
	t.Helper()
	got, ok := yamlfast.Decode(data, yamljson.Decode)
	if !ok {
		return
	}
	want, strict, err := yamljson.Decode(data)
	if err != nil || len(strict) > 0 {
		t.Fatalf("%s: read directly, but the library says %v %v of\n%s", name, err, strict, data)
	}
	if !jsonvalue.Equal(got, want) {
		t.Fatalf("%s: got %#v, the library reads %#v from\n%s", name, got, want, data)
	}
}

// The fast reader reads nearly every real manifest, and as the library does.
func TestPlainYAMLOnRealManifests(t *testing.T) {
	files, direct := corpus.Manifests(t), 0
	for _, file := range files {
		if _, ok := yamlfast.Decode(file.Text, yamljson.Decode); ok {
			direct++
			agree(t, file.Path, file.Text)
		}
	}
	t.Logf("%d of %d files read directly", direct, len(files))
	if direct*10 < len(files)*9 {
		t.Errorf("only %d of %d files read directly", direct, len(files))
	}
}

func FuzzYAML(f *testing.F) {
	f.Add("a: 1\nb:\n- x: |\n    text\n  y: \"q\"\n")
	f.Add("a: one\n  two\n\n  three\nb: {c: d}\n")
	f.Add("a: 'b ''c\n\n d'\ne: \"f\\n \\\n  g\\\"\n h\"\ni: .jklmn\n")
	f.Add("- - a\n  - b: c\n    d: 'e'\n- f\n")
	f.Fuzz(func(t *testing.T, text string) {
		agree(t, "fuzz", []byte(text))
		agree(t, "fuzz", []byte(strings.ReplaceAll(text, "~", "\n  ")+"\n"))
	})
}
