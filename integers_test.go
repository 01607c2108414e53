package crdsem_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/test/requests"
)

// An object that encoding/json decoded has float64 for every number. A whole
// one is the integer that a client's JSON of the object has (PIPE-001), where
// the schema says integer; a body is taken to the letter.
func TestWholeFloats(t *testing.T) {
	v := requests.Version(t, "v1")
	const text = `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"x"},"spec":{"replicas":3}}`
	var object map[string]any
	if err := json.Unmarshal([]byte(text), &object); err != nil {
		t.Fatal(err)
	}
	given := v.Create(context.Background(), object)
	want := v.CreateBytes(context.Background(), []byte(text))
	if diff := cmp.Diff(want.Object, given.Object); diff != "" || given.Err() != nil {
		t.Errorf("%v %s", given.Err(), diff)
	}
	if object["spec"].(map[string]any)["replicas"] != 3.0 {
		t.Errorf("the object was changed: %v", object)
	}
	// 3.0 in a body is no integer for the rule.
	exact := v.Do(context.Background(), crdsem.Request{Object: object, Decoded: true})
	body := v.CreateBytes(context.Background(), []byte(strings.Replace(text, ":3}", ":3.0}", 1)))
	diff := cmp.Diff(requests.Lines(body), requests.Lines(exact))
	if diff != "" || exact.Err() == nil {
		t.Errorf("%v %s", exact.Err(), diff)
	}
	for number, refused := range map[float64]bool{2.5: true, 1e300: true, 1 << 63: true, 4: false} {
		object["spec"].(map[string]any)["replicas"] = number
		if err := v.Create(context.Background(), object).Err(); (err != nil) != refused {
			t.Errorf("%v: %v", number, err)
		}
	}
}
