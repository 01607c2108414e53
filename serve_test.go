package crdsem_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/test/allocs"
	"github.com/crdsem/crdsem/internal/test/requests"
)

// sizedVersion is a version with so many fields of every sort, each with checks
// and a rule.
func sizedVersion(t *testing.T, fields int) *crdsem.Version {
	t.Helper()
	var properties strings.Builder
	for i := range fields {
		fmt.Fprintf(&properties, `,"s%d":{"type":"string","maxLength":9,"pattern":"^[a-z]*$"},"n%[1]d":{"type":"integer","minimum":0},
"o%[1]d":{"type":"object","properties":{"x":{"type":"string","enum":["a","b"]},"d":{"type":"string","default":"filled"}}},
"l%[1]d":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],
"items":{"type":"object","required":["k"],"properties":{"k":{"type":"string"},"v":{"type":"integer","nullable":true}}}},
"m%[1]d":{"type":"object","additionalProperties":{"type":"string"}},"p%[1]d":{"type":"object","x-kubernetes-preserve-unknown-fields":true}`, i)
	}
	def := requests.Parse(t, fmt.Sprintf(`{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"ks.g.io"},
"spec":{"group":"g.io","scope":"Namespaced","names":{"plural":"ks","singular":"k","kind":"K","listKind":"KList"},
"versions":[{"name":"v1","served":true,"storage":true,"subresources":{"status":{}},"schema":{"openAPIV3Schema":{"type":"object","properties":{
"spec":{"type":"object","x-kubernetes-validations":[{"rule":"self.s0 != 'bad' && self.n0 >= oldSelf.n0"}],"properties":{%s}},
"status":{"type":"object","properties":{"phase":{"type":"string"}}}}}}}]}}`, properties.String()[1:]))
	v, err := def.Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// sizedObject is an object of that version, as it is stored.
func sizedObject(t *testing.T, fields int) map[string]any {
	t.Helper()
	var spec strings.Builder
	for i := range fields {
		fmt.Fprintf(&spec, `,"s%d":"abc","n%[1]d":300,"o%[1]d":{"x":"b","d":"filled"},"l%[1]d":[{"k":"a","v":null},{"k":"b","v":7000}],
"m%[1]d":{"a":"b"},"p%[1]d":{"any":[{"thing":1.5}]}`, i)
	}
	return requests.Object(t, `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","namespace":"x","uid":"u","resourceVersion":"5","generation":1,
"creationTimestamp":"2020-01-01T00:00:00Z","labels":{"a":"b"},"annotations":{"c":"d"},"finalizers":["g.io/f"],
"ownerReferences":[{"apiVersion":"v1","kind":"O","name":"o","uid":"u1"}]},"status":{"phase":"x"},"spec":{`+spec.String()[1:]+`}}`)
}

// What a request that is admitted as it is allocates does not grow with the
// fields of the object or of the schema.
func TestAllocationsOfRequests(t *testing.T) {
	ctx, small := context.Background(), map[string]float64{}
	for _, size := range []int{1, 200} {
		v, stored := sizedVersion(t, size), sizedObject(t, size)
		fresh := jsonvalue.DeepCopyMap(stored)
		delete(fresh, "status")
		for _, key := range []string{"uid", "creationTimestamp"} {
			delete(fresh["metadata"].(map[string]any), key)
		}
		apart, labelled, edited := jsonvalue.DeepCopyMap(stored), jsonvalue.DeepCopyMap(
			stored,
		), jsonvalue.DeepCopyMap(stored)
		labelled["metadata"].(map[string]any)["labels"].(map[string]any)["a"] = "c"
		edited["spec"].(map[string]any)["n0"] = int64(301)
		for _, c := range []struct {
			name string
			run  func() *crdsem.Result
		}{
			{"create", func() *crdsem.Result { return v.Create(ctx, fresh) }},
			{"update, nothing changed", func() *crdsem.Result { return v.Update(ctx, apart, stored) }},
			{"update, one label changed", func() *crdsem.Result { return v.Update(ctx, labelled, stored) }},
			{"update, one field changed", func() *crdsem.Result { return v.Update(ctx, edited, stored) }},
			{"status update", func() *crdsem.Result { return v.UpdateStatus(ctx, apart, stored) }},
			{"read", func() *crdsem.Result { return v.Read(ctx, stored) }},
		} {
			run := func() {
				if r := c.run(); r.Err() != nil || len(r.Errors) > 0 || len(r.Provenance) > 0 {
					t.Fatalf("%s: %v", c.name, requests.Lines(r))
				}
			}
			if size == 1 {
				small[c.name] = allocs.Of(run)
				continue
			}
			allocs.AtMost(t, small[c.name], c.name, run)
		}
	}
}

// What a valid object costs does not grow with its lists.
func TestAllocationsOfLists(t *testing.T) {
	v, err := requests.Parse(t, strings.Replace(requests.DefinitionText, `"o": {"type": "object"}`, `"o": {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "object", "properties": {"a": {"type": "string", "default": "d"}}}}}`, 1)).Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	create := func(size int) func() {
		items := strings.TrimSuffix(strings.Repeat(`{"a":"x"},`, size), ",")
		o := requests.Object(t, fmt.Sprintf(`{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n"},"spec":{"a":"b","o":{"k":[%s]}}}`, items))
		return func() {
			if r := v.Create(ctx, o); !r.Admitted() {
				t.Fatal(requests.Lines(r))
			}
		}
	}
	allocs.AtMost(t, allocs.Of(create(1)), "a large object", create(1000))
}

// A rule that takes long to compile delays only the requests that need it, and
// these end with their contexts.
func TestSlowRuleHoldsUpNobody(t *testing.T) {
	var shared crdsem.Cache
	slow := requests.RuleVersion(
		t,
		"optional.of(1)"+strings.Repeat(".optMap(x, x + 1)", 10)+".hasValue()",
		crdsem.InCache(&shared),
	)
	fast := requests.RuleVersion(t, "self.a == 'x'", crdsem.InCache(&shared))
	short := func() (context.Context, context.CancelFunc) {
		return context.WithTimeout(context.Background(), 20*time.Millisecond)
	}
	ctx, cancel := short()
	defer cancel()
	start := time.Now()
	if err := slow.Prepare(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("the rule compiled within %v: %v", time.Since(start), err)
	}
	ctx, cancel = short()
	defer cancel()
	r := slow.Create(ctx, requests.RuleObject(1, 0))
	if !errors.Is(r.Err(), context.DeadlineExceeded) || r.Stage != crdsem.StageDecode {
		t.Errorf("a request that waits for the rule: %s, %v", r.Stage, r.Err())
	}
	if r := fast.Create(context.Background(), requests.RuleObject(1, 0)); !r.Admitted() {
		t.Errorf("a request of another definition: %s, %v", r.Stage, r.Err())
	}
	t.Logf("two deadlines of 20ms and a request took %v", time.Since(start))
	if err := slow.Prepare(context.Background()); err != nil { // leaves nothing running
		t.Error(err)
	}
}

// A deadline while rules run does not make a valid object invalid.
func TestDeadlineIsNoVerdict(t *testing.T) {
	v := requests.RuleVersion(t, "self.l.all(i, x, self.l.all(j, y, x == y))")
	object := requests.RuleObject(0, 250)
	if r := v.Create(context.Background(), object); !r.Admitted() {
		t.Fatal(r.Errors)
	}
	for _, after := range []time.Duration{
		0, time.Microsecond, time.Millisecond, 5 * time.Millisecond,
	} {
		ctx, cancel := context.WithTimeout(context.Background(), after)
		r := v.Create(ctx, object)
		cancel()
		if r.Admitted() {
			continue // in time
		}
		if r.Stage != crdsem.StageDecode || !errors.Is(r.Err(), context.DeadlineExceeded) ||
			r.Errors != nil || r.Object != nil || r.Rules != crdsem.RulesNone {
			t.Errorf("after %v: %s, %v, %v", after, r.Stage, r.Err(), r.Errors)
		}
	}
}
