package judge_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/app/verdict"
)

// first returns the place, the field and the hint of a result's first finding.
func first(t *testing.T, r *verdict.Result) string {
	t.Helper()
	if len(r.Findings) == 0 {
		t.Fatalf("%+v has no findings", r)
	}
	f := r.Findings[0]
	return fmt.Sprintf("%d:%d %s: %s", f.Line, f.Column, f.Field, f.Hint)
}

// The server's text about a value of a wrong type names no index and no key;
// before 1.35 it does not name what is below items. The finding names both.
func TestMistypedDefinition(t *testing.T) {
	const at = "spec.versions[0].schema.openAPIV3Schema.properties[address].items.maxLength"
	const schema = "{type: array, items: {type: string, maxLength: "
	begin := strings.Index(hosts, "{type: string, maxLength: 9")
	for _, c := range []struct{ written, want string }{
		{`"9"`, "18:67 " + at + ": `" + at + "` is no string; write it without quotes"},
		{`x`, "18:67 " + at + ": the error is about the value of `" + at + "`"},
	} {
		text := hosts[:begin] + schema + c.written + "}}\n"
		for _, minor := range []string{"1.30", "1.37"} {
			_, results := panel(t, judge.Judge{}, minor, text)
			if got := first(t, results[0]); got != c.want {
				t.Errorf("%s:\ngot  %s\nwant %s", minor, got, c.want)
			}
		}
	}
}

// Hints on objects quote the text of the file, not the decoded value.
func TestHintsQuoteTheFile(t *testing.T) {
	p, _ := panel(t, judge.Judge{}, "1.37", strings.Replace(hosts, "maxLength: 2", "maxLength: 4",
		1))
	for _, c := range []struct{ metadata, name, want string }{
		{"{name: h}", "0x1F", "4:7 name: the value 31 is of type integer, the schema wants string; " +
			"write it in quotes: `\"0x1F\"`"},
		{"{name: h}", "yes", "4:7 name: the value true is of type boolean, the schema wants string; " +
			"write it in quotes: `\"yes\"`"},
		{"{name: h, labels: {on: no}}", "a", "3:34 metadata.labels[true]: " +
			"`metadata.labels[true]` is a string; write it in quotes: `\"no\"`"},
		{"{name: h, labels: {a: [1]}}", "a", "3:33 metadata.labels[a]: " +
			"the error is about the value of `metadata.labels[a]`"},
		{`{name: h, finalizers: "x"}`, "a", "3:33 metadata.finalizers: " +
			"the error is about the value of `metadata.finalizers`"},
		{"{name: h}", "a\non: 1", "5:1 true: `on` is the boolean true in YAML 1.1; " +
			"write it in quotes: `\"on\"`"},
	} {
		doc := read(t, "apiVersion: example.com/v1\nkind: Host\nmetadata: "+c.metadata+
			"\nname: "+c.name+"\n")[0]
		object, strict := decoded(t, doc)
		if got := first(t, p.Send(t.Context(), doc, object, strict)); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
	}
}

// Findings of one long line share its text.
func TestFindingsShareTheLine(t *testing.T) {
	long := `{"apiVersion":"a/v1","kind":"K","x":"` + strings.Repeat("x", 1<<20) + `"}`
	f := &judge.Finder{
		Document: read(t, long)[0], TextHint: func(string) string { return "" },
	}
	f.Texts(verdict.Error, "", "x") // reads the positions
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 1000 {
		if found := f.Texts(verdict.Error, "", "x"); len(found[0].Source) < 1<<20 {
			t.Fatalf("the line has %d bytes", len(found[0].Source))
		}
	}
	runtime.ReadMemStats(&after)
	if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 64<<20 {
		t.Errorf("1000 findings took %d bytes", bytes)
	}
}
