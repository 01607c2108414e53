package judge_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/kit/advice/lint"
)

// settings are the judges that the names of cases begin with. Other names begin
// with the minors that judge.
var settings = map[string]judge.Judge{
	"warn":    {},
	"ignore":  {FieldValidation: crdsem.Ignore},
	"strict":  {FieldValidation: crdsem.Strict},
	"details": {Details: judge.AllDetails},
	"update":  {Requests: judge.UpdateOnly},
	"status":  {Requests: judge.UpdateStatus},
	"sent":    {SendTo: "v2"},
	"stored":  {Details: judge.StoredObjects},
	"lint":    {Lint: lint.Settings{}},
	"published": {Published: func(group, kind string) string {
		return map[string]string{"e.i Stored": "there", "e.io Storeds": "here"}[group+" "+kind]
	}},
	"refusing": {Unknown: judge.RefuseUnknown},
}

// whole returns a result with everything that it holds.
func whole(r *verdict.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s %s %s\n", r.Verdict, r.Reason, r.Request, r.Version, r.Refusal)
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "%s %d:%d %s %s: %s", f.Severity, f.Line, f.Column, f.Rule, f.Field, f.Text)
		if f.Hint != "" {
			fmt.Fprintf(&b, " (%s)", f.Hint)
		}
		if len(f.Kubernetes) > 0 {
			fmt.Fprint(&b, " in ", f.Kubernetes)
		}
		b.WriteByte('\n')
	}
	for _, m := range r.Minors {
		fmt.Fprintln(&b, m.Kubernetes, m.Verdict)
	}
	for i := range r.Turns {
		fmt.Fprintln(&b, "turn:", r.Turns[i].Text())
	}
	for _, note := range r.Notes {
		fmt.Fprintln(&b, "note:", note)
	}
	for _, c := range r.Changes {
		fmt.Fprintln(&b, "change:", c.Action, c.Path)
	}
	if r.Rules != "" {
		fmt.Fprintln(&b, "rules:", r.Rules, r.RulesCost)
	}
	for _, e := range r.Explanations {
		fmt.Fprintf(&b, "explanation: %+v\n", e)
	}
	return b.String()
}

// The file of outcomes holds documents with their whole results: the name of a
// case, the document, a line of dashes, the result.
func TestOutcomes(t *testing.T) {
	file, err := os.ReadFile("testdata/outcomes.txt")
	if err != nil {
		t.Fatal(err)
	}
	prelude, cases, _ := strings.Cut(string(file), "\n=== ")
	for c := range strings.SplitSeq(strings.TrimSuffix(cases, "\n"), "\n=== ") {
		name, rest, _ := strings.Cut(c, "\n")
		text, want, _ := strings.Cut(rest, "\n----\n")
		t.Run(name, func(t *testing.T) {
			setting, _, _ := strings.Cut(name, ":")
			like, known := settings[setting]
			span := "1.37"
			if !known {
				span = setting
			}
			p, results := panel(t, like, span, prelude)
			for i, stored := range []string{"stored", "other"} {
				text := fmt.Sprintf("apiVersion: e.io/v1\nkind: Stored\nmetadata: "+
					"{name: %s, resourceVersion: '%d'}\nk: -1\n", stored, 7+i)
				object, _ := decoded(t, read(t, text)[0])
				if err := p.Store(object); err != nil {
					t.Fatal(err)
				}
			}
			doc := read(t, text+"\n")[0]
			object, strict := decoded(t, doc)
			var r *verdict.Result
			if object["kind"] == "CustomResourceDefinition" {
				r = p.Add(p.Check(t.Context(), doc, object, strict))
			} else {
				r = p.Send(t.Context(), doc, object, strict)
			}
			judge.IgnoreComments(doc, r)
			if diff := cmp.Diff(want, strings.TrimSuffix(whole(r), "\n")); diff != "" {
				t.Error(diff)
			}
			if results[0].Verdict != verdict.Accepted {
				t.Errorf("the definition: %s", whole(results[0]))
			}
		})
	}
}
