package kube_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net"
	"net/netip"
	"reflect"
	"strconv"
	"strings"
	"testing"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/kube"
)

// anything is a definition of objects with any spec.
const anything = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.g.io}
spec:
  group: g.io
  scope: Namespaced
  names: {kind: Thing, plural: things}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties: {spec: {x-kubernetes-preserve-unknown-fields: true}}
`

func versionOf(t *testing.T, crd string) *kube.Version {
	t.Helper()
	def, err := kube.Parse([]byte(crd))
	return v1Of(t, def, err)
}

// thing is a custom resource with a spec of any type.
type thing[T any] struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              T `json:"spec"`
}

// level is a number that is written as a string, e.g. L2.
type level int

func (l level) MarshalText() ([]byte, error) { return []byte("L" + strconv.Itoa(int(l))), nil }

func (l *level) UnmarshalText(text []byte) error {
	n, err := strconv.Atoi(strings.TrimPrefix(string(text), "L"))
	*l = level(n)
	return err
}

// quoted has a number in quotes.
type quoted struct {
	N int `json:"n,string"`
}

// A result goes into a struct, an unstructured object or a map by a pointer.
// Other targets are refused, and keep what they have.
func TestInto(t *testing.T) {
	v, ctx := versionOf(t, anything), t.Context()
	result := v.Create(ctx, &thing[int]{
		ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: "n"}, Spec: 7,
	})
	var typed thing[int]
	u, m := unstructured.Unstructured{}, map[string]any{"old": true}
	for _, into := range []any{&typed, &u, &m} {
		if err := result.Into(into); err != nil {
			t.Errorf("%T: %v", into, err)
		}
	}
	if typed.Spec != 7 || typed.Name != "a" || u.GetName() != "a" || u.Object["spec"] != int64(7) ||
		!reflect.DeepEqual(m, u.Object) {
		t.Errorf("%v, %v, %v", typed, u, m)
	}
	whole := v.Create(ctx, &thing[json.RawMessage]{
		ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: "n"},
		Spec:       json.RawMessage(`{"whole":1.0,"none":[],"null":null,"empty":{}}`),
	})
	var wholeUntyped unstructured.Unstructured
	var wholeMap map[string]any
	if err := errors.Join(whole.Into(&wholeUntyped), whole.Into(&wholeMap)); err != nil ||
		!reflect.DeepEqual(wholeUntyped.Object, whole.Object) ||
		!reflect.DeepEqual(wholeMap, whole.Object) {
		t.Errorf("%v, %v, want %v (%v)", wholeUntyped.Object, wholeMap, whole.Object, err)
	}
	u.Object["spec"] = "changed"
	if result.Object["spec"] != int64(7) || m["spec"] != int64(7) {
		t.Error("results share their objects")
	}
	number := 1
	for _, into := range []any{
		nil, 1, "a", typed, m, &number, []any{}, (*unstructured.Unstructured)(nil),
		(*map[string]any)(nil), (*thing[int])(nil),
	} {
		want := fmt.Sprintf("result into a %T: want a pointer to a struct, "+
			"a *unstructured.Unstructured or a *map[string]any", into)
		if err := result.Into(into); err == nil || err.Error() != want {
			t.Errorf("%T: %v, want %s", into, err, want)
		}
	}
	refused := v.Create(ctx, map[string]any{"metadata": map[string]any{"name": "A"}})
	if err := refused.Into(&typed); err == nil || err.Error() != refused.Err().Error() ||
		typed.Spec != 7 {
		t.Errorf("of a refusal: %v, %v", err, typed)
	}
	odd := &kube.Result{Result: &crdsem.Result{Object: map[string]any{"a": make(chan int)}}}
	const unsupported = "encoding the result: json: unsupported type: chan int"
	if err := odd.Into(&typed); err == nil || err.Error() != unsupported {
		t.Errorf("of a channel: %v, want %s", err, unsupported)
	}
	var text thing[string]
	if err := result.Into(&text); err == nil || text.Name != "" {
		t.Errorf("a number into a string: %v, %v", err, text)
	}
}

// What an object lacks of its apiVersion and kind is filled in, and nothing
// else. Other values are no objects.
func TestUntypedObjects(t *testing.T) {
	v, ctx := versionOf(t, anything), t.Context()
	for head, want := range map[[2]string]string{
		{"", ""}: "", {"g.io/v1", ""}: "", {"", "Thing"}: "", {"g.io/v1", "Thing"}: "",
		{"", "Other"}: "kind", {"g.io/v2", ""}: "version", {"other/v1", "Thing"}: "version",
	} {
		object := map[string]any{"metadata": map[string]any{"name": "a", "namespace": "n"}}
		for i, key := range []string{"apiVersion", "kind"} {
			if head[i] != "" {
				object[key] = head[i]
			}
		}
		result := v.Create(ctx, object)
		if err := result.Err(); (err != nil) != (want != "") {
			t.Errorf("%v: %v", head, err)
		} else if err == nil && (result.Object["apiVersion"] != "g.io/v1" ||
			result.Object["kind"] != "Thing") {
			t.Errorf("%v: %v", head, result.Object)
		}
	}
	for _, object := range []any{1, "a", []any{}, thing[int]{}, new(1)} {
		want := fmt.Sprintf("object of type %T: want a pointer to a struct, "+
			"a *unstructured.Unstructured or a map[string]any", object)
		_, scale := v.Scale(ctx, object)
		_, untyped := kube.Untype(object)
		for verb, err := range map[string]error{
			"create": v.Create(ctx, object).Err(), "scale": scale, "untype": untyped,
			"update": v.UpdateScale(ctx, object, &autoscalingv1.Scale{}).Err(),
		} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s of a %T: %v, want %s", verb, object, err, want)
			}
		}
	}
	wrong := v.UpdateScale(ctx, 1, nil).Err()
	if wrong == nil || !strings.HasPrefix(wrong.Error(), "object of type int: ") {
		t.Errorf("the scale of a number: %v", wrong)
	}
	nested := map[string]any{
		"map": map[string]any(nil), "list": []any(nil), "empty": map[string]any{}, "none": []any{},
		"values": []any{"a", int64(1), nil, []any{true, 1.5}, map[string]any{"b": "c"}},
	}
	if out, err := kube.Untype(nested); err != nil || !reflect.DeepEqual(out, nested) {
		t.Errorf("%v (%v), want %v", out, err, nested)
	}
	for _, object := range []any{nil, (*unstructured.Unstructured)(nil), (*thing[int])(nil)} {
		if out, err := kube.Untype(object); out != nil || err != nil {
			t.Errorf("%T: %v (%v)", object, out, err)
		}
	}
}

// A struct is the object that a server decodes from its JSON. The result is
// what a client decodes from the answer.
func TestStructIsItsJSON(t *testing.T) {
	testJSON(t, 3.0, int64(3))
	testJSON(t, 0.5, 0.5)
	testJSON(t, net.IPv4(1, 2, 3, 4), "1.2.3.4")
	testJSON(t, netip.MustParseAddr("1.2.3.4"), "1.2.3.4")
	testJSON(t, level(2), "L2")
	testJSON(t, map[level]int{2: 7}, map[string]any{"L2": int64(7)})
	testJSON(t, json.Number("3"), int64(3))
	testJSON(t, quoted{}, map[string]any{"n": "0"})
	testJSON(t, uint64(math.MaxInt64), int64(math.MaxInt64))
	testJSON(t, uint64(1<<63), float64(1<<63))
	testJSON(t, []byte("ab"), "YWI=")
	testJSON(t, json.RawMessage(`{"a":1.0}`), map[string]any{"a": 1.0})
}

// testJSON creates an object with a spec of a Go type. It wants the spec that
// its JSON has.
func testJSON[T any](t *testing.T, spec T, want any) {
	t.Helper()
	v := versionOf(t, anything)
	object := &thing[T]{
		TypeMeta:   metav1.TypeMeta{APIVersion: "g.io/v1", Kind: "Thing"},
		ObjectMeta: metav1.ObjectMeta{Name: "one"}, Spec: spec,
	}
	sent := v.Untyped().CreateBytes(t.Context(), encoded(t, object))
	result := v.Create(t.Context(), object)
	if err := result.Err(); err != nil {
		t.Errorf("%T: %v", spec, err)
		return
	}
	if !reflect.DeepEqual(result.Object, sent.Object) {
		t.Errorf("%T: got %v, its JSON gives %v", spec, result.Object, sent.Object)
	}
	if got := result.Object["spec"]; !reflect.DeepEqual(got, want) {
		t.Errorf("%T: got %T %v, want %T %v", spec, got, got, want, want)
	}
	var got, back thing[T]
	answer := encoded(t, result.Object)
	if err := errors.Join(result.Into(&got), json.Unmarshal(answer, &back)); err != nil {
		t.Errorf("%T: %v", spec, err)
	}
	if !reflect.DeepEqual(got, back) {
		t.Errorf("%T: got %+v back, want %+v", spec, got, back)
	}
}

func encoded(t *testing.T, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// The whole number in a float is an integer for the schema and for its rules.
func TestStructWithFloat(t *testing.T) {
	v := versionOf(t, strings.Replace(anything, "{x-kubernetes-preserve-unknown-fields: true}",
		"{type: integer, x-kubernetes-validations: [{rule: self < 5}]}", 1))
	for replicas, want := range map[float64]string{
		3: "", 7: "failed rule: self < 5", 3.5: "must be of type integer",
	} {
		object := &thing[float64]{Spec: replicas}
		object.Name = "one"
		err := v.Create(t.Context(), object).Err()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%v: got %v, want %q", replicas, err, want)
		}
	}
}

// Objects that are nested too deep, or contain themselves, are errors.
func TestCycles(t *testing.T) {
	v, ctx := versionOf(t, anything), t.Context()
	cycle := map[string]any{}
	cycle["a"], cycle["b"] = []any{cycle}, cycle
	_, err := kube.Untype(cycle)
	for name, err := range map[string]error{
		"untype":       err,
		"map":          v.Create(ctx, cycle).Err(),
		"unstructured": v.Create(ctx, &unstructured.Unstructured{Object: cycle}).Err(),
		"old":          v.Update(ctx, map[string]any{}, cycle).Err(),
		"into":         (&kube.Result{Result: &crdsem.Result{Object: cycle}}).Into(&map[string]any{}),
	} {
		wrong, ok := errors.AsType[*crdsem.ValueError](err)
		if !ok || wrong.Error() != "exceeded max depth 10000" {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if want := v.Untyped().Create(ctx, cycle).Err(); want.Error() != err.Error() {
		t.Errorf("got %v, want %v", err, want)
	}
	type ring struct {
		Next *ring `json:"next"`
	}
	chain := &thing[*ring]{}
	for range 10001 {
		chain.Spec = &ring{chain.Spec}
	}
	if _, err := kube.Untype(chain); err == nil || !strings.HasPrefix(err.Error(),
		fmt.Sprintf("decoding the JSON of a %T: ", chain)) {
		t.Errorf("a chain: %v", err)
	}
	object := &thing[*ring]{Spec: &ring{}}
	object.Spec.Next = object.Spec
	var refused *json.UnsupportedValueError
	if err := v.Create(ctx, object).Err(); !errors.As(err, &refused) {
		t.Errorf("got %v", err)
	}
	for depth, fails := range map[int]bool{10000: false, 10001: true} {
		var value, list any
		for range depth {
			value = map[string]any{"a": value}
		}
		for range depth - 1 {
			list = []any{list}
		}
		object, _ := value.(map[string]any)
		for _, object := range []map[string]any{object, {"a": list}} {
			if _, err := kube.Untype(object); (err != nil) != fails {
				t.Errorf("depth %d: got %v", depth, err)
			}
		}
	}
}
