package crdsem_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"
)

// growingMetadata are what an object's metadata holds many of.
var growingMetadata = map[string]func(n int) string{
	"finalizers":        func(n int) string { return `"finalizers":[` + manyf(n, `"g.io/f#"`) + `]` },
	"unqualified":       func(n int) string { return `"finalizers":[` + manyf(n, `"f#"`) + `]` },
	"wrong finalizers":  func(n int) string { return `"finalizers":[` + manyf(n, `"-#"`) + `]` },
	"owners":            func(n int) string { return `"ownerReferences":[` + manyf(n, ownerText(`"uid":"u#"`)) + `]` },
	"owners of one uid": func(n int) string { return `"ownerReferences":[` + manyf(n, ownerText(`"uid":"u"`)) + `]` },
	"repeated owners": func(n int) string {
		return `"ownerReferences":[` + manyf(n, `{"apiVersion":"v1","kind":"P","name":"p","uid":"u"}`) + `]`
	},
	"controllers": func(n int) string {
		return `"ownerReferences":[` + manyf(n, ownerText(`"uid":"u#","controller":true`)) + `]`
	},
	"labels":            func(n int) string { return `"labels":{` + manyf(n, `"l#":"x"`) + `}` },
	"wrong labels":      func(n int) string { return `"labels":{` + manyf(n, `"-#":"-"`) + `}` },
	"wrong annotations": func(n int) string { return `"annotations":{` + manyf(n, `"-#":"x"`) + `}` },
	"managers": func(n int) string {
		return `"managedFields":[` + manyf(n, `{"manager":"m#","operation":"Delete"}`) + `]`
	},
	"unknown fields of it": func(n int) string { return manyf(n, `"u#":#`) },
}

func ownerText(more string) string { return `{"apiVersion":"v1","kind":"P","name":"n#",` + more + `}` }

// Whatever the metadata of an object has many of, creating it, and updating it from and to an object without, takes memory and time in proportion.
func TestMetadataCostsWhatItIsLong(t *testing.T) {
	v := versionOf(t, "v1")
	ctx := context.Background()
	const head = `{"apiVersion":"g.io/v1","kind":"K","spec":{},"metadata":{"name":"n","resourceVersion":"1",`
	deleted := object(t, head+`"deletionTimestamp":"2020-01-01T00:00:00Z"}}`)
	for name, metadata := range growingMetadata {
		prepare := func(n int) func() {
			text := head + metadata(n) + `}}`
			if !json.Valid([]byte(text)) {
				t.Fatalf("%s: no JSON", name)
			}
			many := object(t, text)
			return func() {
				v.Create(ctx, many)
				v.Update(ctx, many, many)
				v.Update(ctx, many, deleted)
				v.Update(ctx, deleted, many)
			}
		}
		isLinear(t, name, 1000, prepare)
		// Ten times the size takes about ten times as long, and what is quadratic a hundred times.
		small, large := timeOf(prepare(3_000)), timeOf(prepare(30_000))
		if large > 40*small+time.Second {
			t.Errorf("%s: 3,000 took %v, and 30,000 took %v", name, small, large)
		}
	}
}

func timeOf(do func()) time.Duration {
	start := time.Now()
	do()
	return time.Since(start)
}
