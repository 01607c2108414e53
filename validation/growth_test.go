package validation_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/test/allocs"
	"github.com/crdsem/crdsem/internal/test/requests"
)

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

// growingBodies are what spec holds, larger in one way each, by the definition
// of growingFields.
var growingBodies = map[string]func(n int) string{
	"set": func(n int) string { return `"set":[` + requests.Manyf(n, `"x#"`) + `]` },
	"repeated set": func(n int) string {
		return `"set":[` + requests.Many(n, func(i int) string { return fmt.Sprintf(`"x%d"`, i/2) }) + `]`
	},
	"list-map":       func(n int) string { return `"map":[` + requests.Manyf(n, `{"k":"x#","v":1}`) + `]` },
	"wrong list-map": func(n int) string { return `"map":[` + requests.Manyf(n, `{"k":"x#","v":9}`) + `]` },
	"one key":        func(n int) string { return `"map":[` + requests.Manyf(n, `{"k":"x","v":9}`) + `]` },
	"no key":         func(n int) string { return `"map":[` + requests.Manyf(n, `{"v":9}`) + `]` },
	"atomic list":    func(n int) string { return `"atomic":[` + requests.Manyf(n, `{"v":9}`) + `]` },
	"junctors":       func(n int) string { return `"junctors":[` + requests.Manyf(n, `{"v":9}`) + `]` },
	"unknown fields": func(n int) string { return requests.Manyf(n, `"u#":{"a":#}`) },
	"duplicates":     func(n int) string { return requests.Manyf(n, `"u#":1,"u#":2`) },
	"one duplicate":  func(n int) string { return requests.Manyf(n, `"u":#`) },
	"long text":      func(n int) string { return `"u":"` + strings.Repeat(`\u00e9 `, n) + `"` },
}

// Whatever an object has many of, creating it, replacing it by itself or by its
// reverse, and reading it takes memory in proportion.
func TestObjectsCostWhatTheyAreLong(t *testing.T) {
	v := requests.GrowingVersion(t, growingFields)
	ctx := context.Background()
	const size = 1000
	body := func(spec string) []byte {
		return []byte(`{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","resourceVersion":"1","uid":"u","generation":1,"creationTimestamp":"2024-01-01T00:00:00Z"},"spec":{` + spec + `}}`)
	}
	for name, spec := range growingBodies {
		for _, format := range []crdsem.Encoding{crdsem.JSON, crdsem.YAML} {
			allocs.Linear(t, name+", created from "+string(format), size, func(n int) func() {
				text := body(spec(n))
				return func() { v.CreateBytes(ctx, text, crdsem.Format(format)) }
			})
		}
		allocs.Linear(t, name+", replaced by itself", size, func(n int) func() {
			object := requests.Object(t, string(body(spec(n))))
			return func() { v.Update(ctx, object, object) }
		})
		allocs.Linear(t, name+", replaced by its reverse", size, func(n int) func() {
			text := string(body(spec(n)))
			old, object := requests.Object(t, text), requests.Object(t, text)
			for _, value := range object["spec"].(map[string]any) {
				reverse(value)
			}
			return func() { v.Update(ctx, object, old) }
		})
		allocs.Linear(t, name+", read", size, func(n int) func() {
			object := requests.Object(t, string(body(spec(n))))
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

// Patterns that take much more memory than their text are not all kept: each
// of these takes 43 KB once it is compiled.
func TestPatternsAreBounded(t *testing.T) {
	const patterns, most = 1500, 40 << 20
	fields := requests.Manyf(patterns, `"f#":{"type":"string","pattern":"a{1000}#"}`)
	body := fmt.Appendf(nil,
		`{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n"},"spec":{%s}}`,
		requests.Manyf(patterns, `"f#":"a"`))
	kept := allocs.Kept(func() any {
		v := requests.GrowingVersion(t, fields)
		if errs := v.CreateBytes(t.Context(), body).Errors; len(errs) != patterns {
			t.Fatal(errs)
		}
		return v
	})
	t.Logf("%d patterns: %d MB kept", patterns, kept>>20)
	if kept > most {
		t.Errorf("%d patterns keep %d bytes, want at most %d", patterns, kept, most)
	}
}

// BenchmarkGrowthOfLists shows that ten times the items take about ten times as
// long: created, and replaced by themselves, where every item breaks what it
// broke before (but in the set, whose items break nothing).
func BenchmarkGrowthOfLists(b *testing.B) {
	v := requests.GrowingVersion(b, growingFields)
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
			old := requests.Object(b, string(broken))
			b.Run(fmt.Sprintf("%s/ratchet/%d", field, size), func(b *testing.B) {
				for b.Loop() {
					v.Update(ctx, old, old)
				}
			})
		}
	}
}

// BenchmarkConcurrent is one compiled definition used from all cores; compare
// -cpu 1,2.
func BenchmarkConcurrent(b *testing.B) {
	v := requests.GrowingVersion(b, growingFields)
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

// BenchmarkGrowthOfBodies goes up to bodies of some 10 MB, as JSON and as YAML.
func BenchmarkGrowthOfBodies(b *testing.B) {
	v := requests.GrowingVersion(b, growingFields)
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
