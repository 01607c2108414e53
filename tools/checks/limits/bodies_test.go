package limits_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/test/requests"
)

// hostile are bodies that are large in one way each.
func hostile(size int) map[string]string {
	var unknown, owners, items strings.Builder
	for i := range size {
		fmt.Fprintf(&unknown, `"x%d":null,`, i)
		fmt.Fprintf(&owners, `{"apiVersion":"v1","kind":"P","name":"p","uid":"u%d"},`, i)
		items.WriteString(`{"a":{"b":[null]}},`)
	}
	list := func(b *strings.Builder) string { return strings.TrimSuffix(b.String(), ",") }
	return map[string]string{
		"unknown fields": `{` + requests.Head + `,"spec":{` + unknown.String() + `"a":"x"}}`,
		"owners":         `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","ownerReferences":[` + list(&owners) + `]},"spec":{}}`,
		"finalizers":     `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","finalizers":["a` + strings.Repeat(`","a`, size) + `"]},"spec":{}}`,
		"one list":       `{` + requests.Head + `,"spec":{"o":{"l":[` + list(&items) + `]}}}`,
		"nesting":        `{` + requests.Head + `,"spec":{"o":` + strings.Repeat(`{"a":[`, min(size, 4000)) + strings.Repeat(`]}`, min(size, 4000)) + `}}`,
		"duplicates":     `{` + requests.Head + `,"spec":{` + strings.Repeat(`"a":"x",`, size) + `"a":"x"}}`,
	}
}

// Large and hostile bodies are admitted, unless a strict request has unknown or
// duplicate fields.
func TestHostileBodies(t *testing.T) {
	def := requests.Parse(t, strings.Replace(requests.DefinitionText, `"o": {"type": "object"}`, `"o": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}`, 1))
	v, err := def.Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	for name, body := range hostile(20_000) {
		for choice, option := range map[string]crdsem.Option{
			"Warn":   crdsem.FieldValidation(crdsem.Warn),
			"Strict": crdsem.FieldValidation(crdsem.Strict),
			"YAML":   crdsem.Format(crdsem.YAML),
		} {
			want := crdsem.StageAdmitted
			if choice == "Strict" && (name == "unknown fields" || name == "duplicates") {
				want = crdsem.StageDecode
			}
			if r := v.CreateBytes(context.Background(), []byte(body), option); r.Stage != want {
				t.Errorf("%s, %s: %s, want %s (%.200v %.200v)", name, choice, r.Stage, want,
					r.Err(), r.Errors)
			}
		}
	}
}

// BenchmarkGrowth shows that ten times the size takes about ten times as long.
func BenchmarkGrowth(b *testing.B) {
	v := requests.Version(b, "v1")
	for _, size := range []int{1_000, 10_000, 100_000} {
		for name, body := range hostile(size) {
			b.Run(fmt.Sprintf("%s/%d", name, size), func(b *testing.B) {
				b.SetBytes(int64(len(body)))
				for b.Loop() {
					v.CreateBytes(context.Background(), []byte(body), crdsem.Format(crdsem.JSON))
				}
			})
		}
	}
}
