package limits_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/merge/apply"
)

// growing is a definition whose lists and branches each grow with the size of
// an object.
const growing = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"ks.g.io"},
"spec":{"group":"g.io","scope":"Cluster","names":{"plural":"ks","singular":"k","kind":"K","listKind":"KList"},
"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","properties":{%s}}}}}}]}}`

const growingFields = `"set":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}},
"map":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],"items":{"type":"object","required":["k"],"properties":{"k":{"type":"string"},"v":{"type":"integer","maximum":5}}}},
"atomic":{"type":"array","items":{"type":"object","properties":{"v":{"type":"integer","maximum":5}}}},
"junctors":{"type":"array","items":{"type":"object","properties":{"v":{"type":"integer"}},"oneOf":[{"required":["v"]},{"required":["w"]}],"anyOf":[{"required":["w"]},{"properties":{"v":{"maximum":3}}}]}}`

func growingObject(field string, size, value int) []byte {
	items := make([]string, size)
	for i := range items {
		switch field {
		case "set":
			items[i] = fmt.Sprintf(`"x%d"`, i)
		case "map":
			items[i] = fmt.Sprintf(`{"k":"x%d","v":%d}`, i, value)
		default:
			items[i] = fmt.Sprintf(`{"v":%d}`, value)
		}
	}
	return []byte(`{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","resourceVersion":"1","uid":"u","generation":1,"creationTimestamp":"2024-01-01T00:00:00Z"},"spec":{"` +
		field + `":[` + strings.Join(items, ",") + `]}}`)
}

func growingVersion(b testing.TB, fields string) *crdsem.Version {
	b.Helper()
	def, err := crdsem.Parse(fmt.Appendf(nil, growing, fields),
		apply.Server())
	if err != nil {
		b.Fatal(err)
	}
	v, err := def.Version("v1")
	if err != nil {
		b.Fatal(err)
	}
	return v
}

// BenchmarkGrowthOfLists shows that ten times the items take about ten times as
// long: created, and replaced by themselves, where every item breaks what it
// broke before (but in the set, whose items break nothing).
func BenchmarkGrowthOfLists(b *testing.B) {
	v := growingVersion(b, growingFields)
	ctx := context.Background()
	for _, field := range []string{"set", "map", "atomic", "junctors"} {
		for _, size := range []int{1_000, 10_000, 100_000} {
			valid, broken := growingObject(field, size, 1), growingObject(field, size, 9)
			b.Run(fmt.Sprintf("%s/create/%d", field, size), func(b *testing.B) {
				for b.Loop() {
					if !v.CreateBytes(ctx, valid, crdsem.Format(crdsem.JSON)).Admitted() {
						b.Fatal("refused")
					}
				}
			})
			old := decodeObject(b, broken)
			b.Run(fmt.Sprintf("%s/ratchet/%d", field, size), func(b *testing.B) {
				for b.Loop() {
					v.Update(ctx, old, old)
				}
			})
		}
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
			text := fmt.Appendf(nil, growing, strings.Join(fields, ","))
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

// BenchmarkConcurrent is one compiled definition used from all cores; compare
// -cpu 1,2.
func BenchmarkConcurrent(b *testing.B) {
	v := growingVersion(b, growingFields)
	text := growingObject("map", 100, 1)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if !v.CreateBytes(context.Background(), text, crdsem.Format(crdsem.JSON)).Admitted() {
				b.Error("refused")
				return
			}
		}
	})
}

func decodeObject(b testing.TB, text []byte) map[string]any {
	b.Helper()
	value, _, err := jsonvalue.DecodeJSON(text)
	object, ok := value.(map[string]any)
	if err != nil || !ok {
		b.Fatal(err)
	}
	return object
}

// BenchmarkGrowthOfDefinitions shows that ten times as much of anything in a
// definition takes about ten times as long to validate: depths are bounded by
// what the JSON decoder takes.
func BenchmarkGrowthOfDefinitions(b *testing.B) {
	for _, name := range jsonvalue.SortedKeys(growingDefinitions) {
		for _, size := range []int{40, 400, 4_000} {
			crd, _, err := definition.Decode(
				fmt.Appendf(nil, growing, growingDefinitions[name](size)),
			)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("%s/%d", name, size), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					definition.Validate(b.Context(), crd)
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
		text := strings.Replace(growing, `"versions":[`, `"versions":[`+manyf(size, strings.ReplaceAll(version, "v#", "v1#"))+",", 1)
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				crd, _, err := definition.Decode(fmt.Appendf(nil, text, ""))
				if err != nil {
					b.Fatal(err)
				}
				definition.Validate(b.Context(), crd)
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

// BenchmarkGrowthOfBodies goes up to bodies of some 10 MB, as JSON and as YAML.
func BenchmarkGrowthOfBodies(b *testing.B) {
	v := growingVersion(b, growingFields)
	for _, name := range jsonvalue.SortedKeys(growingBodies) {
		for _, size := range []int{5_000, 50_000, 500_000} {
			spec := growingBodies[name](size)
			text := fmt.Appendf(nil, `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n"},"spec":{%s}}`, spec)
			for _, format := range []crdsem.Encoding{crdsem.JSON, crdsem.YAML} {
				b.Run(fmt.Sprintf("%s/%s/%d", name, format, size), func(b *testing.B) {
					b.SetBytes(int64(len(text)))
					b.ReportAllocs()
					for b.Loop() {
						v.CreateBytes(context.Background(), text, crdsem.Format(format))
					}
				})
			}
		}
	}
}
