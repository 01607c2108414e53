package crdsem_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/test/requests"
	"github.com/crdsem/crdsem/internal/test/testschema"
)

// The scale subresource (PIPE-040).
func TestScale(t *testing.T) {
	v := requests.Version(t, "v1")
	ctx := context.Background()
	stored := requests.Object(t, `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","namespace":"s","uid":"u","resourceVersion":"5","generation":1},"spec":{"replicas":2},"status":{"replicas":1,"selector":"a=b"}}`)
	scale, err := v.Scale(ctx, stored)
	want := &crdsem.Scale{
		Name:            "n",
		Namespace:       "s",
		UID:             "u",
		ResourceVersion: "5",
		Replicas:        2,
		CurrentReplicas: 1,
		Selector:        "a=b",
	}
	if diff := cmp.Diff(want, scale); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	for _, tc := range []struct {
		scale crdsem.Scale
		want  []string
	}{
		{crdsem.Scale{Replicas: 7}, nil},
		{crdsem.Scale{Replicas: -1}, []string{"error: .spec.replicas: Invalid value: -1: should be a non-negative integer"}},
		{crdsem.Scale{Replicas: 100}, []string{"error: spec: Invalid value: failed rule: !has(self.replicas) || self.replicas < 100"}},
		{crdsem.Scale{Replicas: math.MinInt32}, []string{`refused: the spec replicas field ".spec.replicas" cannot be empty`}},
		{crdsem.Scale{Replicas: 7, Name: "n", Namespace: "s", ResourceVersion: "5"}, nil},
		{crdsem.Scale{Replicas: 7, Name: "m"}, []string{"refused: the name of the object (m) does not match the name on the URL (n)"}},
		{crdsem.Scale{Replicas: 7, Namespace: "t"}, []string{"refused: the namespace of the provided object does not match the namespace sent on the request"}},
		{crdsem.Scale{Replicas: 7, ResourceVersion: "4"}, []string{`refused: Operation cannot be fulfilled on ks.g.io "n": the object has been modified; please apply your changes to the latest version and try again`}},
	} {
		r := v.UpdateScale(ctx, stored, tc.scale)
		if diff := cmp.Diff(tc.want, requests.Lines(r)); diff != "" {
			t.Errorf("%v: %s", tc.scale, diff)
		}
		if r.Admitted() &&
			(nested(r.Object, "spec", "replicas") != int64(tc.scale.Replicas) || nested(r.Object,
				"metadata", "generation") != int64(2)) {
			t.Errorf("%v gives %v", tc.scale, r.Object)
		}
	}
	unread := requests.Object(t, `{`+requests.Head+`,"spec":{"replicas":2}}`)
	bare := v.UpdateScale(ctx, unread, crdsem.Scale{Replicas: 7})
	_, has := nested(bare.Object, "metadata", "resourceVersion").(string)
	if has || !bare.Admitted() {
		t.Errorf("an object without a resourceVersion becomes %v, %v", bare.Object, bare.Err())
	}
	for text, want := range map[string]string{
		`{` + requests.Head + `,"spec":{}}`:                  `the spec replicas field ".spec.replicas" does not exist`,
		`{` + requests.Head + `,"spec":{"replicas":1.5}}`:    `.spec.replicas accessor error: 1.5 is of the type float64, expected int64`,
		`{` + requests.Head + `,"spec":[]}`:                  `.spec.replicas accessor error: [] is of the type []interface {}, expected map[string]interface{}`,
		`{` + requests.Head + `,"status":{"selector":true}}`: `.status.selector accessor error: true is of the type bool, expected string`,
	} {
		if _, err := v.Scale(ctx, requests.Object(t, text)); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	if _, err := requests.Version(t, "v1beta1").Scale(ctx, stored); err == nil ||
		err.Error() != `ks.g.io "n" not found` {
		t.Errorf("a version without the subresource has a scale: %v", err)
	}
	if _, err := v.Scale(ctx, requests.Object(t, `{"apiVersion":"other.io/v1","kind":"K"}`)); err == nil {
		t.Error("an object of another group has a scale")
	}
	for status, want := range map[string]string{
		`{"selector":true}`:       `refused: .status.selector accessor error: true is of the type bool, expected string`,
		`{"replicas":"x"}`:        `refused: .status.replicas accessor error: x is of the type string, expected int64`,
		`{"replicas":0}`:          "",
		`{"replicas":2147483647}`: "",
	} {
		r := v.UpdateScale(ctx, requests.Object(t, `{`+requests.Head+`,"spec":{},"status":`+status+`}`), crdsem.Scale{Replicas: 1})
		if got := strings.Join(requests.Lines(r), "\n"); got != want {
			t.Errorf("a scale of the status %s: %s, want %s", status, got, want)
		}
	}
	for replicas, want := range map[string]string{
		"0": "", "2147483647": "", "-1": "error: .status.replicas: Invalid value: -1: should be a non-negative integer",
		"2147483648": "error: .status.replicas: Invalid value: 2147483648: should be less than or equal to 2147483647",
	} {
		r := v.UpdateStatusBytes(ctx, []byte(`{`+requests.Head+`,"status":{"replicas":`+replicas+`}}`), requests.Object(t, `{`+requests.Head+`,"spec":{}}`))
		if got := strings.Join(requests.Lines(r), "\n"); got != want {
			t.Errorf("%s replicas in a status: %s, want %s", replicas, got, want)
		}
	}
	r := requests.Version(t, "v1beta1").UpdateScale(ctx, stored, crdsem.Scale{Replicas: 1})
	if refused, ok := errors.AsType[*crdsem.StatusError](r.Err()); !ok || refused.Code != 404 {
		t.Errorf("a version without the subresource is scaled: %v", r.Err())
	}
}

// The namespace of a scale does not count where there are none.
func TestScaleWithoutNamespaces(t *testing.T) {
	text := strings.Replace(testschema.Definition("Widget", `
    subresources:
      scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`), "scope: Namespaced", "scope: Cluster", 1)
	def, err := crdsem.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	v, err := def.Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	stored := requests.Object(t, `{"apiVersion":"example.com/v1","kind":"Widget",`+
		`"metadata":{"name":"n"},"spec":{"replicas":1}}`)
	r := v.UpdateScale(t.Context(), stored, crdsem.Scale{Namespace: "other", Replicas: 2})
	if !r.Admitted() || nested(r.Object, "spec", "replicas") != int64(2) ||
		nested(r.Object, "metadata", "namespace") != nil {
		t.Errorf("%v, %v", r.Object, r.Err())
	}
}

// A null on the way to the replicas is an absent field of the scale, and a
// write does not replace it.
func TestScaleBelowNull(t *testing.T) {
	def, err := crdsem.Parse([]byte(testschema.Definition("Widget", `
    subresources:
      scale: {specReplicasPath: .spec.a.b.replicas, statusReplicasPath: .status.replicas}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              a:
                type: object
                properties:
                  b: {type: object, nullable: true, properties: {replicas: {type: integer}}}
`)))
	if err != nil {
		t.Fatal(err)
	}
	v, err := def.Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	const head = `{"apiVersion":"example.com/v1","kind":"Widget",` +
		`"metadata":{"name":"n","namespace":"s"},"spec":`
	for spec, want := range map[string]string{
		`{"a":{"b":null}}`: "value cannot be set because .spec.a.b is not a map[string]interface{}",
		`{"a":{}}`:         "",
		`{}`:               "",
	} {
		stored := requests.Object(t, head+spec+"}")
		r := v.UpdateScale(t.Context(), stored, crdsem.Scale{Replicas: 7})
		switch {
		case want != "":
			if r.Err() == nil || !strings.Contains(r.Err().Error(), want) {
				t.Errorf("%s: %v, want %s", spec, r.Err(), want)
			}
		case r.Err() != nil, nested(r.Object, "spec", "a", "b", "replicas") != int64(7):
			t.Errorf("%s: %v, %v", spec, r.Object, r.Err())
		}
	}
}
