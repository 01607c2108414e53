package pipeline_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

var admitCases = flag.Int("admit-cases", 30_000,
	"how many random requests the differential test makes of random definitions")

// definition makes a definition around random schemas of spec and status.
func (g generator) definition() ([]byte, map[string]any, error) {
	root := g.schema(0)
	clear(root)
	root["type"] = "object"
	properties := map[string]any{"spec": g.schema(3), "status": g.schema(2)}
	root["properties"] = properties
	for _, name := range []string{"spec", "status"} {
		property := properties[name].(map[string]any)
		typed(property)
		g.restrict(property)
	}
	if g.one(6) {
		root["x-kubernetes-preserve-unknown-fields"] = true
	}
	version := map[string]any{
		"name": "v1", "served": true, "storage": true,
		"schema": map[string]any{"openAPIV3Schema": root},
	}
	schema := map[string]any{"type": "object", "properties": map[string]any{"spec": g.schema(2)}}
	other := map[string]any{
		"name":    "v2",
		"served":  true,
		"storage": false,
		"schema":  map[string]any{"openAPIV3Schema": schema},
	}
	subresources := map[string]any{}
	if g.one(2) {
		subresources["status"] = map[string]any{}
	}
	if g.one(3) {
		subresources["scale"] = map[string]any{
			"specReplicasPath": ".spec.a", "statusReplicasPath": ".status.a",
			"labelSelectorPath": ".status.b",
		}
	}
	version["subresources"] = subresources
	if g.one(4) {
		version["deprecated"] = true
	}
	scope := "Namespaced"
	if g.one(3) {
		scope = "Cluster"
	}
	crd, err := json.Marshal(map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": map[string]any{"name": "ks.g.io"},
		"spec": map[string]any{
			"group": "g.io", "scope": scope, "names": map[string]any{"plural": "ks", "singular": "k", "kind": "K", "listKind": "KList"},
			"versions": []any{version, other},
		},
	})
	return crd, root, err
}

// typed gives every node the type that rules need.
func typed(s map[string]any) {
	switch {
	case s["x-kubernetes-embedded-resource"] == true:
		delete(s, "items")
		delete(s, "x-kubernetes-int-or-string")
		s["type"] = "object"
	case s["type"] == "array" && s["items"] == nil:
		s["items"] = map[string]any{"type": "string"}
	case s["type"] == nil && s["x-kubernetes-int-or-string"] == nil &&
		s["x-kubernetes-preserve-unknown-fields"] == nil:
		s["type"] = "string"
	}
	for _, below := range []any{s["items"], s["additionalProperties"]} {
		if child, ok := below.(map[string]any); ok {
			typed(child)
		}
	}
	properties, _ := s["properties"].(map[string]any)
	for _, property := range properties {
		typed(property.(map[string]any))
	}
}

// restrict adds keywords that make values invalid. Some block rules and some do
// not.
func (g generator) restrict(s map[string]any) {
	switch g.IntN(4) {
	case 0:
		s["required"] = []any{"a"}
	case 1:
		s["maxProperties"] = int64(2)
	}
	if s["type"] == "object" && g.one(2) {
		rule := map[string]any{"rule": "self == oldSelf", "message": "fixed"}
		if g.one(2) {
			rule = map[string]any{"rule": "false"}
		}
		s["x-kubernetes-validations"] = []any{rule}
	}
}

// request makes an object of the definition, sometimes an invalid one.
func (g generator) request(root map[string]any) map[string]any {
	out := g.fields(root, 3)
	out["apiVersion"], out["kind"] = "g.io/v1", "K"
	out["metadata"] = g.metadata()
	if meta, ok := out["metadata"].(map[string]any); ok && g.one(3) {
		meta["namespace"] = []any{"default", "other", ""}[g.IntN(3)]
	}
	switch g.IntN(40) {
	case 0:
		out["kind"] = g.scalar()
	case 1:
		out["apiVersion"] = []any{
			"g.io/v2", "g.io/v9", "other/v1", "v1", "a/b/c", nil, 5, "",
		}[g.IntN(8)]
	case 2:
		delete(out, []string{"kind", "apiVersion", "metadata"}[g.IntN(3)])
	case 3:
		out[[]string{"Kind", "KIND", "apiversion", "APIVersion"}[g.IntN(4)]] = g.any(1)
	}
	return out
}

