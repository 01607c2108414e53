package advice_test

import (
	"regexp"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/test/testschema"
	"github.com/crdsem/crdsem/kit/advice"
	"github.com/crdsem/crdsem/structural"
)

var jobs = testschema.Definition("Task", `
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              schedule: {type: string, pattern: '^(\d+|\*)(/\d+)?(\s+(\d+|\*)(/\d+)?){4}$'}
              code: {type: string, pattern: '^[A-Z]+-[0-9]+$', minLength: 6, maxLength: 9}
              template:
                type: object
                properties:
                  status: {type: object, properties: {phase: {type: string}}}
                  labels: {type: object, additionalProperties: {type: string}}
                  spec:
                    type: object
                    properties:
                      hostNetwork: {type: boolean}
                      containers:
                        type: array
                        items: {type: object, properties: {image: {type: string}}}
              backup: {type: object, properties: {image: {type: string}, env: {type: string}}}
              tools: {type: object, properties: {env: {type: object}}}
              jobs: {type: object, properties: {env: {type: object}}}
              pools: {type: object, additionalProperties: {type: object, properties: {cpu: {type: string}}}}
          data: {type: string}
`)

// hintsOf returns the hints on the errors and warnings of an object.
func hintsOf(t *testing.T, spec map[string]any) string {
	t.Helper()
	def, err := crdsem.Parse([]byte(jobs))
	if err != nil {
		t.Fatal(err)
	}
	v1, err := def.Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	object := map[string]any{"apiVersion": "example.com/v1", "kind": "Task",
		"metadata": map[string]any{"name": "a"}, "spec": spec}
	result := v1.Create(t.Context(), object)
	o := &advice.Object{Schema: v1.Schema(), Object: object}
	var hints []string
	for _, err := range result.Errors {
		hints = append(hints, o.Hint(t.Context(), err))
	}
	for _, warning := range result.Warnings {
		hints = append(hints, o.Warning(t.Context(), warning))
	}
	return strings.Join(hints, "\n")
}

// The hint on a field below a wrong parent names the right one, unless several
// places are as near.
func TestRightParent(t *testing.T) {
	type object = map[string]any
	for _, c := range []struct {
		spec object
		want string
	}{
		{object{"template": object{"containers": []any{}}}, "`containers` belongs below `spec.template.spec`"},
		{object{"containers": []any{}}, "`containers` belongs below `spec.template.spec`"},
		{object{"template": object{"spec": object{"labels": object{}}}}, "`labels` belongs below `spec.template`"},
		{object{"template": object{"spec": object{"containers": []any{object{"hostNetwork": true}}}}},
			"`hostNetwork` belongs below `spec.template.spec`"},
		{object{"template": object{"image": "a"}}, "`image` belongs below `spec.template.spec.containers[]`"},
		{object{"phase": "a"}, "`phase` belongs below `spec.template.status`"},
		{object{"image": "a"}, "`image` belongs below `spec.backup`"},
		{object{"template": object{"spec": object{"containers": []any{object{"image": "a",
			"env": object{}}}}}}, "`env` belongs below `spec.jobs` or below `spec.tools`"},
		{object{"template": object{"env": "a"}}, "`env` belongs below `spec.backup`"},
		{object{"backup": object{"cpu": "1"}}, "`cpu` belongs below `spec.pools[*]`"},
		{object{"backup": object{"spec": object{}}}, "`spec` belongs below `spec.template`"},
		{object{"backup": object{"data": "a"}}, "`data` belongs at the top"},
		{object{"nowhere": "a"}, "the schema declares `backup`, `code`, `jobs`, `pools`, `schedule`, `template`, `tools` here"},
	} {
		if got := hintsOf(t, c.spec); got != c.want {
			t.Errorf("%v: %s, want %s", c.spec, got, c.want)
		}
	}
}

// A string that would be a value of the type without its quotes is shown so.
func TestWithoutQuotes(t *testing.T) {
	for _, c := range []struct {
		kind, text string
		want       bool
	}{
		{"integer", "12", true}, {"integer", "1.5", false}, {"number", "1.5", true},
		{"number", "x", false}, {"boolean", "true", true}, {"boolean", "false", true},
		{"boolean", "yes", false}, {"object", "{}", false},
	} {
		schema, err := structural.Parse([]byte(
			`{"type": "object", "properties": {"a": {"type": "` + c.kind + `"}}}`))
		if err != nil {
			t.Fatal(err)
		}
		o := advice.Object{Schema: schema, Object: map[string]any{"a": c.text}}
		got := o.Hint(t.Context(), &field.Error{Field: "a", Origin: "VAL-020"})
		if strings.HasSuffix(got, "; write it without quotes: `"+c.text+"`") != c.want {
			t.Errorf("%s %s: %s", c.kind, c.text, got)
		}
	}
}

// An unknown keyword of a schema has other hints than an unknown field of a
// definition.
func TestUnknownFieldsOfDefinitions(t *testing.T) {
	const schema = "spec.versions[0].schema.openAPIV3Schema"
	const nothing = "a definition has no such field; the server drops it"
	for path, want := range map[string]string{
		schema + ".x-foo": "a schema takes no extensions but those of Kubernetes (`x-kubernetes-…`); the server drops it",
		schema + ".typ":   "did you mean `type`?",
		schema + ".somewhere": "a schema has no such keyword, the server drops it; if it is a field, it belongs " +
			"below `properties`",
		schema + ".x-kubernetes-validations[0].x-foo": nothing,
		"spec.versions[0].nam":                        "did you mean `name`?", "spec.somewhere": nothing, "somewhere": nothing,
	} {
		got := new(advice.Definition).Warning(t.Context(), `unknown field "`+path+`"`)
		if got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// The hint on a pattern has an example that matches it.
func TestExampleMatches(t *testing.T) {
	got := hintsOf(t, map[string]any{"schedule": "daily", "code": "abcdef"})
	examples := regexp.MustCompile("e\\.g\\. `([^`]*)`").FindAllStringSubmatch(got, -1)
	if len(examples) != 2 {
		t.Fatalf("got %s", got)
	}
	if hints := hintsOf(t, map[string]any{
		"schedule": examples[1][1], "code": examples[0][1],
	}); hints != "" {
		t.Errorf("the examples %v are refused: %s", examples, hints)
	}
}

// Variables and templates are named as such.
func TestPlaceholders(t *testing.T) {
	for value, want := range map[string]string{
		"${APP}-5":           "`${APP}` is a variable, e.g. of Flux",
		"{{ .Values.code }}": "`{{ .Values.code }}` is of a Helm template",
		"a{{ .code }}":       "`{{ .code }}` is of a template (Go)",
		"{{code}}":           "`{{code}}` is of a template (Jinja or Argo)",
		"$APP-1234":          "the value", "{APP}-12": "the value",
	} {
		if got := hintsOf(t, map[string]any{"code": value}); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s", value, got)
		}
	}
}
