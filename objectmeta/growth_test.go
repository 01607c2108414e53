package objectmeta_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/crdsem/crdsem/internal/test/allocs"
	"github.com/crdsem/crdsem/internal/test/requests"
)

// growingMetadata are what an object's metadata holds many of.
var growingMetadata = map[string]func(n int) string{
	"finalizers":        func(n int) string { return `"finalizers":[` + requests.Manyf(n, `"g.io/f#"`) + `]` },
	"unqualified":       func(n int) string { return `"finalizers":[` + requests.Manyf(n, `"f#"`) + `]` },
	"wrong finalizers":  func(n int) string { return `"finalizers":[` + requests.Manyf(n, `"-#"`) + `]` },
	"owners":            func(n int) string { return `"ownerReferences":[` + requests.Manyf(n, ownerText(`"uid":"u#"`)) + `]` },
	"owners of one uid": func(n int) string { return `"ownerReferences":[` + requests.Manyf(n, ownerText(`"uid":"u"`)) + `]` },
	"repeated owners": func(n int) string {
		return `"ownerReferences":[` + requests.Manyf(n, `{"apiVersion":"v1","kind":"P","name":"p","uid":"u"}`) + `]`
	},
	"controllers": func(n int) string {
		return `"ownerReferences":[` + requests.Manyf(n, ownerText(`"uid":"u#","controller":true`)) + `]`
	},
	"labels":            func(n int) string { return `"labels":{` + requests.Manyf(n, `"l#":"x"`) + `}` },
	"wrong labels":      func(n int) string { return `"labels":{` + requests.Manyf(n, `"-#":"-"`) + `}` },
	"wrong annotations": func(n int) string { return `"annotations":{` + requests.Manyf(n, `"-#":"x"`) + `}` },
	"managers": func(n int) string {
		return `"managedFields":[` + requests.Manyf(n, `{"manager":"m#","operation":"Delete"}`) + `]`
	},
	"unknown fields of it": func(n int) string { return requests.Manyf(n, `"u#":#`) },
}

func ownerText(more string) string { return `{"apiVersion":"v1","kind":"P","name":"n#",` + more + `}` }

// Whatever the metadata of an object has many of, creating it, and updating it
// from and to an object without, takes memory in proportion.
func TestMetadataCostsWhatItIsLong(t *testing.T) {
	for name := range growingMetadata {
		allocs.Linear(t, name, 1000, func(n int) func() { return requestsOf(t, name, n) })
	}
}

// BenchmarkMetadata shows that it takes time in proportion, too: the time of an
// entry is the same, however many there are.
func BenchmarkMetadata(b *testing.B) {
	for name := range growingMetadata {
		for _, n := range []int{3_000, 30_000} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				do := requestsOf(b, name, n)
				for b.Loop() {
					do()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/entry")
			})
		}
	}
}

// requestsOf makes and updates an object that has so many of something in its
// metadata.
func requestsOf(t testing.TB, name string, n int) func() {
	t.Helper()
	v := requests.Version(t, "v1")
	ctx := context.Background()
	const head = `{"apiVersion":"g.io/v1","kind":"K","spec":{},"metadata":{"name":"n","resourceVersion":"1",`
	text := head + growingMetadata[name](n) + `}}`
	if !json.Valid([]byte(text)) {
		t.Fatalf("%s: no JSON", name)
	}
	many, deleted := requests.Object(t, text), requests.Object(t, head+`"deletionTimestamp":"2020-01-01T00:00:00Z"}}`)
	return func() {
		v.Create(ctx, many)
		v.Update(ctx, many, many)
		v.Update(ctx, many, deleted)
		v.Update(ctx, deleted, many)
	}
}
