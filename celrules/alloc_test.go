package celrules_test

import (
	"context"
	"testing"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/internal/test/allocs"
	"github.com/crdsem/crdsem/internal/test/testschema"
)

// Common rules allocate nothing for an object that passes them.
func TestValidObjectAllocatesNothing(t *testing.T) {
	schema := mustParse(t, `{"type":"object","properties":{"spec":{"type":"object","properties":{
		"name":{"type":"string","maxLength":20},"size":{"type":"integer"},"max":{"type":"integer"},"mode":{"type":"string"},
		"port":{"x-kubernetes-int-or-string":true},
		"list":{"type":"array","maxItems":5,"items":{"type":"object","properties":{"k":{"type":"string"}}}}},
		"x-kubernetes-validations":[
			{"rule":"self.size <= self.max && self.size > 0"},
			{"rule":"!has(self.mode) || self.mode in ['a', 'b']"},
			{"rule":"self.name.startsWith('x') ? self.name.matches('^x[a-z]*$') : true"},
			{"rule":"self.list.all(i, i.k != 'bad') && self.list.exists_one(i, i.k == 'one') && self.list.size() < 4"},
			{"rule":"self.list.all(a, self.list.exists_one(b, a.k == b.k))"},
			{"rule":"self.name == oldSelf.name", "message":"immutable"}]}},
		"x-kubernetes-validations":[{"rule":"self.metadata.name != ''"}]}`)
	object := func() any {
		return testschema.Value(t, `{"apiVersion":"v1","kind":"K","metadata":{"name":"n"},
			"spec":{"name":"xyz","size":3,"max":5,"mode":"b","port":"80",
			"list":[{"k":"one"},{"k":"two"},{"k":"three"}]}}`)
	}
	rules := celrules.Compile(schema)
	if err := rules.Prepare(context.Background()); err != nil {
		t.Fatal(err)
	}
	value, old := object(), object()
	ctx := context.Background()
	for name, old := range map[string]any{"create": nil, "update": old} {
		allocs.AtMost(t, 0, name, func() {
			result := rules.Validate(ctx, value, old)
			if len(result.Errors) > 0 || result.Cost == 0 {
				t.Fatalf("%s: %+v", name, result)
			}
		})
	}
}
