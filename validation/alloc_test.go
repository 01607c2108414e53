package validation_test

import (
	"testing"

	"github.com/crdsem/crdsem/defaulting"
	"github.com/crdsem/crdsem/internal/test/allocs"
	"github.com/crdsem/crdsem/internal/test/corpus"
	"github.com/crdsem/crdsem/internal/test/testschema"
	"github.com/crdsem/crdsem/prune"
	"github.com/crdsem/crdsem/structural"
	"github.com/crdsem/crdsem/validation"
)

// everythingSchema has every keyword, and everythingObject is valid by it.
const (
	everythingSchema = `{"type":"object","required":["spec"],"properties":{"spec":{"type":"object","minProperties":1,"maxProperties":30,"properties":{
		"name":{"type":"string","minLength":1,"maxLength":20,"pattern":"^[a-z]([-a-z0-9]*[a-z0-9])?$"},
		"when":{"type":"string","format":"date-time"},"day":{"type":"string","format":"date"},"id":{"type":"string","format":"uuid"},
		"data":{"type":"string","format":"byte"},"ip":{"type":"string","format":"ipv4"},"ip6":{"type":"string","format":"ipv6"},
		"net":{"type":"string","format":"cidr"},"every":{"type":"string","format":"duration"},"url":{"type":"string","format":"uri"},
		"host":{"type":"string","format":"hostname"},"mail":{"type":"string","format":"email"},
		"count":{"type":"integer","format":"int32","minimum":0,"maximum":10,"multipleOf":2},"ratio":{"type":"number","exclusiveMinimum":true,"minimum":0},
		"port":{"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}]},"on":{"type":"boolean"},"none":{"type":"string","nullable":true},
		"kind":{"type":"string","enum":["a","b","c","d","e","f","g","h","i","j"]},"level":{"type":"integer","enum":[1,2,3]},
		"labels":{"type":"object","additionalProperties":{"type":"string"}},
		"one":{"type":"object","properties":{"x":{"type":"string"},"y":{"type":"string"}},"oneOf":[{"required":["x"]},{"required":["y"]}],"not":{"required":["z"]}},
		"all":{"type":"string","allOf":[{"minLength":1},{"maxLength":5}]},
		"set":{"type":"array","x-kubernetes-list-type":"set","maxItems":100,"items":{"type":"integer"}},
		"map":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k","l"],"items":{"type":"object","required":["k","l"],
			"properties":{"k":{"type":"string"},"l":{"type":"integer"}}}},
		"pod":{"type":"object","x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true}
	}}}}`
	everythingObject = `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n"},"spec":{"name":"a-b","when":"2020-01-02T03:04:05.678+09:00","day":"2020-01-02",
		"id":"550e8400-e29b-41d4-a716-446655440000","data":"YWJj","ip":"10.1.2.3","ip6":"fe80::1","net":"10.0.0.0/8","every":"1h30m",
		"url":"https://example.com/a/b","host":"www.example.com","mail":"a.b@example.com","count":4,"ratio":0.5,"port":"http","on":true,"none":null,"kind":"j","level":2,
		"labels":{"a":"b","c":"d"},"one":{"x":"1"},"all":"abc","set":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20],
		"map":[{"k":"a","l":1},{"k":"a","l":2},{"k":"b","l":1}],"pod":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"}}}}`
)

// Validating a valid object allocates nothing, whatever the keyword.
func TestValidObjectsDoNotAllocate(t *testing.T) {
	v := validation.Compile(testschema.Schema(t, everythingSchema))
	o := testschema.Object(t, everythingObject)
	if errs := v.Validate(t.Context(), o); errs != nil {
		t.Fatal(errs)
	}
	ctx := t.Context()
	allocs.AtMost(t, 0, "Validate", func() { v.Validate(ctx, o) })
	allocs.AtMost(t, 0, "ValidateUpdate", func() { v.ValidateUpdate(ctx, o, o) })
	allocs.AtMost(t, 0, "ValidateStatusUpdate", func() { v.ValidateStatusUpdate(ctx, o, o) })
}

// Validating a valid object of the corpus allocates nothing.
func TestCorpusDoesNotAllocate(t *testing.T) {
	schemas := map[string]*structural.Schema{}
	for _, s := range corpus.Schemas(t) {
		schemas[s.Definition+" "+s.Version] = testschema.Schema(t, string(s.Text))
	}
	type check struct {
		path string
		run  func()
	}
	var valid []check
	for _, real := range corpus.Objects(t) {
		schema := schemas[real.Definition+" "+real.Version]
		if schema == nil {
			continue // no definition has its version
		}
		o := testschema.Object(t, string(real.Text))
		prune.Resource(o, schema)
		defaulting.DropNulls(o, schema)
		defaulting.Default(o, schema)
		v := validation.Compile(schema)
		if v.Validate(t.Context(), o) != nil {
			continue
		}
		valid = append(valid, check{real.Path, func() { v.Validate(t.Context(), o) }})
	}
	allocs.AtMost(t, 0, "all valid objects", func() {
		for _, c := range valid {
			c.run()
		}
	})
	for i := 0; t.Failed() && i < len(valid); i++ { // find the object
		allocs.AtMost(t, 0, valid[i].path, valid[i].run)
	}
	t.Logf("%d valid objects", len(valid))
	if len(valid) < 2000 {
		t.Errorf("only %d valid objects", len(valid))
	}
}
