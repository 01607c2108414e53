package engine

import (
	"reflect"
	"strings"
	"testing"
)

// Open definitions answer as their text does, until they are closed.
func TestHandles(t *testing.T) {
	e := New()
	crd, object := example(t, "gateway/crd.yaml"), example(t, "gateway/object.yaml")
	opened := ask(t, e, map[string]any{
		"id": "1", "op": "open", "handle": "d1", "definitions": crd, "kubernetes": "1.30",
	})
	asText := map[string]any{
		"id": "2", "op": "judge", "definitions": crd, "kubernetes": "1.30", "objects": object,
	}
	byHandle := map[string]any{"id": "2", "op": "judge", "handle": "d1", "objects": object}
	want, got := ask(t, e, asText), ask(t, e, byHandle)
	for _, member := range []string{"definitions", "models"} {
		if !reflect.DeepEqual(opened[member], want[member]) {
			t.Errorf("open: %s: %v, want %v", member, opened[member], want[member])
		}
	}
	if !reflect.DeepEqual(got["objects"], want["objects"]) || len(got["objects"].([]any)) != 1 {
		t.Errorf("%v, want %v", got["objects"], want["objects"])
	}
	if n := len(got["definitions"].([]any)); n != 0 {
		t.Errorf("the result of the definition is sent again: %d", n)
	}
	update := ask(t, e, map[string]any{
		"id": "3", "op": "judge", "handle": "d1",
		"storedDefinitions": strings.Replace(crd, "scope: Namespaced", "scope: Cluster", 1),
	})
	if d := update["definitions"].([]any)[0].(map[string]any); d["request"] != "update" {
		t.Errorf("an update of open definitions: %v", d)
	}
	costs := ask(t, e, map[string]any{"id": "4", "op": "costs", "handle": "d1"})
	if costs["tables"] == nil {
		t.Error("no costs of open definitions")
	}
	ask(t, e, map[string]any{"id": "5", "op": "close", "handle": "d1"})
	if fault := ask(t, e, byHandle); fault["handle"] != "d1" ||
		fault["fault"] != `no definitions are open as "d1"` {
		t.Errorf("closed definitions: %v", fault)
	}
}

// Each text of a list has one object, and one result.
func TestEach(t *testing.T) {
	e := New()
	object := example(t, "pizza/object.yaml")
	request := map[string]any{
		"id": "1", "op": "judge", "definitions": example(t, "pizza/crd.yaml"),
		"each": []string{object, "a: 1", object},
	}
	objects := ask(t, e, request)["objects"].([]any)
	if len(objects) != 3 || !reflect.DeepEqual(objects[0], objects[2]) ||
		objects[0].(map[string]any)["verdict"] != "accepted" ||
		objects[1].(map[string]any)["verdict"] != "notJudged" {
		t.Errorf("%v", objects)
	}
	request["each"] = []string{object, object + "---\n" + object}
	if fault := ask(t, e, request)["fault"]; fault != "text 2 has 2 objects, want one" {
		t.Errorf("%v", fault)
	}
}

// Definitions count wherever they are among the documents.
func TestValidate(t *testing.T) {
	e := New()
	crd, object := example(t, "pizza/crd.yaml"), example(t, "pizza/object.yaml")
	request := map[string]any{
		"id": "1", "op": "validateDocuments", "fieldValidation": "Strict",
		"documents": []map[string]string{
			{"name": "a.yaml", "text": object + "---\na: [\n"}, {"name": "b.yaml", "text": crd},
		},
	}
	var got []string
	results := ask(t, e, request)["results"].([]any)
	for _, r := range results {
		result := r.(map[string]any)
		got = append(got, result["file"].(string)+" "+result["verdict"].(string))
	}
	want := "a.yaml refused, a.yaml unreadable, b.yaml accepted"
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("%s, want %s", text, want)
	}
	if results[0].(map[string]any)["changes"] != nil {
		t.Error("details that were not asked for")
	}
	delete(request, "fieldValidation")
	request["details"] = true
	first := ask(t, e, request)["results"].([]any)[0].(map[string]any)
	if first["verdict"] != "accepted" || first["stored"] == nil || first["marks"] == nil {
		t.Errorf("no details: %v", first)
	}
}
