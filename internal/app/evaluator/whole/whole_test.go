package whole_test

import (
	"context"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/app/evaluator"
	"github.com/crdsem/crdsem/internal/app/evaluator/whole"
	"github.com/crdsem/crdsem/internal/app/protocol"
)

const crd = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",` +
	`"metadata":{"name":"ks.g.io"},"spec":{"group":"g.io","scope":"Namespaced",` +
	`"names":{"plural":"ks","kind":"K"},"versions":[{"name":"v1","served":true,"storage":true,` +
	`"subresources":{"status":{},"scale":{"specReplicasPath":".spec.n",` +
	`"statusReplicasPath":".status.n"}},"schema":{"openAPIV3Schema":{"type":"object",` +
	`"properties":{"spec":{"type":"object","properties":{"n":{"type":"integer"}}},` +
	`"status":{"type":"object","properties":{"n":{"type":"integer"}}}}}}}]}}`

const (
	stored = `,"stored":{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"a"},"spec":{"n":1}}`
	object = `,"object":{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"a"},"spec":{"n":2}}`
)

func ask(handler protocol.Handler, op, inputs string) string {
	line := `{"id":"1","op":"` + op + `","crd":` + crd + `,"version":"v1"` + inputs + `}`
	return string(protocol.AnswerLine(context.Background(), []byte(line), handler).AppendJSON(nil))
}

// Requests that no server gets, and those that this program cannot answer, are
// faults.
func TestFaultsOfWrites(t *testing.T) {
	for _, c := range []struct{ op, inputs, want string }{
		{"update", object + `,"stored":null`, "stored is null"},
		{"update", stored + object + `,"fieldValidation":"strict"`, `"strict\" is not known`},
		{"update", object, `missing input \"stored\"`},
		{"patch", stored + `,"patch":{},"type":"yaml"`, `type of patch \"yaml\"`},
		{"patch", stored + `,"patch":{},"type":"merge","subresource":"scale"`, "is not known"},
		{"apply", object + `,"subresource":"status"`, `missing input \"stored\"`},
		{"apply", `,"object":{"apiVersion":"g.io/v1","kind":"K"}`, "no name"},
		{"scale", stored + `,"object":{"kind":"Scale"}`, "not a Scale"},
		{"scale", stored + `,"object":{"spec":{"replicas":"1"}}`, "not a scale"},
		{"scale", `,"stored":null`, "stored is null"},
	} {
		answer := ask(whole.New(), c.op, c.inputs)
		if !strings.Contains(answer, `"fault"`) || !strings.Contains(answer, c.want) {
			t.Errorf("%s %s: %s, want a fault with %s", c.op, c.inputs, answer, c.want)
		}
	}
}

// A program that does not link the writes does not answer them.
func TestWithoutWrites(t *testing.T) {
	for _, op := range []string{"update", "status", "apply", "scale"} {
		answer := ask(evaluator.New(), op, stored+object)
		if !strings.Contains(answer, "does not answer") {
			t.Errorf("%s: %s", op, answer)
		}
	}
	patch := stored + `,"patch":{"spec":{"n":3}},"type":"merge"`
	if answer := ask(whole.New(), "patch", patch); !strings.Contains(answer, `"spec":{"n":3}`) {
		t.Errorf("patch: %s", answer)
	}
}