// text writes an object as a body: JSON, JSON with duplicate keys or unusual
// numbers, malformed JSON, or YAML.
func (g generator) text(object map[string]any) []byte {
	body, err := jsonvalue.EncodeJSON(object)
	if err != nil {
		return nil
	}
	switch g.IntN(16) {
	case 0:
		return bytes.Replace(body, []byte(`"a":`), []byte(`"a":1,"a":`), 2)
	case 1:
		return bytes.Replace(body, []byte(`"kind":`), []byte(`"kind":"X","kind":`), 1)
	case 2:
		return bytes.Replace(body, []byte(`5`), []byte(`1e3`), 1)
	case 3:
		return bytes.Replace(body, []byte(`5`), []byte(`1e999`), 1)
	case 4:
		return body[:g.IntN(len(body))]
	case 5, 6:
		text, err := yaml.JSONToYAML(body)
		if err != nil {
			return body
		}
		if g.one(3) {
			text = append(text, "kind: K\n"...)
		}
		return text
	}
	return body
}

func (g generator) attempt() (attempt, error) {
	crd, root, err := g.definition()
	if err != nil {
		return attempt{}, err
	}
	def, err := crdsem.Parse(crd)
	if err != nil {
		return attempt{}, fmt.Errorf("%w\n%s", err, crd)
	}
	a := attempt{
		crd: crd, def: def, version: "v1",
		fieldValidation: []string{"", "Strict", "Warn", "Ignore"}[g.IntN(4)],
	}
	object := g.request(root)
	a.body = g.text(object)
	if !g.one(2) {
		return a, nil
	}
	old := g.request(root)
	if g.one(2) {
		old = jsonvalue.DeepCopyMap(object)
		if spec, ok := old["spec"].(map[string]any); ok {
			g.mutate(spec)
		}
	}
	old["metadata"] = map[string]any{
		"name": "n1", "uid": "u", "resourceVersion": "3", "generation": int64(g.IntN(3)),
	}
	old["apiVersion"], old["kind"] = []any{"g.io/v1", "g.io/v2"}[g.IntN(2)], "K"
	if meta, ok := object["metadata"].(map[string]any); ok && g.IntN(4) > 0 {
		meta["name"] = "n1"
		a.body = g.text(object)
	}
	if a.old, err = jsonvalue.EncodeJSON(old); err != nil {
		return a, err
	}
	if v := def.Model().Version("v1"); v.HasStatus && g.one(2) {
		a.subresource = "status"
	}
	return a, nil
}

// Random requests to random definitions are admitted or refused by the facade
// as by the real code.
func TestGeneratedDifferential(t *testing.T) {
	n := *admitCases
	if testing.Short() {
		n = 1_500
	}
	stages := map[string]int{}
	failures := 0
	for seed := range uint64(n) {
		a, err := newGenerator(seed ^ 0xad317).attempt()
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		diff, stage := a.compare()
		stages[stage]++
		if diff == "" {
			continue
		}
		t.Errorf("seed %d: %s\n%s\ncrd %s", seed, diff, a.describe(), a.crd)
		if failures++; failures == 10 {
			break
		}
	}
	t.Logf("seeds 0 to %d: %v", n-1, stages)
	for _, stage := range []string{
		protocol.StageAdmitted, protocol.StageInvalid, protocol.StageDecode,
	} {
		if stages[stage] < n/50 {
			t.Errorf("only %d requests came to stage %s", stages[stage], stage)
		}
	}
}
