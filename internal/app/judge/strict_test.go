package judge_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/minors"
)

// Duplicate keys of a definition and unknown fields are warnings, errors or
// nothing, also if it is an item of a list.
func TestStrictDefinitions(t *testing.T) {
	written := strings.Replace(hosts, "  scope: Namespaced\n", "  scope: Namespaced\n"+
		"  scope: Namespaced\n  other: 1\n", 1)
	written = strings.Replace(written, "apiVersion: ", "apiVersion: a/v1\napiVersion: ", 1)
	list := "apiVersion: v1\nkind: List\nitems:\n- " +
		strings.ReplaceAll(strings.TrimSpace(written), "\n", "\n  ")
	const (
		counts  = "the key occurs twice in one object; remove one"
		dropped = "a definition has no such field; the server drops it"
	)
	for _, c := range []struct {
		name, text string
		level      crdsem.Strictness
		verdict    verdict.Verdict
		want       []string
	}{
		{"warn", written, "", verdict.Accepted, []string{
			"warning 9:3 " + dropped, "warning 2:1 " + counts, "warning 8:3 " + counts,
		}},
		{"ignore", written, crdsem.Ignore, verdict.Accepted, nil},
		{"strict", written, crdsem.Strict, verdict.Refused, []string{
			"error 9:3 " + dropped, "error 2:1 " + counts, "error 8:3 " + counts,
		}},
		{"item", list, crdsem.Strict, verdict.Refused, []string{
			"error 12:5 " + dropped, "error 5:3 " + counts, "error 11:5 " + counts,
		}},
	} {
		in, err := minors.ParseRange("1.37")
		if err != nil {
			t.Fatal(err)
		}
		p := judge.NewPanel(judge.Judge{FieldValidation: c.level}, in)
		doc := read(t, c.text)[0]
		object, strict := decoded(t, doc)
		if items, isList, _ := doc.Items(object, strict); isList {
			doc = items[0]
			object, strict = decoded(t, doc)
		}
		found := p.Check(t.Context(), doc, object, strict)
		r := p.Add(found)
		var got []string
		for _, f := range r.Findings {
			if f.Rule == "PIPE-006" {
				got = append(got, fmt.Sprintf("%s %d:%d %s", f.Severity, f.Line, f.Column, f.Hint))
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" || r.Verdict != c.verdict {
			t.Errorf("%s: %s %s", c.name, r.Verdict, diff)
		}
		host := map[string]any{"apiVersion": "example.com/v1", "kind": "Host"}
		other := map[string]any{"apiVersion": "example.com/v1", "kind": "A"}
		if !p.Defines(host) || p.Defines(other) {
			t.Errorf("%s: the kinds of the definition are not known", c.name)
		}
		if names := found[0].Names(); names.Kind != "Host" || names.Plural != "hosts" {
			t.Errorf("%s: names %+v", c.name, names)
		}
		if found[0].Compiled() == nil {
			t.Errorf("%s: not compiled", c.name)
		}
		found[0].Release()
		if found[0].Compiled() != nil || found[0].CRD != nil || found[0].Names().Kind != "Host" {
			t.Errorf("%s: not released", c.name)
		}
	}
}

// Duplicate keys of an object of an unknown kind are found, too.
func TestDuplicatesOfUnknownKinds(t *testing.T) {
	in, err := minors.ParseRange("1.37")
	if err != nil {
		t.Fatal(err)
	}
	for level, want := range map[crdsem.Strictness]string{
		"": "notJudged: " +
			"warning 2:1 two documents may be joined: put a line --- between them; " +
			"warning 5:1 remove one; ",
		crdsem.Strict: "refused: " +
			"error 2:1 two documents may be joined: put a line --- between them; " +
			"warning 5:1 remove one; ",
		crdsem.Ignore: "notJudged: ",
	} {
		p := judge.NewPanel(judge.Judge{FieldValidation: level}, in)
		doc := read(t, "apiVersion: a.b/v1\napiVersion: a.b/v1\nkind: A\nspec: 1\nspec: 2\n")[0]
		object, strict := decoded(t, doc)
		r := p.Send(t.Context(), doc, object, strict)
		got := fmt.Sprintf("%s: ", r.Verdict)
		for _, f := range r.Findings {
			if f.Rule == "PIPE-006" {
				got += fmt.Sprintf("%s %d:%d %s; ", f.Severity, f.Line, f.Column, f.Hint)
			}
		}
		if got != want {
			t.Errorf("%q: %s, want %s", level, got, want)
		}
	}
}
