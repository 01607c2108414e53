package crd

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// Each value of a definition with every field is replaced in turn. The fast
// reader, where it takes the document, and the exact decoder then give the same
// definition, in each form and minor.
func TestFastReaderAgreesOnEveryField(t *testing.T) {
	counts := map[outcome]int{}
	for _, file := range []string{"testdata/v1.json", "testdata/v1beta1.json"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, minor := range []profile.Minor{profile.Oldest, profile.Newest} {
			root := decodedJSON(t, text)
			others := values
			if minor != profile.Newest {
				others = values[:3]
			}
			eachChange(root, others, func(path string) {
				name := fmt.Sprintf("%s, %v, %s", file, minor, path)
				counts[agrees(t, name, root, profile.Of(minor))]++
			})
		}
	}
	// It hands over apiVersion and kind of null, and lists for caBundle.
	if counts[handedOver] != 10 || counts[taken] < 1000 {
		t.Errorf("got %v", counts)
	}
}

// outcome is what the fast reader does with a document.
type outcome string

const (
	taken      outcome = "taken"
	handedOver outcome = "handed over"
	refused    outcome = "refused" // by the exact decoder as well
)

func decodedJSON(t *testing.T, text []byte) any {
	t.Helper()
	value, _, err := jsonvalue.DecodeJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// agrees compares the two decoders.
func agrees(t *testing.T, name string, root any, p *profile.Profile) outcome {
	t.Helper()
	text, err := json.Marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	got, strict, ok := fastDefinition(text, p)
	want, wantStrict, err := exactDefinition(text, p)
	switch {
	case !ok && err != nil:
		return refused
	case !ok:
		return handedOver
	case err != nil || fmt.Sprint(strict) != fmt.Sprint(wantStrict) || !SemanticEqual(got, want):
		t.Errorf("%s: got %+v, %v, want %+v, %v, %v", name, got, strict, want, wantStrict, err)
	}
	return taken
}

// values are of the kinds that fields have.
var values = []any{nil, int64(1), "x", 1.5, int64(1 << 40), "YQ==", "2026-11-25T15:04:05Z", true,
	[]any{nil}, []any{"x"}, map[string]any{"type": "string", "x": nil}}

// eachChange calls a function for the value, and with each part of it replaced
// or with a new field.
func eachChange(root any, others []any, do func(path string)) {
	do("unchanged")
	eachPart(root, "", func(path string, set func(any), old any) {
		for _, other := range others {
			set(other)
			do(fmt.Sprintf("%s = %v", path, other))
		}
		set(old)
		if object, ok := old.(map[string]any); ok {
			object["unheard"] = int64(1)
			do(path + " and a field")
			delete(object, "unheard")
		}
	})
}

// eachPart calls a function for each member and item below a value.
func eachPart(value any, path string, do func(path string, set func(any), old any)) {
	switch value := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			old := value[key]
			do(path+"."+key, func(v any) { value[key] = v }, old)
			eachPart(old, path+"."+key, do)
		}
	case []any:
		for i, old := range value {
			at := fmt.Sprintf("%s[%d]", path, i)
			do(at, func(v any) { value[i] = v }, old)
			eachPart(old, at, do)
		}
	}
}
