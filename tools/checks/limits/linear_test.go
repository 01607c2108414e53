package limits_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
)

// many joins what each returns for 0 to n-1 by commas.
func many(n int, each func(i int) string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = each(i)
	}
	return strings.Join(parts, ",")
}

// manyf is many for a format with the one number.
func manyf(n int, format string) string {
	return many(n, func(i int) string { return strings.ReplaceAll(format, "#", fmt.Sprint(i)) })
}

// leveled puts a schema n levels deep below spec; open is what each level
// starts with, up to the schema that it holds.
func leveled(n int, open, inner, end string) string {
	return `"deep":` + strings.Repeat(open, n) + inner + strings.Repeat(end, n)
}

// growingDefinitions are the fields of spec, larger in one way each.
var growingDefinitions = map[string]func(n int) string{
	"fields":         func(n int) string { return manyf(n, `"f#":{"type":"string","maxLength":#}`) },
	"errors":         func(n int) string { return manyf(n, `"f#":{"type":"bad","uniqueItems":true}`) },
	"defaults":       func(n int) string { return manyf(n, `"f#":{"type":"string","maxLength":9#,"default":"x"}`) },
	"wrong defaults": func(n int) string { return manyf(n, `"f#":{"type":"string","default":#}`) },
	"rules": func(n int) string {
		return manyf(n, `"f#":{"type":"string","maxLength":9,"x-kubernetes-validations":[{"rule":"self != 'x#'"}]}`)
	},
	"wrong rules": func(n int) string {
		return manyf(n, `"f#":{"type":"string","maxLength":9,"x-kubernetes-validations":[{"rule":"self !! 'x#'"}]}`)
	},
	"rules of a node": func(n int) string {
		return `"f":{"type":"string","maxLength":9,"x-kubernetes-validations":[` + manyf(n, `{"rule":"self != 'x#'"}`) + `]}`
	},
	"rules on fields": func(n int) string {
		return `"f":{"type":"object","properties":{` + manyf(n, `"f#":{"type":"string"}`) + `},"x-kubernetes-validations":[` + manyf(n, `{"rule":"self.f# != 'x'","fieldPath":".f#"}`) + `]}`
	},
	"enumeration": func(n int) string { return `"f":{"type":"string","enum":[` + manyf(n, `"v#"`) + `]}` },
	"list-map keys": func(n int) string {
		return `"f":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":[` + manyf(n, `"f#"`) +
			`],"items":{"type":"object","properties":{` + manyf(n, `"f#":{"type":"string"}`) + `},"required":[` + manyf(n, `"f#"`) + `]}}`
	},
	"branches": func(n int) string { return `"f":{"type":"integer","anyOf":[` + manyf(n, `{"maximum":#}`) + `]}` },
	"depth": func(n int) string {
		return leveled(n, `{"type":"object","properties":{"a":`, `{"type":"string"}`, `}}`)
	},
	"depth of lists": func(n int) string { return leveled(n, `{"type":"array","items":`, `{"type":"string"}`, `}`) },
	"depth of branches": func(n int) string {
		return `"f":{"type":"string","not":` + strings.Repeat(`{"not":`, n) + `{"maxLength":3}` + strings.Repeat(`}`, n) + `}`
	},
	"depth of defaults": func(n int) string {
		return leveled(n, `{"type":"object","default":{},"properties":{"a":`, `{"type":"string"}`, `}}`)
	},
	"depth of defaults above a resource": func(n int) string {
		return leveled(n, `{"type":"object","default":{},"properties":{"a":`, `{"type":"object","x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true}`, `}}`)
	},
	"depth of defaults above a rule": func(n int) string {
		return leveled(n, `{"type":"object","default":{},"properties":{"a":`, `{"type":"string","x-kubernetes-validations":[{"rule":"true"}]}`, `}}`)
	},
	"depth of rules": func(n int) string {
		return leveled(n, `{"type":"object","x-kubernetes-validations":[{"rule":"true","fieldPath":".a"}],"properties":{"a":`, `{"type":"string"}`, `}}`)
	},
}

// allocated returns how many bytes a function allocates.
func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// isLinear holds what is allocated for four times the size to six times as
// much; what is quadratic takes sixteen times. slack is for what pools and
// caches happen to hold.
func isLinear(t *testing.T, name string, size int, prepare func(size int) (do func())) {
	t.Helper()
	const slack = 1 << 20
	once, four := prepare(size), prepare(4*size)
	once() // what is made once in a process is there
	small, large := allocated(once), allocated(four)
	if large > 6*small+slack {
		t.Errorf("%s: %d bytes for a size of %d, and %d for four times the size", name, small, size,
			large)
	}
}

