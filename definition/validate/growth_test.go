package validate_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/definition/validate"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/test/allocs"
	"github.com/crdsem/crdsem/internal/test/requests"
)

// leveled puts a schema n levels deep below spec; open is what each level
// starts with, up to the schema that it holds.
func leveled(n int, open, inner, end string) string {
	return `"deep":` + strings.Repeat(open, n) + inner + strings.Repeat(end, n)
}

// growingDefinitions are the fields of spec, larger in one way each.
var growingDefinitions = map[string]func(n int) string{
	"fields":         func(n int) string { return requests.Manyf(n, `"f#":{"type":"string","maxLength":#}`) },
	"errors":         func(n int) string { return requests.Manyf(n, `"f#":{"type":"bad","uniqueItems":true}`) },
	"defaults":       func(n int) string { return requests.Manyf(n, `"f#":{"type":"string","maxLength":9#,"default":"x"}`) },
	"wrong defaults": func(n int) string { return requests.Manyf(n, `"f#":{"type":"string","default":#}`) },
	"rules": func(n int) string {
		return requests.Manyf(n, `"f#":{"type":"string","maxLength":9,"x-kubernetes-validations":[{"rule":"self != 'x#'"}]}`)
	},
	"wrong rules": func(n int) string {
		return requests.Manyf(n, `"f#":{"type":"string","maxLength":9,"x-kubernetes-validations":[{"rule":"self !! 'x#'"}]}`)
	},
	"rules of a node": func(n int) string {
		return `"f":{"type":"string","maxLength":9,"x-kubernetes-validations":[` + requests.Manyf(n, `{"rule":"self != 'x#'"}`) + `]}`
	},
	"rules on fields": func(n int) string {
		return `"f":{"type":"object","properties":{` + requests.Manyf(n, `"f#":{"type":"string"}`) + `},"x-kubernetes-validations":[` + requests.Manyf(n, `{"rule":"self.f# != 'x'","fieldPath":".f#"}`) + `]}`
	},
	"enumeration": func(n int) string { return `"f":{"type":"string","enum":[` + requests.Manyf(n, `"v#"`) + `]}` },
	"list-map keys": func(n int) string {
		return `"f":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":[` + requests.Manyf(n, `"f#"`) +
			`],"items":{"type":"object","properties":{` + requests.Manyf(n, `"f#":{"type":"string"}`) + `},"required":[` + requests.Manyf(n, `"f#"`) + `]}}`
	},
	"branches": func(n int) string {
		return `"f":{"type":"integer","anyOf":[` + requests.Manyf(n, `{"maximum":#}`) + `]}`
	},
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

// Whatever a definition has many of, reading, validating, replacing and
// compiling it takes memory in proportion.
func TestDefinitionsCostWhatTheyAreLong(t *testing.T) {
	decode := func(t *testing.T, fields string) *definition.CRD {
		t.Helper()
		crd, _, err := definition.Parse(fmt.Appendf(nil, requests.Growing, fields))
		if err != nil {
			t.Fatal(err)
		}
		return crd
	}
	for name, fields := range growingDefinitions {
		const size = 250
		allocs.Linear(t, name+", decoded", size, func(n int) func() {
			text := fmt.Appendf(nil, requests.Growing, fields(n))
			return func() { _, _, _ = definition.Parse(text) }
		})
		allocs.Linear(t, name+", validated", size, func(n int) func() {
			crd := decode(t, fields(n)).ForCreate()
			return func() { validate.Create(t.Context(), crd) }
		})
		allocs.Linear(t, name+", replaced", size, func(n int) func() {
			old := decode(t, fields(n))
			crd := decode(t, fields(n)+`,"new":{"type":"string"}`).ForUpdate(old)
			return func() { validate.Update(t.Context(), crd, old) }
		})
		allocs.Linear(t, name+", compiled", size, func(n int) func() {
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
	crd, _, err := definition.Parse(fmt.Appendf(nil, requests.Growing, fields))
	if err != nil {
		t.Fatal(err)
	}
	var errs []string
	made := allocs.Bytes(func() {
		for _, err := range validate.Create(t.Context(), crd).Errors {
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

// BenchmarkGrowthOfSchemas shows that ten times the fields or rules take about
// ten times as long to parse and compile.
func BenchmarkGrowthOfSchemas(b *testing.B) {
	for _, kind := range []string{"fields", "rules"} {
		for _, size := range []int{50, 500, 5_000} {
			fields := make([]string, size)
			for i := range fields {
				rules := ""
				if kind == "rules" {
					rules = fmt.Sprintf(`,"x-kubernetes-validations":[{"rule":"self != 'x%d'"}]`, i)
				}
				fields[i] = fmt.Sprintf(`"f%d":{"type":"string","maxLength":%d%s}`, i, i+1, rules)
			}
			text := fmt.Appendf(nil, requests.Growing, strings.Join(fields, ","))
			b.Run(fmt.Sprintf("%s/%d", kind, size), func(b *testing.B) {
				for b.Loop() {
					def, err := crdsem.Parse(text)
					if err != nil {
						b.Fatal(err)
					}
					if _, err := def.Version("v1"); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkGrowthOfDefinitions shows that ten times as much of anything in a
// definition takes about ten times as long to validate: depths are bounded by
// what the JSON decoder takes.
func BenchmarkGrowthOfDefinitions(b *testing.B) {
	for _, name := range jsonvalue.SortedKeys(growingDefinitions) {
		for _, size := range []int{40, 400, 4_000} {
			crd, _, err := definition.Parse(
				fmt.Appendf(nil, requests.Growing, growingDefinitions[name](size)),
			)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("%s/%d", name, size), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					validate.Create(b.Context(), crd)
				}
			})
		}
	}
}

// BenchmarkGrowthOfVersions shows that ten times the versions take about ten
// times as long to parse, validate and make ready.
func BenchmarkGrowthOfVersions(b *testing.B) {
	const version = `{"name":"v#","served":true,"storage":false,"schema":{"openAPIV3Schema":{"type":"object","properties":{"f#":{"type":"string"}}}}}`
	for _, size := range []int{10, 100, 1_000} {
		text := strings.Replace(requests.Growing, `"versions":[`, `"versions":[`+requests.Manyf(size, strings.ReplaceAll(version, "v#", "v1#"))+",", 1)
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				crd, _, err := definition.Parse(fmt.Appendf(nil, text, ""))
				if err != nil {
					b.Fatal(err)
				}
				validate.Create(b.Context(), crd)
				def, err := crdsem.Compile(crd)
				if err != nil {
					b.Fatal(err)
				}
				for _, v := range def.Model().Versions() {
					if _, err := def.Version(v.Name); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
