package fuzz

import (
	"bytes"
	"context"
	"testing"

	"github.com/crdsem/crdsem/internal/app/evaluator/whole"
	"github.com/crdsem/crdsem/internal/app/protocol"
)

func FuzzStructural(f *testing.F) { fuzz(f, protocol.OpStructural, `{"schema":{"type":"object"}}`) }

func FuzzPrune(f *testing.F) {
	fuzz(f, protocol.OpPrune, `{"schema":{"type":"object"},"object":{"a":1}}`)
}

func FuzzDefault(f *testing.F) {
	fuzz(f, protocol.OpDefault,
		`{"schema":{"type":"object","properties":{"a":{"type":"integer","default":1}}},"object":{}}`)
}

func FuzzValidate(f *testing.F) {
	fuzz(f, protocol.OpValidate,
		`{"schema":{"type":"object","required":["a"]},"object":{},"old":{"b":1}}`)
}

func FuzzCEL(f *testing.F) {
	fuzz(f, protocol.OpCEL, `{"schema":{"type":"object","properties":{"a":{"type":"integer"}},`+
		`"x-kubernetes-validations":[{"rule":"self.a < 5"}]},"object":{"a":5}}`)
}

func FuzzCost(f *testing.F) {
	fuzz(f, protocol.OpCost, `{"schema":{"type":"object","x-kubernetes-validations":[{"rule":"1 == 1"}]}}`)
}

func FuzzCRD(f *testing.F) {
	fuzz(f, protocol.OpCRD, `{"crd":{"apiVersion":"apiextensions.k8s.io/v1",`+
		`"kind":"CustomResourceDefinition","metadata":{"name":"ks.g.io"},"spec":{"group":"g.io"}}}`)
}

func FuzzAdmit(f *testing.F) {
	fuzz(f, protocol.OpAdmit, `{"crd":{"apiVersion":"apiextensions.k8s.io/v1",`+
		`"kind":"CustomResourceDefinition","metadata":{"name":"ks.g.io"},"spec":{"group":"g.io",`+
		`"scope":"Cluster","names":{"plural":"ks","singular":"k","kind":"K","listKind":"KList"},`+
		`"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{`+
		`"type":"object","properties":{"a":{"type":"string","default":"b"}}}}}]}},"version":"v1",`+
		`"object":{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"x"},"c":1}}`)
}

func FuzzConvert(f *testing.F) {
	fuzz(f, protocol.OpConvert, `{"crd":{},"to":"g.io/v1","objects":[{"apiVersion":"g.io/v2"}]}`)
}

func FuzzTable(f *testing.F) { fuzz(f, protocol.OpTable, `{"crd":{},"version":"v1","objects":[{}]}`) }

func FuzzStore(f *testing.F) {
	fuzz(f, protocol.OpStore, `{"crd":{},"object":{"apiVersion":"g.io/v2","kind":"K"}}`)
}

func FuzzRead(f *testing.F) {
	fuzz(f, protocol.OpRead, `{"crd":{},"version":"v1","object":{"apiVersion":"g.io/v2","kind":"K"}}`)
}

// write is the begin of a write.
const write = `{"crd":{"apiVersion":"apiextensions.k8s.io/v1",` +
	`"kind":"CustomResourceDefinition","metadata":{"name":"ks.g.io"},"spec":{"group":"g.io",` +
	`"scope":"Cluster","names":{"plural":"ks","singular":"k","kind":"K","listKind":"KList"},` +
	`"versions":[{"name":"v1","served":true,"storage":true,"subresources":{"status":{},"scale":{` +
	`"specReplicasPath":".spec.n","statusReplicasPath":".status.n"}},"schema":{"openAPIV3Schema":{` +
	`"type":"object","properties":{"spec":{"type":"object","properties":{"n":{"type":"integer"}}},` +
	`"status":{"type":"object","properties":{"n":{"type":"integer"}}}}}}}]}},"version":"v1",` +
	`"stored":{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"x"},"spec":{"n":1}}`

// written is an object that is sent.
const written = `,"object":{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"x",` +
	`"resourceVersion":"1"},"spec":{"n":2},"status":{"n":3}},"manager":"a"}`

func FuzzUpdate(f *testing.F) { fuzz(f, protocol.OpUpdate, write+written) }

func FuzzStatus(f *testing.F) { fuzz(f, protocol.OpStatus, write+written) }

func FuzzPatch(f *testing.F) {
	fuzz(f, protocol.OpPatch, write+`,"type":"merge","patch":{"spec":{"n":2}},"manager":"a"}`)
}

func FuzzApply(f *testing.F) { fuzz(f, protocol.OpApply, write+written) }

func FuzzScale(f *testing.F) {
	fuzz(f, protocol.OpScale, write+`,"object":{"apiVersion":"autoscaling/v1","kind":"Scale",`+
		`"metadata":{"name":"x"},"spec":{"replicas":2}}}`)
}

func FuzzSort(f *testing.F) { fuzz(f, protocol.OpSort, `{"names":["v1","v1beta1","foo"]}`) }

// fuzz asks for the operation with any inputs, twice.
func fuzz(f *testing.F, op, seed string) {
	f.Add([]byte(seed))
	f.Fuzz(func(t *testing.T, inputs []byte) {
		inputs = bytes.TrimSpace(inputs)
		if len(inputs) == 0 || inputs[0] != '{' {
			return // no request
		}
		line := append([]byte(`{"id":"1","op":"`+op+`",`), inputs[1:]...)
		first, second := answer(line), answer(line)
		if !bytes.Equal(first, second) {
			t.Errorf("two answers to %s: %s and %s", line, first, second)
		}
		if bytes.ContainsRune(first, '\n') {
			t.Errorf("an answer of several lines to %s: %s", line, first)
		}
	})
}

var handle = whole.New()

// answer answers a request without the recovery of protocol.AnswerLine, so that
// panics are seen.
func answer(line []byte) []byte {
	request, err := protocol.ParseRequest(line)
	if err != nil {
		return []byte(err.Error())
	}
	result, err := handle(context.Background(), request)
	if err != nil {
		return []byte("fault")
	}
	return (&protocol.Answer{ID: request.ID, Result: result}).AppendJSON(nil)
}