// Whatever a definition has many of, reading, validating, replacing and
// compiling it takes memory in proportion.
func TestDefinitionsCostWhatTheyAreLong(t *testing.T) {
	decode := func(t *testing.T, fields string) *definition.CRD {
		t.Helper()
		crd, _, err := definition.Decode(fmt.Appendf(nil, growing, fields))
		if err != nil {
			t.Fatal(err)
		}
		return crd
	}
	for name, fields := range growingDefinitions {
		const size = 250
		isLinear(t, name+", decoded", size, func(n int) func() {
			text := fmt.Appendf(nil, growing, fields(n))
			return func() { _, _, _ = definition.Decode(text) }
		})
		isLinear(t, name+", validated", size, func(n int) func() {
			crd := decode(t, fields(n)).ForCreate()
			return func() { definition.Validate(t.Context(), crd) }
		})
		isLinear(t, name+", replaced", size, func(n int) func() {
			old := decode(t, fields(n))
			crd := decode(t, fields(n)+`,"new":{"type":"string"}`).ForUpdate(old)
			return func() { definition.ValidateUpdate(t.Context(), crd, old) }
		})
		isLinear(t, name+", compiled", size, func(n int) func() {
			crd := decode(t, fields(n))
			return func() {
				def, err := crdsem.Compile(crd)
				if err != nil {
					t.Fatal(err)
				}
				if v, err := def.Version("v1"); err == nil {
					_ = v.Prepare(context.Background())
				}
			}
		})
	}
}

// What is found at every level of a deep schema is reported at every level: its
// text is as long as it is, and little more is made.
func TestDeepFindingsCostTheirTexts(t *testing.T) {
	fields := leveled(1500, `{"type":"bad","properties":{"a":`, `{"type":"string"}`, `}}`)
	crd, _, err := definition.Decode(fmt.Appendf(nil, growing, fields))
	if err != nil {
		t.Fatal(err)
	}
	var errs []string
	made := allocated(func() {
		for _, err := range definition.Validate(t.Context(), crd).Errors {
			errs = append(errs, err.Field)
		}
	})
	told := 0
	for _, text := range errs {
		told += len(text)
	}
	if len(errs) < 1500 || made > uint64(told+told/2+4<<20) {
		t.Errorf("%d findings of %d bytes took %d bytes", len(errs), told, made)
	}
}

// growingBodies are what spec holds, larger in one way each, by the definition
// of growingFields.
var growingBodies = map[string]func(n int) string{
	"set": func(n int) string { return `"set":[` + manyf(n, `"x#"`) + `]` },
	"repeated set": func(n int) string {
		return `"set":[` + many(n, func(i int) string { return fmt.Sprintf(`"x%d"`, i/2) }) + `]`
	},
	"list-map":       func(n int) string { return `"map":[` + manyf(n, `{"k":"x#","v":1}`) + `]` },
	"wrong list-map": func(n int) string { return `"map":[` + manyf(n, `{"k":"x#","v":9}`) + `]` },
	"one key":        func(n int) string { return `"map":[` + manyf(n, `{"k":"x","v":9}`) + `]` },
	"no key":         func(n int) string { return `"map":[` + manyf(n, `{"v":9}`) + `]` },
	"atomic list":    func(n int) string { return `"atomic":[` + manyf(n, `{"v":9}`) + `]` },
	"junctors":       func(n int) string { return `"junctors":[` + manyf(n, `{"v":9}`) + `]` },
	"unknown fields": func(n int) string { return manyf(n, `"u#":{"a":#}`) },
	"duplicates":     func(n int) string { return manyf(n, `"u#":1,"u#":2`) },
	"one duplicate":  func(n int) string { return manyf(n, `"u":#`) },
	"long text":      func(n int) string { return `"u":"` + strings.Repeat(`\u00e9 `, n) + `"` },
}

// Whatever an object has many of, creating it, replacing it by itself or by its
// reverse, and reading it takes memory in proportion.
func TestObjectsCostWhatTheyAreLong(t *testing.T) {
	v := growingVersion(t, growingFields)
	ctx := context.Background()
	const size = 1000
	body := func(spec string) []byte {
		return []byte(`{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","resourceVersion":"1","uid":"u","generation":1,"creationTimestamp":"2024-01-01T00:00:00Z"},"spec":{` + spec + `}}`)
	}
	for name, spec := range growingBodies {
		for _, format := range []crdsem.Encoding{crdsem.JSON, crdsem.YAML} {
			isLinear(t, name+", created from "+string(format), size, func(n int) func() {
				text := body(spec(n))
				return func() { v.CreateBytes(ctx, text, crdsem.Format(format)) }
			})
		}
		isLinear(t, name+", replaced by itself", size, func(n int) func() {
			object := decodeObject(t, body(spec(n)))
			return func() { v.Update(ctx, object, object) }
		})
		isLinear(t, name+", replaced by its reverse", size, func(n int) func() {
			old, object := decodeObject(t, body(spec(n))), decodeObject(t, body(spec(n)))
			for _, value := range object["spec"].(map[string]any) {
				reverse(value)
			}
			return func() { v.Update(ctx, object, old) }
		})
		isLinear(t, name+", read", size, func(n int) func() {
			object := decodeObject(t, body(spec(n)))
			return func() { v.Read(ctx, object) }
		})
	}
}

// reverse turns a list around; other values stay as they are.
func reverse(value any) {
	list, _ := value.([]any)
	for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
		list[i], list[j] = list[j], list[i]
	}
}
