package crdsem_test

import (
	"encoding/json"
	"testing"

	"github.com/crdsem/crdsem"
)

// A refusal is a Status in JSON. It has its details, unless it is one that the
// server gives none.
func TestStatusErrorJSON(t *testing.T) {
	causes := []crdsem.Cause{{Reason: "FieldValueRequired", Message: "m", Field: "spec.a"}}
	const details = `,"details":{"name":"n","group":"g.io","kind":"K",` +
		`"causes":[{"reason":"FieldValueRequired","message":"m","field":"spec.a"}]}`
	for _, test := range []struct {
		code         int
		reason, rest string
	}{
		{422, "Invalid", `,"reason":"Invalid"` + details + `,"code":422}`},
		{409, "Conflict", `,"reason":"Conflict"` + details + `,"code":409}`},
		{500, "InternalError", `,"reason":"InternalError"` + details + `,"code":500}`},
		{400, "BadRequest", `,"reason":"BadRequest","code":400}`},
		{413, "RequestEntityTooLarge", `,"reason":"RequestEntityTooLarge","code":413}`},
		{415, "UnsupportedMediaType", `,"reason":"UnsupportedMediaType","code":415}`},
		{500, "", `,"code":500}`},
	} {
		text, err := json.Marshal(&crdsem.StatusError{
			Code: test.code, Reason: test.reason, Message: "m",
			Name: "n", Group: "g.io", Kind: "K", Causes: causes,
		})
		want := `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"m"` +
			test.rest
		if err != nil || string(text) != want {
			t.Errorf("%d %s: %s, %v, want %s", test.code, test.reason, text, err, want)
		}
	}
}

// A scale is that of autoscaling/v1 in JSON, both ways.
func TestScaleJSON(t *testing.T) {
	scale := crdsem.Scale{
		Name: "n", Namespace: "d", UID: "u", ResourceVersion: "7",
		CreationTimestamp: "2026-01-02T03:04:05Z", Replicas: 3, CurrentReplicas: 2, Selector: "a=b",
	}
	text, err := json.Marshal(scale)
	const want = `{"kind":"Scale","apiVersion":"autoscaling/v1","metadata":{"name":"n",` +
		`"namespace":"d","uid":"u","resourceVersion":"7","creationTimestamp":"2026-01-02T03:04:05Z"},` +
		`"spec":{"replicas":3},"status":{"replicas":2,"selector":"a=b"}}`
	if err != nil || string(text) != want {
		t.Fatalf("%s, %v, want %s", text, err, want)
	}
	var back crdsem.Scale
	if err := json.Unmarshal(text, &back); err != nil || back != scale {
		t.Errorf("%+v, %v", back, err)
	}
	if err := json.Unmarshal([]byte(`{"spec":{"replicas":"3"}}`), &back); err == nil {
		t.Error("a string is no number of replicas")
	}
	for _, created := range []string{"x", ""} {
		text, err := json.Marshal(&crdsem.Scale{CreationTimestamp: created})
		const want = `{"kind":"Scale","apiVersion":"autoscaling/v1","metadata":{},"spec":{},` +
			`"status":{"replicas":0}}`
		if err != nil || string(text) != want {
			t.Errorf("%q: %s, %v", created, text, err)
		}
	}
}
