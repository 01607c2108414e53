package engine

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// The engine answers every request, with JSON, and the second time as before.
func FuzzAnswer(f *testing.F) {
	const definition = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
"metadata":{"name":"ks.g.io"},"spec":{"group":"g.io","scope":"Cluster",
"names":{"plural":"ks","singular":"k","kind":"K","listKind":"KList"},
"versions":[{"name":"v1","served":true,"storage":true,"subresources":{"status":{}},
"schema":{"openAPIV3Schema":{"type":"object","properties":{"a":{"type":"string","default":"b"}},
"x-kubernetes-validations":[{"rule":"self.a != 'c'"}]}}}]}}`
	const object = "apiVersion: g.io/v1\nkind: K\nmetadata: {name: x}\na: c\nd: 1\n"
	for op := range uint8(3) {
		for request := range uint8(4) {
			f.Add(op, request, "", definition, object, object, "v1")
		}
	}
	f.Fuzz(func(
		t *testing.T, op, request uint8, kubernetes, definitions, objects, stored, version string,
	) {
		members := map[string]any{"id": "1", "definitions": definitions, "kubernetes": kubernetes}
		switch op % 3 {
		case 0:
			members["op"], members["stored"], members["version"] = opJudge, stored, version
			members["request"] = []string{"", "create", "update", "updateStatus"}[request%4]
			members["storedDefinitions"] = stored
			members["objects"] = objects
		case 1:
			members["op"] = opCosts
		case 2:
			members["op"], members["object"] = opConversions, objects
		}
		line, err := json.Marshal(members)
		if err != nil {
			t.Fatal(err)
		}
		e := New()
		first, again := e.Answer(t.Context(), line), e.Answer(t.Context(), line)
		if !bytes.Equal(first, again) {
			t.Errorf("%s and then %s", first, again)
		}
		var answer struct{ ID, Fault string }
		if err := json.Unmarshal(first, &answer); err != nil || answer.ID != "1" ||
			strings.HasPrefix(answer.Fault, "panic") {
			t.Errorf("%s: %s: %v", line, first, err)
		}
	})
}
