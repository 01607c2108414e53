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
	for _, minor := range []string{"", "1.30", ""} {
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
		`{"id":"1","op":"judge","stored":": :","definitions":"a: b"}`:       "the stored object cannot be read: line 1: yaml",
		`{"id":"1","op":"costs","definitions":": :"}`:                       "the definition cannot be read: line 1: yaml",
		`{"id":"1","op":"judge","kubernetes":1.33}`:                         "kubernetes must be a string",
		`{"id":"1","op":"judge","fieldValidation":"strict"}`:                `want "Strict", "Warn" or`,
		`{"id":"1","op":"judge","storedDefinitions":"a: b: c"}`:             "the stored definition cannot",
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

// A fault has the place in the text that is at fault.
func TestFaultsHavePlaces(t *testing.T) {
	pizza, object := example(t, "pizza/crd.yaml"), example(t, "pizza/object.yaml")
	for _, c := range []struct {
		stored, fault string
		line, column  float64
	}{
		{"kind: Pizza\nspec:\n\tsize: 1\n", "the stored object cannot be read: line 3: yaml: ", 3, 2},
		{"kind: Pizza\n---\n- 1\n", "the stored object cannot be read: line 3: expected an ", 3, 1},
		{object + "---\n" + object, "the stored object Pizza.kitchen.example.com ", 0, 1},
	} {
		answer := ask(t, New(), map[string]any{
			"id": "1", "op": "judge", "definitions": pizza, "stored": c.stored,
		})
		fault, _ := answer["fault"].(string)
		if !strings.Contains(fault, c.fault) || strings.Contains(fault, ":1:") {
			t.Errorf("%q: %s", c.stored, fault)
		}
		if c.line > 0 && answer["line"] != c.line || answer["column"] != c.column {
			t.Errorf("%q: line %v, column %v", c.stored, answer["line"], answer["column"])
		}
	}
}

// An object is converted by the definition of its group.
func TestConversionsOfTwoGroups(t *testing.T) {
	pizza := example(t, "pizza/crd.yaml")
	other := strings.ReplaceAll(pizza, "kitchen.example.com", "other.example.com")
	object := example(t, "pizza/object.yaml")
	for _, o := range []string{
		object, strings.ReplaceAll(object, "kitchen.example.com", "other.example.com"),
	} {
		answer := ask(t, New(), map[string]any{
			"id": "1", "op": "conversions", "definitions": other + "---\n" + pizza, "object": o,
		})
		versions, _ := answer["versions"].([]any)
		if len(versions) != 2 {
			t.Fatal(answer)
		}
		for _, v := range versions {
			if v := v.(map[string]any); v["text"] == nil {
				t.Error(v)
			}
		}
	}
}

// Other documents than definitions are left out, and lists are opened.
func TestDefinitionsInBundles(t *testing.T) {
	pizza := example(t, "pizza/crd.yaml")
	namespace := "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n"
	item := "- " + strings.ReplaceAll(strings.TrimSpace(pizza), "\n", "\n  ") + "\n"
	for name, text := range map[string]string{
		"documents": namespace + "---\n" + pizza,
		"list":      "apiVersion: v1\nkind: List\nitems:\n" + item,
	} {
		t.Run(name, func(t *testing.T) {
			answer := ask(t, New(), map[string]any{"id": "1", "op": "costs", "definitions": text})
			if tables, _ := answer["tables"].([]any); len(tables) != 2 {
				t.Error(answer)
			}
			answer = ask(t, New(), map[string]any{
				"id": "2", "op": "judge", "definitions": text, "storedDefinitions": text,
				"objects": example(t, "pizza/object.yaml"),
			})
			definition := answer["definitions"].([]any)[0].(map[string]any)
			if definition["verdict"] != "accepted" || definition["request"] != "update" {
				t.Error(definition)
			}
			if o := answer["objects"].([]any)[0].(map[string]any); o["verdict"] != "accepted" {
				t.Error(o)
			}
		})
	}
}

// Costs are those of the definitions that can be compiled.
func TestCostsOfBrokenBundle(t *testing.T) {
	answer := ask(t, New(), map[string]any{
		"id": "1", "op": "costs", "definitions": ": :\n---\n" + example(t, "pizza/crd.yaml"),
	})
	if tables, _ := answer["tables"].([]any); len(tables) != 2 {
		t.Error(answer)
	}
}

// An older definition can be the update of a stored one.
func TestUpdateOfOldAPIVersion(t *testing.T) {
	pizza := example(t, "pizza/crd.yaml")
	beta := strings.Replace(pizza, "apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1", 1)
	answer := ask(t, New(), map[string]any{
		"id": "1", "op": "judge", "definitions": beta, "storedDefinitions": pizza,
	})
	definition := answer["definitions"].([]any)[0].(map[string]any)
	if definition["verdict"] != "refused" || definition["request"] != "update" {
		t.Error(definition)
	}
}

// What is typed is completed, explained and fixed as in an editor.
func TestEdit(t *testing.T) {
	e := New()
	texts := map[string]any{"definition": example(t, "pizza/crd.yaml"),
		"object": "apiVersion: kitchen.example.com/v1\nkind: Pizza\nmetadata: {name: a}\nspec:\n  siz: small\n"}
	for _, c := range []struct {
		want   string
		column int
		answer string
	}{
		{"completions", 5, `"label":"size"`},
		{"completions", 5, `"range":{"start":{"line":4,"column":2},"end":{"line":4,"column":5}}`},
		{"hover", 5, ``},
		{"actions", 0, `"title":"change it to size"`},
		{"folds", 0, `want \"folds\" is not known`},
	} {
		line, err := json.Marshal(map[string]any{"id": "1", "op": "edit", "texts": texts,
			"in": "object", "want": c.want, "line": 4, "last": 4, "column": c.column})
		if err != nil {
			t.Fatal(err)
		}
		if got := string(e.Answer(t.Context(), line)); !strings.Contains(got, c.answer) {
			t.Errorf("%s: %s", c.want, got)
		}
	}
	texts["object"] = "apiVersion: kitchen.example.com/v1\nkind: Pizza\nspec:\n  size: small\n"
	hover := ask(t, e, map[string]any{"id": "2", "op": "edit", "texts": texts,
		"in": "object", "want": "hover", "line": 3, "column": 3})["hover"]
	if text, _ := hover.(string); !strings.HasPrefix(text, "**size**: string") {
		t.Errorf("hover says %q", hover)
	}
}

// Objects of kinds that are built into Kubernetes are judged by their
// structure.
func TestBuiltInKinds(t *testing.T) {
	const object = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\n" +
		"spec:\n  replcas: 1\n  selector: {matchLabels: {a: b}}\n" +
		"  template:\n    metadata: {labels: {a: b}}\n" +
		"    spec: {containers: [{name: c, image: d}]}\n"
	for text, want := range map[string]string{
		object: `"verdict":"refused"`,
		strings.Replace(object, "replcas", "replicas", 1): `"verdict":"accepted"`,
	} {
		request, err := json.Marshal(map[string]any{
			"op": "judge", "objects": text, "fieldValidation": "Strict",
		})
		if err != nil {
			t.Fatal(err)
		}
		answer := string(New().Answer(t.Context(), request))
		if !strings.Contains(answer, want) || !strings.Contains(answer, `"byStructure":true`) {
			t.Errorf("%s\nfor\n%s", answer, text)
		}
	}
}
