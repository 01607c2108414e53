package contexts

import (
	"fmt"
	"slices"
	"strings"
)

// items is the length of the lists of the hostile object.
const items = 20_000

// hostileSchema has rules that loop in loops, a pattern, a set and a list-map.
const hostileSchema = `{"type":"object","properties":{"spec":{"type":"object","properties":{
"replicas":{"type":"integer"},
"l":{"type":"array","items":{"type":"string","pattern":"^(a|b)+[0-9]*$","maxLength":3},
"x-kubernetes-validations":[
{"rule":"self.all(a, self.all(b, self.all(c, a != b || b == c)))"},
{"rule":"self.map(a, self.filter(b, a > b)).size() >= 0"}]},
"m":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],
"items":{"type":"object","required":["k"],"properties":{"k":{"type":"string"},
"v":{"type":"integer","maximum":0},"e":{"type":"object","x-kubernetes-embedded-resource":true}}}}}},
"status":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}`

// Definition returns a hostile definition of kind K in group g.io. It has two
// versions, and a number of fields that have a rule.
func Definition(fields int) string {
	var more strings.Builder
	for i := range fields {
		fmt.Fprintf(&more, `"f%d":{"type":"string","enum":["a","b%d"],"x-kubernetes-validations":[`+
			`{"rule":"self.matches('^[a-z]{1,%d}$') || self == 'b%d'"}]},`, i, i, i%90+1, i)
	}
	schema := strings.Replace(hostileSchema, `"replicas"`, more.String()+`"replicas"`, 1)
	version := func(name, storage string) string {
		return `{"name":"` + name + `","served":true,"storage":` + storage + `,"subresources":{"status":` +
			`{},"scale":{"specReplicasPath":".spec.replicas","statusReplicasPath":".status.replicas"}},` +
			`"schema":{"openAPIV3Schema":` + schema + `}}`
	}
	return `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",` +
		`"metadata":{"name":"ks.g.io"},"spec":{"group":"g.io","scope":"Cluster",` +
		`"names":{"plural":"ks","kind":"K","singular":"k","listKind":"KList"},"versions":[` +
		version("v1", "true") + `,` + version("v2", "false") + `]}}`
}

// Object returns a hostile object of the definition, whose values end with a
// letter.
func Object(letter string) map[string]any {
	l, m := make([]any, items), make([]any, items)
	for i := range items {
		l[i] = fmt.Sprint("a", i, letter)
		m[i] = map[string]any{"k": fmt.Sprint(i), "v": int64(i), "u": letter, "e": map[string]any{
			"apiVersion": "v1", "kind": "X", "metadata": map[string]any{"name": "n", "u": letter}}}
	}
	return map[string]any{
		"apiVersion": "g.io/v1", "kind": "K", "metadata": map[string]any{"name": "n"},
		"spec":   map[string]any{"l": l, "m": m, "replicas": int64(1)},
		"status": map[string]any{"l": slices.Clone(l)},
	}
}
