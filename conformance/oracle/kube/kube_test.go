package kube

import (
	"context"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/app/protocol"
)

const crontabs = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"crontabs.example.com"},
"spec":{"group":"example.com","scope":"Namespaced","names":{"plural":"crontabs","kind":"CronTab"},"versions":[
{"name":"v1","served":true,"storage":true,"subresources":{"status":{}},"schema":{"openAPIV3Schema":{"type":"object","properties":{
"spec":{"type":"object","properties":{"replicas":{"type":"integer","minimum":1,"default":1},"image":{"type":"string"}}},"status":{"type":"object","properties":{"n":{"type":"integer"}}}}}}},
{"name":"v1beta1","served":true,"storage":false,"deprecated":true,"schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}}`

// TestAdmitFollowsTheHandlers checks the steps around the real code's exported
// functions.
func TestAdmitFollowsTheHandlers(t *testing.T) {
	crd := strings.ReplaceAll(crontabs, "\n", "")
	cases := []struct{ name, inputs, want string }{
		{"defaults, prunes, warns and fills the namespace in",
			`"version":"v1","object":{"apiVersion":"example.com/v1","kind":"CronTab","metadata":{"name":"n","uid":"u"},"spec":{"x":1},"status":{"n":1}}`,
			`"stage":"admitted","object":{"apiVersion":"example.com/v1","kind":"CronTab","metadata":{"name":"n","namespace":"default"},"spec":{"replicas":1}},"unknownFields":["spec.x"],"errors":[],"warnings":["unknown field \"spec.x\""]`},
		{"strict refuses", `"version":"v1","fieldValidation":"Strict","object":"{\"apiVersion\":\"example.com/v1\",\"kind\":\"CronTab\",\"metadata\":{\"name\":\"n\"},\"spec\":{\"image\":\"a\",\"image\":\"b\"}}"`,
			`"stage":"decode","unknownFields":[],"errors":[{"type":"DecodeError","field":"","detail":"CronTab in version \"v1\" cannot be handled as a CronTab: strict decoding error: duplicate field \"spec.image\"","text":"CronTab in version \"v1\" cannot be handled as a CronTab: strict decoding error: duplicate field \"spec.image\""}],"warnings":[]`},
		{"another version is refused", `"version":"v1","object":{"apiVersion":"example.com/v1beta1","kind":"CronTab"}`,
			`"stage":"decode","unknownFields":[],"errors":[{"type":"DecodeError","field":"","detail":"the API version in the data (example.com/v1beta1) does not match the expected API version (example.com/v1)","text":"the API version in the data (example.com/v1beta1) does not match the expected API version (example.com/v1)"}],"warnings":[]`},
		{"a deprecated version warns", `"version":"v1beta1","object":{"apiVersion":"example.com/v1beta1","kind":"CronTab","metadata":{"generateName":"n-"}}`,
			`"stage":"admitted","object":{"apiVersion":"example.com/v1beta1","kind":"CronTab","metadata":{"generateName":"n-","name":"n-00000","namespace":"default"}},"unknownFields":[],"errors":[],"warnings":["example.com/v1beta1 CronTab is deprecated; use example.com/v1 CronTab"]`},
		{"an update keeps the status", `"version":"v1","object":{"apiVersion":"example.com/v1","kind":"CronTab","metadata":{"name":"n"},"spec":{"replicas":0}},"old":{"apiVersion":"example.com/v1","kind":"CronTab","metadata":{"name":"n","resourceVersion":"7"},"status":{"n":2}}`,
			`"stage":"invalid","object":{"apiVersion":"example.com/v1","kind":"CronTab","metadata":{"name":"n","namespace":"default"},"spec":{"replicas":0},"status":{"n":2}},"unknownFields":[],"errors":[{"type":"FieldValueInvalid","field":"spec.replicas","detail":"spec.replicas in body should be greater than or equal to 1","text":"spec.replicas: Invalid value: 0: spec.replicas in body should be greater than or equal to 1"}],"warnings":[]`},
		{"a status update keeps the rest", `"version":"v1","subresource":"status","object":{"apiVersion":"example.com/v1","kind":"CronTab","metadata":{"name":"n","labels":{"a":"b"}},"spec":{"replicas":5},"status":{"n":3}},"old":{"apiVersion":"example.com/v1","kind":"CronTab","metadata":{"name":"n"},"spec":{"replicas":2}}`,
			`"stage":"admitted","object":{"apiVersion":"example.com/v1","kind":"CronTab","metadata":{"name":"n","namespace":"default"},"spec":{"replicas":2},"status":{"n":3}},"unknownFields":[],"errors":[],"warnings":[]`},
		{"a version that is not served", `"version":"v2","object":{}`, `"fault":"version \"v2\" is not served"`},
		{"a status update needs an old object", `"version":"v1","subresource":"status","object":{}`, `"fault":"missing input \"old\" of a status update"`},
		{"a subresource that is not there", `"version":"v1beta1","subresource":"status","object":{},"old":{}`, `"fault":"version \"v1beta1\" has no status subresource"`},
	}
	handler := New()
	for _, c := range cases {
		line := `{"id":"1","op":"admit","crd":` + crd + `,` + c.inputs + `}`
		got := string(
			protocol.AnswerLine(context.Background(), []byte(line), handler).AppendJSON(nil),
		)
		if want := `{"id":"1",` + c.want + `}`; got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, want)
		}
	}
}

func TestPanicsAreFaults(t *testing.T) {
	line := `{"id":"1","op":"crd","crd":{"spec":{"versions":[{"schema":{},"selectableFields":[{"jsonPath":".sp"}]}]}}}`
	answer := protocol.AnswerLine(context.Background(), []byte(line), New())
	if !strings.HasPrefix(answer.Fault, "panic: ") {
		t.Errorf("got %s", answer.AppendJSON(nil))
	}
}

func TestMadeUpNamesAreStable(t *testing.T) {
	line := `{"id":"1","op":"cost","schema":{"type":"object","properties":{"a":{"type":"object","x-kubernetes-validations":[{"rule":"self == 1"}]}}}}`
	answer := string(protocol.AnswerLine(context.Background(), []byte(line), New()).AppendJSON(nil))
	if !strings.Contains(answer, "(selfType, int)") {
		t.Errorf("got %s", answer)
	}
}
