package judge_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/app/repository"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/kit/manifest"
)

// refusing is a Sender that refuses the items of a list l.
type refusing struct{}

func (refusing) Send(
	_ context.Context, doc *manifest.Document, object map[string]any, _ []*manifest.Error,
) *verdict.Result {
	r := judge.NewResult(doc, object)
	r.Verdict = verdict.Refused
	items, _ := object["l"].([]any)
	for i := range items {
		r.Findings = append(r.Findings, verdict.Finding{
			Severity: verdict.Error, Field: fmt.Sprintf("l[%d]", i), Type: "FieldValueInvalid",
		})
	}
	return r
}

// The file of a patch is read once for an object, however many findings are
// placed in it.
func TestPatchIsReadOnce(t *testing.T) {
	const patch = "apiVersion: a.io/v1\nkind: K\nmetadata: {name: w}\nl:\n- a\n- b\n- c\n"
	var owners repository.Owners
	owners.ReadFile = func(string, string) (string, bool) { return patch, true }
	owners.ReadResources("/r", map[string]any{
		"resources": []any{"a.yaml"}, "patches": []any{map[string]any{"path": "p.yaml"}},
	})
	reads := 0
	p := judge.Repository{LeftOut: judge.LeftOut{
		Patched: func(file string, object map[string]any) []repository.Patched {
			return owners.Patched(file, object, nil)
		},
		Documents: func(file string) (all []*manifest.Document) {
			reads++
			for doc, err := range manifest.Read(file, strings.NewReader(patch)) {
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, doc)
			}
			return all
		},
	}}
	doc := read(t, "apiVersion: a.io/v1\nkind: K\nmetadata: {name: w}\n")[0]
	object, _ := decoded(t, doc)
	o := manifest.Object{Document: doc, Content: object}
	r := p.Send(t.Context(), refusing{}, "/r/a.yaml", o)
	for i, f := range r.Findings {
		if f.File != "/r/p.yaml" || f.Line != 5+i {
			t.Errorf("finding %d is at %s:%d", i, f.File, f.Line)
		}
	}
	if len(r.Findings) != 3 || reads != 1 {
		t.Errorf("%+v: the patch was read %d times", r, reads)
	}
}
