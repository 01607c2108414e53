package validation

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/test/testschema"
)

// endsAfter is a context that ends when it is looked at the n-th time.
type endsAfter struct {
	context.Context
	left *int
}

func (c endsAfter) Err() error {
	if *c.left--; *c.left > 0 {
		return nil
	}
	return context.Canceled
}

func (c endsAfter) Value(any) any { return nil } // its cause is that of Err

// tower is a schema of lists whose items go through 2^levels branches.
func tower(t testing.TB, junctor string, levels int) *Validator {
	items := `{"pattern":"^b"}`
	for range levels {
		items = fmt.Sprintf(`{"%s":[%s,%s]}`, junctor, items, items)
	}
	return Compile(testschema.Schema(t, `{"type":"object","properties":{"l":{"type":"array",`+
		`"items":{"type":"string",`+strings.TrimPrefix(items, "{")+`}}}`))
}

func manyStrings(n int) map[string]any {
	list := make([]any, n)
	for i := range list {
		list[i] = "a"
	}
	return map[string]any{"l": list}
}

// isStopped reports whether errors are those of a validation that was ended.
func isStopped(errs field.ErrorList) bool {
	return len(errs) == 1 && errs[0].Type == field.ErrorTypeInternal &&
		strings.Contains(errs[0].Detail, "context canceled")
}

// A validation ends soon after its context, in the walk that finds no errors
// and in the one that collects them.
func TestValidationEndsWithItsContext(t *testing.T) {
	object := manyStrings(3000)
	for _, junctor := range []string{"allOf", "anyOf", "oneOf"} {
		v := tower(t, junctor, 5)
		for _, looks := range []int{1, 2, 40} {
			left := looks
			errs := v.Values(endsAfter{t.Context(), &left}, nil, object)
			if !isStopped(errs) {
				t.Errorf("%s, %d looks: %d errors", junctor, looks, len(errs))
			}
			if left < -3 {
				t.Errorf("%s: %d looks after the context's end", junctor, -left)
			}
		}
		if errs := v.Values(t.Context(), nil, object); len(errs) == 0 || isStopped(errs) {
			t.Errorf("%s: %d errors", junctor, len(errs))
		}
	}
}

// Every method ends with its context, and does not ratchet.
func TestMethodsEndWithTheirContext(t *testing.T) {
	v := Compile(testschema.Schema(t, `{"type":"object","properties":{
"status":{"type":"array","items":{"type":"string","pattern":"^b"}},
"l":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}},
"m":{"type":"array","items":{"type":"object","x-kubernetes-embedded-resource":true,
  "x-kubernetes-preserve-unknown-fields":true}}}}`))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	object := manyStrings(3000)
	object["status"], object["m"] = object["l"], make([]any, 3000)
	second := func(errs, ratcheted field.ErrorList) field.ErrorList {
		return append(errs, ratcheted...)
	}
	for name, errs := range map[string]field.ErrorList{
		"Values":             v.Values(ctx, nil, object),
		"EmbeddedResources":  v.EmbeddedResources(ctx, nil, object),
		"ListTypes":          v.ListTypes(ctx, object),
		"ValuesUpdate":       second(v.ValuesUpdate(ctx, object, object)),
		"StatusValuesUpdate": second(v.StatusValuesUpdate(ctx, object, object)),
		"ListTypesUpdate":    second(v.ListTypesUpdate(ctx, object, object)),
	} {
		if !isStopped(errs) {
			t.Errorf("%s: %d errors", name, len(errs))
		}
	}
}

// Errors end at their bound; those of branches that do not count take nothing
// of it.
func TestFindingsAreBounded(t *testing.T) {
	collected := func(junctor string, room int64) (n int, stopped bool) {
		v, w := tower(t, junctor, 5), watching(t.Context())
		w.room = room
		errs, _ := v.collect(nil, v.values, manyStrings(100), nil, w)
		last := errs[len(errs)-1]
		return len(errs), last.Type == field.ErrorTypeInternal &&
			strings.Contains(last.Detail, "256 MiB")
	}
	if n, stopped := collected("allOf", 100_000); !stopped || n > 400 {
		t.Errorf("allOf: %d errors", n)
	}
	if n, stopped := collected("allOf", 10_000_000); stopped || n < 200 {
		t.Errorf("allOf with room: %d errors", n)
	}
	const perItem = 3000
	if n, stopped := collected("anyOf", 100*perItem); stopped || n < 200 {
		t.Errorf("anyOf: %d errors", n)
	}
}

// Findings may take as much memory as there is room for.
func TestFindingsFillTheRoom(t *testing.T) {
	f := finding{err: field.Required(field.NewPath("a"), "")}
	w := watch{room: 2 * f.size()}
	for n := range 3 {
		if w.keep(f); (w.err != nil) != (n == 2) {
			t.Errorf("after %d findings: %v", n+1, w.err)
		}
	}
}
