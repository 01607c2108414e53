package judge_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/app/verdict"
)

// compiled returns the definition of a text.
func compiled(t *testing.T, text string) *crdsem.Definition {
	t.Helper()
	object, _ := decoded(t, read(t, text)[0])
	crd, _, err := definition.FromMap(object)
	if err != nil {
		t.Fatal(err)
	}
	def, err := crdsem.Compile(crd)
	if err != nil {
		t.Fatal(err)
	}
	return def
}

func TestNamespace(t *testing.T) {
	namespaced := compiled(t, hosts)
	cluster := compiled(t, strings.Replace(hosts, "Namespaced", "Cluster", 1))
	for name, c := range map[string]struct {
		def             *crdsem.Definition
		metadata        map[string]any
		want            string
		changesMetadata bool
	}{
		"given":                {namespaced, map[string]any{"namespace": "a"}, "a", false},
		"default":              {namespaced, map[string]any{"name": "n"}, "default", true},
		"without metadata":     {namespaced, nil, "default", true},
		"of a cluster":         {cluster, map[string]any{"namespace": "a"}, "", false},
		"without a definition": {nil, map[string]any{"namespace": "a"}, "", false},
	} {
		object := map[string]any{"kind": "Host"}
		if c.metadata != nil {
			object["metadata"] = c.metadata
		}
		before := fmt.Sprint(object)
		if got := judge.Namespace(c.def, object); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		placed := judge.InNamespace(c.def, object)
		metadata, _ := placed["metadata"].(map[string]any)
		if fmt.Sprint(object) != before || (fmt.Sprint(placed) != before) != c.changesMetadata ||
			c.want != "" && metadata["namespace"] != c.want || placed["kind"] != "Host" {
			t.Errorf("%s: %v becomes %v", name, before, placed)
		}
	}
}

// An object of an unknown kind has a finding if that is refused, or if a name
// is probably misspelt.
func TestFindingsOnUnknownKinds(t *testing.T) {
	for _, c := range []struct {
		unknown    judge.UnknownKinds
		kind, want string
	}{
		{judge.CountUnknown, "Elephant", ""},
		{judge.CountUnknown, "Hosts", "warning 2:7 "},
		{judge.RefuseMisspelt, "Elephant", ""},
		{judge.RefuseMisspelt, "Hosts", "error 2:7 "},
		{judge.RefuseMisspelt, "host", "error 2:7 "},
		{judge.RefuseMisspelt, "Hostess", ""},
		{judge.RefuseUnknown, "Elephant", "error 2:7 "},
		{judge.RefuseUnknown, "Hosts", "error 2:7 "},
	} {
		p, _ := panel(t, judge.Judge{Unknown: c.unknown}, "1.37", hosts)
		doc := read(t, "apiVersion: example.com/v1\nkind: "+c.kind+"\n")[0]
		object, strict := decoded(t, doc)
		if got := found(p.Send(t.Context(), doc, object, strict)); got != c.want {
			t.Errorf("%s: %q, want %q", c.kind, got, c.want)
		}
	}
}

// A tolerated error is one finding, and other warnings of the server are too.
func TestTolerated(t *testing.T) {
	const object = "apiVersion: example.com/v1\nkind: Host\nmetadata: {name: a}\n" +
		"name: long\nport: %d\n"
	p, _ := panel(t, judge.Judge{FieldValidation: crdsem.Warn}, "1.37", hosts)
	old, _ := decoded(t, read(t, fmt.Sprintf(object, 1))[0])
	if err := p.Store(old); err != nil {
		t.Fatal(err)
	}
	doc := read(t, fmt.Sprintf(object, 2)+"other: 1\n")[0]
	sent, strict := decoded(t, doc)
	r := p.Send(t.Context(), doc, sent, strict)
	var got []string
	for _, f := range r.Findings {
		got = append(got, fmt.Sprintf("%s %d %s", f.Severity, f.Line, f.Rule))
	}
	want := []string{"warning 6 PIPE-006", "tolerated 4 VAL-040"}
	if diff := cmp.Diff(want, got); diff != "" || r.Verdict != verdict.Accepted {
		t.Errorf("%s (-want +got):\n%s", r.Verdict, diff)
	}
}
