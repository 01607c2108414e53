package conversion_test

import (
	"context"
	"testing"

	"github.com/crdsem/crdsem/conversion"
)

// An object that contains itself is rejected before it is copied.
func TestCyclicObject(t *testing.T) {
	cyclic := map[string]any{"apiVersion": "g.io/v1", "kind": "Foo"}
	cyclic["spec"] = []any{cyclic}
	same := func(_ context.Context, object map[string]any) (map[string]any, error) {
		return object, nil
	}
	spoke := conversion.Spoke{APIVersion: "g.io/v1", ToHub: same, FromHub: same}
	functions, err := conversion.HubAndSpoke("g.io/v2", spoke)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := functions.Convert(context.Background(), cyclic, "g.io/v2"); err == nil {
		t.Error("Convert takes a cyclic object")
	}
	_, err = conversion.RoundTrip(context.Background(), functions, cyclic, "g.io/v2", nil)
	if err == nil {
		t.Error("RoundTrip takes a cyclic object")
	}
}
