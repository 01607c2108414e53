package definition_test

import (
	"testing"

	"github.com/crdsem/crdsem/internal/test/corpus"
)

// beta converts a document of v1 to v1beta1, with the schema and the
// subresources either at the top or in the versions.
func (g generator) beta(crd map[string]any) map[string]any {
	out := deepCopy(crd).(map[string]any)
	out["apiVersion"] = "apiextensions.k8s.io/v1beta1"
	m := newMutator(g, out)
	spec := m.spec()
	spec["preserveUnknownFields"] = pick[any](g, false, false, false, true, nil)
	if g.oneIn(3) {
		spec["version"] = pick(g, "v1", "v2", "")
	}
	for _, v := range m.versions() {
		columns, _ := v["additionalPrinterColumns"].([]any)
		for _, c := range columns {
			if column, ok := c.(map[string]any); ok && !g.oneIn(5) {
				column["JSONPath"] = column["jsonPath"]
				delete(column, "jsonPath")
			}
		}
	}
	for _, top := range [...]string{
		"additionalPrinterColumns", "selectableFields", "subresources", "validation",
	} {
		if !g.oneIn(2) {
			continue
		}
		inVersion := top
		if top == "validation" {
			inVersion = "schema"
		}
		for _, v := range m.versions() {
			spec[top] = v[inVersion]
			if !g.oneIn(6) {
				delete(v, inVersion)
			}
		}
	}
	if conversion, ok := spec["conversion"].(map[string]any); ok {
		if webhook, ok := conversion["webhook"].(map[string]any); ok {
			delete(conversion, "webhook")
			conversion["webhookClientConfig"] = webhook["clientConfig"]
			conversion["conversionReviewVersions"] = webhook["conversionReviewVersions"]
		}
	}
	if g.oneIn(8) {
		delete(spec, "versions")
	}
	return out
}

// Definitions of v1beta1 are decoded and validated as by the real code:
// generated ones, and small real ones.
func TestBeta(t *testing.T) {
	g := newGenerator(uint64(number(t, "CRDSEM_SEED", 1)), 5)
	t.Run("made", func(t *testing.T) { compareBetas(t, g, g.definition) })
	t.Run("real", func(t *testing.T) {
		var small []map[string]any
		for _, file := range corpus.Definitions(t) {
			if len(file.Text) < 6000 {
				small = append(small, document(t, file))
			}
		}
		compareBetas(t, g,
			func() map[string]any { return deepCopy(pick(g, small...)).(map[string]any) })
	})
}

// compareBetas compares the verdicts on definitions in the form of v1beta1,
// some of them mutated.
func compareBetas(t *testing.T, g generator, source func() map[string]any) {
	t.Helper()
	kinds, valid, cases := mutations(), 0, 0
	for range number(t, "CRDSEM_CASES", 3000) / 20 {
		crd := source()
		object(crd, "metadata")["resourceVersion"] = "1"
		for range g.IntN(3) {
			pick(g, kinds...).apply(newMutator(g, crd))
		}
		old, next := g.beta(crd), g.beta(crd)
		for _, from := range []map[string]any{nil, old} {
			switch compareMutant(t, next, from) {
			case "":
				t.FailNow()
			case "valid":
				valid++
			}
			cases++
		}
	}
	t.Logf("%d cases, %d valid", cases, valid)
}
