package builtin_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/internal/test/corpus"
	"github.com/crdsem/crdsem/kube/server/internal/builtin"
)

var kindOfDefinitions = apiextensionsv1.SchemeGroupVersion.WithKind("CustomResourceDefinition")

// unusual are schemas with fields that the Go types write in another way than
// they are read, or not at all.
var unusual = []string{
	`{}`, `null`, `[]`, `"x"`,
	`{"type":"object","description":"","properties":{},"required":[],"nullable":false}`,
	`{"default":null,"items":null,"type":null,"enum":[null,1,1.5,"a",{"b":[]}]}`,
	`{"maximum":5,"minimum":0.5,"multipleOf":-0,"maxLength":3,"exclusiveMaximum":true}`,
	`{"items":{"maximum":5,"minimum":2.5,"maximum":9007199254740993}}`,
	`{"maximum":9007199254740993}`, `{"maximum":1e300}`, `{"maxLength":1.5}`, `{"maxLength":2.0}`,
	`{"items":[]}`, `{"items":[{"type":"string","title":""}]}`, `{"items":true}`,
	`{"additionalProperties":false}`, `{"additionalProperties":true}`,
	`{"additionalProperties":{"maximum":5}}`, `{"additionalProperties":[]}`,
	`{"dependencies":{"a":["b"],"c":{"minimum":1},"d":[]}}`, `{"dependencies":{"a":null}}`,
	`{"properties":{"a":null}}`, `{"properties":{"a":{"typo":1}}}`, `{"items":{"typo":1}}`,
	`{"x-kubernetes-validations":[{"rule":"true"},{"message":"m"},{"rule":""}]}`,
	`{"x-kubernetes-validations":[{"rule":"true","reason":"","message":"","optionalOldSelf":false}]}`,
	`{"x-kubernetes-list-type":"","x-kubernetes-preserve-unknown-fields":false}`,
	`{"required":[null]}`, `{"required":[1]}`, `{"properties":[]}`, `{"Type":"object"}`,
	`{"default":{"a":1.0,"b":1e3,"c":-0.0,"d":12345678901234567890}}`, `{"default":1.0}`,
	`{"externalDocs":{"url":""}}`, `{"externalDocs":{}}`, `{"not":{},"allOf":[{}],"anyOf":[null]}`,
}

// TestDecodeDefinition compares definitions with those that are decoded by the
// Go types as a whole.
func TestDecodeDefinition(t *testing.T) {
	for _, schema := range unusual {
		t.Run(schema, func(t *testing.T) {
			checkDefinition(t, []byte(fmt.Sprintf(`{"apiVersion":"apiextensions.k8s.io/v1",
				"kind":"CustomResourceDefinition","metadata":{"name":"a"},"spec":{"versions":[
				{"name":"v1","schema":{"openAPIV3Schema":%s}},{"name":"v2"},
				{"name":"v3","schema":{"openAPIV3Schema":{"type":"object"}}}]}}`, schema)))
		})
	}
	for _, text := range []string{
		`{"spec":1}`, `{"spec":{"versions":[null,1]}}`, `{"kind":"Pod","apiVersion":"v1"}`,
		`{"spec":{"versions":[{"schema":{"a":1,"openAPIV3Schema":{}}}]},"a":1}`,
		`{"spec":{"versions":[{"schema":{"openAPIV3Schema":{}},"name":1}]}}`,
	} {
		t.Run(text, func(t *testing.T) { checkDefinition(t, []byte(text)) })
	}
}

// TestDecodeDefinitionCorpus does it with those of projects, and with some that
// were changed at random.
func TestDecodeDefinitionCorpus(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for _, file := range corpus.Definitions(t) {
		text, err := yaml.YAMLToJSON(file.Text)
		if err != nil {
			t.Fatal(err)
		}
		checkDefinition(t, text)
		var object map[string]any
		if err := utiljson.Unmarshal(text, &object); err != nil {
			t.Fatal(err)
		}
		spec, _ := object["spec"].(map[string]any)
		for range 3 {
			change(spec["versions"], random)
			text, err := json.Marshal(object)
			if err != nil {
				t.Fatal(err)
			}
			checkDefinition(t, text)
		}
	}
}

// change gives about one field of a hundred another value.
func change(value any, random *rand.Rand) {
	fields, _ := value.(map[string]any)
	for key, item := range fields {
		if random.IntN(100) == 0 {
			fields[key] = []any{
				nil, "", int64(3), 2.5, false, []any{}, map[string]any{}, map[string]any{"a": nil},
			}[random.IntN(8)]
			continue
		}
		change(item, random)
	}
	list, _ := value.([]any)
	for _, item := range list {
		change(item, random)
	}
}

func checkDefinition(t *testing.T, text []byte) {
	t.Helper()
	var object map[string]any
	if err := utiljson.Unmarshal(text, &object); err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	want, missed, wrong := builtin.Decode(body, runtime.ContentTypeJSON, kindOfDefinitions)
	got, unknown, err := builtin.DecodeDefinition(object, kindOfDefinitions)
	if fmt.Sprint(err) != fmt.Sprint(wrong) || fmt.Sprint(unknown) != fmt.Sprint(missed) ||
		!reflect.DeepEqual(got, want) {
		t.Errorf("%.300s:\n%v, %v, %v\nwant %v, %v, %v",
			text, got, unknown, err, want, missed, wrong)
	}
}
