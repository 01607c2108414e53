package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	"github.com/crdsem/crdsem/kit/builtin"
	"github.com/crdsem/crdsem/structural"
)

// values are written into every field of every kind.
var values = []any{
	nil, "text", "", "3", "2020-01-02T03:04:05Z", "2020-01-02T03:04:05.123456Z", "YQ==", "1Gi",
	int64(7), int64(-1), int64(math.MaxInt32 + 1), 1.5, true,
	[]any{}, []any{nil}, []any{"text"}, []any{int64(7)}, []any{map[string]any{}},
	map[string]any{}, map[string]any{"nonsense": int64(1)}, map[string]any{"nonsense": "text"},
}

// A value of each type in each field of each kind decodes by the Go types of
// Kubernetes if and only if the structure has it, and both find the same
// unknown fields.
func TestDecode(t *testing.T) {
	const shown = 30
	objects, refused, unknown, failed := 0, 0, 0, 0
	for _, kind := range builtin.Kinds(newest) {
		gvk := schema.GroupVersionKind{Group: kind.Group, Version: kind.Version, Kind: kind.Kind}
		if !legacyscheme.Scheme.Recognizes(gvk) {
			t.Logf("%s is of another program", kind.Type)
			continue
		}
		each(kind.Schema(), nil, func(s *structural.Schema, at place) {
			for _, value := range values {
				_, isObject := value.(map[string]any)
				if isObject && s.Type() == "object" && s.PreservesUnknownFields() {
					continue // a model within itself
				}
				object := at.holding(value)
				object["apiVersion"], object["kind"] = kind.APIVersion(), kind.Kind
				want := decodes(object, gvk)
				got := isRead(kind, object)
				objects++
				if want.err != nil {
					refused++
				}
				unknown += len(want.unknown)
				if (want.err != nil) == (got.err != nil) &&
					slices.Equal(want.unknown, got.unknown) {
					continue
				}
				if failed++; failed < shown {
					t.Errorf("%s %s = %#v: %v, want %v", kind.Type, at, value, got, want)
				}
			}
		})
	}
	t.Logf("%d objects, %d refused, %d unknown fields, %d differ",
		objects, refused, unknown, failed)
	if failed > 0 {
		t.Errorf("%d of %d objects differ", failed, objects)
	}
}

// outcome is what a decoder makes of an object.
type outcome struct {
	unknown []string
	err     error
}

func (o outcome) String() string { return fmt.Sprintf("unknown %q, error %v", o.unknown, o.err) }

// decodes decodes by the Go types.
func decodes(object map[string]any, gvk schema.GroupVersionKind) outcome {
	_, strict, err := defaulted(object, gvk)
	if err != nil {
		return outcome{nil, err} // a decoder that fails finds no unknown fields
	}
	var out outcome
	if found, ok := runtime.AsStrictDecodingError(strict); ok {
		for _, err := range found.Errors() {
			name := strings.TrimPrefix(err.Error(), `unknown field "`)
			out.unknown = append(out.unknown, strings.TrimSuffix(name, `"`))
		}
	}
	slices.Sort(out.unknown)
	return out
}

// isRead reads by the structure.
func isRead(kind *builtin.Kind, object map[string]any) outcome {
	r := kind.Validate(context.Background(), object)
	for _, err := range r.Errors {
		if err.Type == field.ErrorTypeTypeInvalid || err.Origin == "VAL-054" {
			return outcome{nil, err}
		}
	}
	slices.Sort(r.Unknown)
	return outcome{r.Unknown, nil}
}
