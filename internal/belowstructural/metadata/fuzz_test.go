package metadata

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation"
	kjson "sigs.k8s.io/json"
)

func reprint(value any) string { return fmt.Sprintf("%#v", value) }

// FuzzCoerce coerces anything. There is no panic, the argument stays as it is,
// and the result is in normal form. The check that allocates nothing agrees
// with the decoder.
func FuzzCoerce(f *testing.F) {
	seed, _ := json.Marshal(normalMetadata())
	for _, text := range []string{string(seed), `{"labels":{"a":null},"generation":2.0}`, `{"ownerReferences":[null,{"zz":1}]}`, `{"creationTimestamp":"x"}`, `7`, `null`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var value any
		if kjson.UnmarshalCaseSensitivePreserveInts(data, &value) != nil {
			return // only JSON values are coerced
		}
		before := reprint(value)
		for _, mode := range []Mode{Strict, Drop} {
			got, err := Coerce(value, mode)
			if reprint(value) != before {
				t.Fatalf("the argument was changed: %s", data)
			}
			if err != nil {
				continue
			}
			object, isObject := value.(map[string]any)
			if !got.Changed && (!isObject || len(got.Unknown) > 0 || !sameAsRebuilt(object)) {
				t.Fatalf("left unchanged though rebuilding changes it: %s", data)
			}
			again, err := Coerce(got.Metadata, Strict)
			if err == nil && len(again.Unknown) > 0 {
				t.Fatalf("unknown fields after coercion: %v", again.Unknown)
			}
		}
	})
}

func sameAsRebuilt(metadata map[string]any) bool {
	rebuilt, _, err := decode(&objectMetaSpec, metadata, sortedKeys(metadata))
	return err == nil && reprint(rebuilt) == reprint(metadata)
}

// FuzzNames compares each check of a name with its plain twin, which always
// asks the library.
func FuzzNames(f *testing.F) {
	for _, s := range []string{
		"", "a", "A-b", "x.io/Name_1", "a/b/c", "-a", "a-", "9x", "K", strings.Repeat("a", 64),
		strings.Repeat("a.", 127), "é",
	} {
		f.Add(s)
	}
	twins := map[string][2]func(string) []string{
		"qualified name": {qualifiedNameErrors, func(s string) []string { return newest(validation.IsQualifiedName(s)) }},
		"label value":    {labelValueErrors, func(s string) []string { return newest(validation.IsValidLabelValue(s)) }},
		"label":          {dnsLabelErrors, validation.IsDNS1123Label},
		"subdomain":      {subdomainErrors, validation.IsDNS1123Subdomain},
		"annotation key": {annotationKeyErrors, func(s string) []string { return newest(validation.IsQualifiedName(strings.ToLower(s))) }},
		"kind":           {kindErrors, func(s string) []string { return validation.IsDNS1035Label(strings.ToLower(s)) }},
	}
	f.Fuzz(func(t *testing.T, s string) {
		for name, twin := range twins {
			if got, want := twin[0](s), twin[1](s); reprint(got) != reprint(want) &&
				len(got)+len(want) > 0 {
				t.Errorf("%s %q: %q, want %q", name, s, got, want)
			}
		}
	})
}
