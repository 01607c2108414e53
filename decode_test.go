package crdsem_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/test/requests"
)

// noJSON are values that no JSON document holds.
func noJSON() map[string]any {
	cyclic := map[string]any{}
	cyclic["spec"] = cyclic
	return map[string]any{
		"NaN":              math.NaN(),
		"infinity":         math.Inf(-1),
		"int":              7,
		"list of texts":    []string{"a"},
		"cyclic":           cyclic,
		"bytes":            "a\xff",
		"a surrogate":      "\xed\xa0\x80",
		"a key of bytes":   map[string]any{"a\xff": "b"},
		"bytes in a list":  []any{"a", "\xc0"},
		"bytes in unknown": map[string]any{"unknown": map[string]any{"deep": "\xff"}},
	}
}

// An object that no JSON document holds is refused by every verb with a
// *ValueError, wherever the value is.
func TestValuesThatAreNotJSON(t *testing.T) {
	const head = `{"apiVersion":"g.io/v1","kind":"K",
"metadata":{"name":"n","resourceVersion":"1"},"spec":{}}`
	ctx := t.Context()
	v := requests.Version(t, "v1")
	def := requests.Parse(t, requests.DefinitionText)
	type object = map[string]any
	places := map[string]func(o object, value any){
		"a field":           func(o object, value any) { o["spec"] = object{"a": value} },
		"an unknown field":  func(o object, value any) { o["other"] = value },
		"a preserved field": func(o object, value any) { o["spec"] = object{"o": value} },
		"the kind":          func(o object, value any) { o["kind"] = value },
		"the apiVersion":    func(o object, value any) { o["apiVersion"] = value },
		"the metadata":      func(o object, value any) { o["metadata"] = object{"name": value} },
		"a label": func(o object, value any) {
			o["metadata"] = object{"name": "n", "labels": object{"l": value}}
		},
	}
	verbs := map[string]func(o object) error{
		"create": func(o object) error { return v.Create(ctx, o).Err() },
		"update": func(o object) error {
			return v.Update(ctx, o, requests.Object(t, head)).Err()
		},
		"store": func(o object) error { return def.Store(ctx, o).Err() },
		"read":  func(o object) error { return v.Read(ctx, o).Err() },
		"convert": func(o object) error {
			_, err := def.Convert(ctx, o, "g.io/v1beta1")
			return err
		},
		"convert a list": func(o object) error {
			list := object{"apiVersion": "g.io/v1", "kind": "KList", "items": []any{o}}
			_, err := def.ConvertList(ctx, list, "g.io/v1beta1")
			return err
		},
	}
	for value, bad := range noJSON() {
		for place, put := range places {
			for verb, do := range verbs {
				object := requests.Object(t, head)
				put(object, bad)
				if err := do(object); !isValueError(err) {
					t.Errorf("%s of %s in %s: %T %v", verb, value, place, err, err)
				}
			}
		}
	}
}

func isValueError(err error) bool {
	_, ok := errors.AsType[*crdsem.ValueError](err)
	return ok
}

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
