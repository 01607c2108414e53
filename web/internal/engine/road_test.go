package engine

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// versionsFile returns a file of the example of versions.
func versionsFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash("../../../examples/versions/" + name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The page says of the example of versions what crdsem-server stored and
// answered, which is in its table.
func TestRoad(t *testing.T) {
	var table []struct {
		Name, Request, Version, Refused string
		Stored, Answer                  map[string]any
		Reads                           map[string]map[string]any
	}
	if err := json.Unmarshal([]byte(versionsFile(t, "table.json")), &table); err != nil {
		t.Fatal(err)
	}
	answer := New().Answer(t.Context(), encode(map[string]any{
		"id": "1", "op": "judge", "definitions": versionsFile(t, "crd.yaml"),
		"objects": versionsFile(t, "objects.yaml"), "stored": versionsFile(t, "stored.yaml"),
	}))
	var got struct{ Objects []object }
	if err := json.Unmarshal(answer, &got); err != nil || len(got.Objects) != len(table) {
		t.Fatal(err, string(answer))
	}
	for i, want := range table {
		o := got.Objects[i]
		if o.Name != want.Name || o.Request != want.Request || o.Version != want.Version ||
			o.Refusal != want.Refused {
			t.Errorf("%s: %+v", want.Name, o.Result)
		}
		if want.Stored == nil {
			if o.Stored+o.Answered != "" {
				t.Errorf("%s is stored: %s", want.Name, o.Stored)
			}
			continue
		}
		answered := o.Answered
		if answered == "" {
			answered = o.Stored
		}
		reads := map[string]string{"v1": o.Stored, want.Version: answered}
		for _, read := range o.Served {
			reads[read.Version] = read.Text
		}
		same(t, want.Name+" stored", o.Stored, want.Stored)
		same(t, want.Name+" answered", answered, want.Answer)
		for version, object := range want.Reads {
			same(t, want.Name+" read in "+version, reads[version], object)
		}
	}
}

// same compares a text of YAML, without what a server generates.
func same(t *testing.T, what, text string, want map[string]any) {
	t.Helper()
	var got map[string]any
	if err := yaml.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(what, err)
	}
	metadata, _ := got["metadata"].(map[string]any)
	for _, name := range []string{"uid", "generation", "managedFields"} {
		delete(metadata, name)
	}
	if !jsonvalue.Equal(got, want) {
		t.Errorf("%s: got\n%swant %v", what, text, want)
	}
}

// What a webhook decides is said so, and nothing is shown as stored.
func TestWebhookDecides(t *testing.T) {
	crd := strings.Replace(versionsFile(t, "crd.yaml"), "  versions:\n", `  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {url: "https://127.0.0.1:1/"}}}
  versions:
`, 1)
	answer := New().Answer(t.Context(), encode(map[string]any{
		"id": "1", "op": "judge", "definitions": crd, "objects": versionsFile(t, "objects.yaml"),
	}))
	var got struct{ Objects []object }
	if err := json.Unmarshal(answer, &got); err != nil {
		t.Fatal(err)
	}
	for _, o := range got.Objects {
		if o.Version != "v1" && (!o.Webhook || o.Stored != "" || o.Answered == "") {
			t.Errorf("%s: %+v", o.Name, o)
		}
		if o.Version == "v1" && (o.Stored == "" || !strings.Contains(o.Served[0].Error,
			"webhook")) {
			t.Errorf("%s: %+v", o.Name, o)
		}
	}
}

// The operation describe lists what the versions declare.
func TestDescribe(t *testing.T) {
	answer := string(New().Answer(t.Context(), encode(map[string]any{
		"id": "1", "op": "describe", "definitions": versionsFile(t, "crd.yaml"),
	})))
	for _, want := range []string{
		`"kind":"Shop","name":"v1",`, `stored in this version.`, `"unknown":"They are removed, except in spec.template."`,
		`{"path":"spec.opens","type":"integer","facts":["default: 9"]}`,
		`{"path":"spec.goods","type":"list of string"}`,
		`"updates":[{"text":"name, namespace and uid cannot be changed"}]`,
	} {
		if !strings.Contains(answer, want) {
			t.Errorf("%s lacks %s", answer, want)
		}
	}
}
