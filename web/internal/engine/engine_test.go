package engine

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// ask sends a request and returns the members of the answer.
func ask(t *testing.T, e *Engine, request map[string]any) map[string]any {
	t.Helper()
	line, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	var answer map[string]any
	if err := json.Unmarshal(e.Answer(t.Context(), line), &answer); err != nil {
		t.Fatal(err)
	}
	return answer
}

func example(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../../page/examples/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Every example of the page shows what its title promises.
func TestExamples(t *testing.T) {
	e := New()
	for _, c := range []struct{ name, request, definition, object string }{
		{"crontab", "create", "accepted", "refused"},
		{"crontab", "updateStatus", "accepted", "accepted"},
		{"pizza", "create", "accepted", "accepted"},
		{"pizza", "update", "accepted", "accepted"},
		{"gateway", "create", "accepted", "refused"},
		{"budget", "create", "refused", "refused"},
		{"ratcheting", "update", "accepted", "refused"},
	} {
		t.Run(c.name+" "+c.request, func(t *testing.T) {
			request := map[string]any{
				"id": "1", "op": "judge", "request": c.request,
				"definitions": example(t, c.name+"/crd.yaml"),
				"objects":     example(t, c.name+"/object.yaml"),
			}
			if c.request != "create" {
				request["stored"] = example(t, c.name+"/old.yaml")
			}
			answer := ask(t, e, request)
			for member, want := range map[string]string{
				"definitions": c.definition, "objects": c.object,
			} {
				list, _ := answer[member].([]any)
				if len(list) != 1 {
					t.Fatalf("%d %s: %v", len(list), member, answer["fault"])
				}
				if got := list[0].(map[string]any)["verdict"]; got != want {
					t.Errorf("%s: %v, want %s", member, got, want)
				}
			}
		})
	}
}

// A definition that is asked for again is not checked again, also with others
// in between.
func TestDefinitionsAreKept(t *testing.T) {
	e := New()
	for _, minor := range []string{"", "1.29", ""} {
		ask(t, e, map[string]any{
			"id": "1", "op": "judge", "kubernetes": minor,
			"definitions": example(t, "pizza/crd.yaml"),
		})
	}
	if n := len(e.checked.kept); n != 2 {
		t.Errorf("%d texts are kept", n)
	}
	for i := range maxChecked + 3 {
		ask(t, e, map[string]any{
			"id": "1", "op": "judge", "definitions": strings.Repeat("#", i+1),
		})
	}
	if n := len(e.checked.kept); n != maxChecked {
		t.Errorf("%d texts are kept", n)
	}
}

func TestConversionsAndCosts(t *testing.T) {
	e := New()
	pizza := example(t, "pizza/crd.yaml")
	answer := ask(t, e, map[string]any{
		"id": "7", "op": "conversions", "definitions": pizza,
		"object": example(t, "pizza/object.yaml"),
	})
	versions, _ := answer["versions"].([]any)
	if len(versions) != 2 || answer["id"] != "7" {
		t.Fatal(answer)
	}
	text, _ := versions[1].(map[string]any)["text"].(string)
	if !strings.HasPrefix(text, "apiVersion: kitchen.example.com/v1alpha1\n") {
		t.Error(text)
	}
	answer = ask(t, e, map[string]any{"id": "8", "op": "costs", "definitions": pizza})
	if tables, _ := answer["tables"].([]any); len(tables) != 2 || answer["ruleLimit"] == nil {
		t.Error(answer)
	}
}

// A request that cannot be carried out gets a fault with its id.
func TestFaults(t *testing.T) {
	for request, want := range map[string]string{
		`{"id":"1","op":"judge","kubernetes":"1.2"}`:                        "1.2",
		`{"id":"1","op":"judge","request":"delete"}`:                        `request "delete" is not known`,
		`{"id":"1","op":"judge","nothing":1}`:                               "unknown field",
		`{"id":"1","op":"judge","stored":": :","definitions":"a: b"}`:       "the stored object in line 1",
		`{"id":"1","op":"costs","definitions":": :"}`:                       "the definition in line 1",
		`{"id":"1","op":"conversions","object":"kind: X","definitions":""}`: "no definition",
		`{"id":"1","op":"nothing"}`:                                         "unknown op",
	} {
		var answer struct{ ID, Fault string }
		if err := json.Unmarshal(New().Answer(t.Context(), []byte(request)), &answer); err != nil {
			t.Fatal(err)
		}
		if answer.ID != "1" || !strings.Contains(answer.Fault, want) {
			t.Errorf("%s: %q, want %q", request, answer.Fault, want)
		}
	}
}
