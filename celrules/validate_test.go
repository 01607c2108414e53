package celrules_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/internal/test/testschema"
	"github.com/crdsem/crdsem/structural"
)

func TestOptions(t *testing.T) {
	schema := mustParse(t, `{"type":"object","properties":{"a":{"type":"integer"}},
		"x-kubernetes-validations":[{"rule":"self.a > 1"}]}`)
	object := map[string]any{"a": int64(0)}
	rules := celrules.Compile(schema)
	at := validate(rules, object, nil, celrules.At(field.NewPath("spec", "x")))
	if got := lines(at.Errors); got != "spec.x: Invalid value: failed rule: self.a > 1" {
		t.Error(got)
	}
	same := map[string]any{"a": int64(0)}
	if r := validate(rules, object, same); len(r.Errors) != 0 || len(r.Ratcheted) != 1 {
		t.Errorf("ratcheting: %+v", r)
	}
	r := validate(rules, object, same, celrules.WithoutRatcheting())
	if len(r.Errors) != 1 || len(r.Ratcheted) != 0 {
		t.Errorf("no ratcheting: %+v", r)
	}
}

// Metadata is declared at the root of a resource only (CEL-024).
func TestInnerNode(t *testing.T) {
	schema := mustParse(t, `{"type":"object",
		"x-kubernetes-validations":[{"rule":"self.metadata.name == 'x'"}]}`)
	object := map[string]any{"metadata": map[string]any{"name": "x"}}
	if r := validate(celrules.Compile(schema), object, nil); len(r.Errors) != 0 {
		t.Error(lines(r.Errors))
	}
	r := validate(celrules.Compile(schema, inside), object, nil)
	if !strings.Contains(lines(r.Errors), "undefined field 'metadata'") {
		t.Error(lines(r.Errors))
	}
}

// Versions share compiled rules, even if their nodes differ in what expressions
// do not see. Several goroutines may run them.
func TestSharedCache(t *testing.T) {
	cache := new(structural.Cache)
	versions := make([]*celrules.Rules, 2)
	for i := range versions {
		described := fmt.Sprintf(`"description":"version %d","type":"integer"`, i)
		text := strings.ReplaceAll(counted, `"type":"integer"`, described)
		versions[i] = celrules.Compile(mustParse(t, text), structural.InCache(cache))
	}
	object := testschema.Value(t, `{"m":{"x":1},"a":1,"b":9}`)
	want := lines(validate(celrules.Compile(mustParse(t, counted)), object, nil).Errors)
	var group sync.WaitGroup
	for n := range 16 {
		group.Go(func() {
			if got := lines(validate(versions[n%2], object, nil).Errors); got != want {
				t.Errorf("got\n%s", got)
			}
		})
	}
	group.Wait()
	if _, all := versions[1].DirectExpressions(); all != 3 {
		t.Errorf("%d expressions were compiled, want 3", all)
	}
	other := mustParse(t, `{"type":"object","x-kubernetes-validations":[{"rule":"true"}]}`)
	if _, all := celrules.Compile(other, structural.InCache(cache)).DirectExpressions(); all != 4 {
		t.Errorf("%d expressions are in the cache, want 4", all)
	}
}
