package conversion_test

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/conversion"
)

var background = context.Background()

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func fooSpec(strategy conversion.Strategy) conversion.Spec {
	return conversion.Spec{
		CRD:            "foos.example.com",
		Group:          "example.com",
		Versions:       []string{"v1", "v2"},
		Strategy:       strategy,
		ReviewVersions: []string{"v1"},
		NewUID:         func() string { return "the-uid" },
	}
}

func newConverter(
	t *testing.T, strategy conversion.Strategy, hook conversion.Webhook,
) *conversion.Converter {
	t.Helper()
	c, err := conversion.New(fooSpec(strategy), hook)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// foo returns an object of example.com/v1 with all metadata that conversion
// checks.
func foo() map[string]any {
	return map[string]any{
		"apiVersion": "example.com/v1",
		"kind":       "Foo",
		"spec":       map[string]any{"a": int64(1)},
		"metadata": map[string]any{
			"name":       "a",
			"namespace":  "n",
			"uid":        "u",
			"labels":     map[string]any{"l": "1"},
			"finalizers": []any{"f/x"},
		},
	}
}

// answering returns a webhook that answers every review with the same objects.
func answering(objects string) conversion.WebhookFunc {
	return func(context.Context, []byte) ([]byte, error) {
		return []byte(`{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","response":{"uid":"the-uid","result":{"status":"Success"},"convertedObjects":` +
			objects + `}}`), nil
	}
}

func TestNewRefuses(t *testing.T) {
	for strategy, want := range map[conversion.Strategy]string{
		"Magic":   `unknown conversion strategy "Magic" for CRD foos.example.com`,
		"":        `unknown conversion strategy "" for CRD foos.example.com`,
		"Webhook": "the conversion strategy Webhook needs a webhook",
	} {
		if _, err := conversion.New(fooSpec(strategy), nil); errorText(err) != want {
			t.Errorf("CONV-001 %q: %v, want %s", strategy, err, want)
		}
	}
	spec := fooSpec(conversion.StrategyNone)
	spec.Kubernetes = "1.2"
	if c, err := conversion.New(spec, nil); err == nil || c != nil {
		t.Errorf("an unknown minor: %v, %v", c, err)
	}
}

// Versions are checked before anything is converted, in the server's order.
func TestTargetsAreChecked(t *testing.T) {
	item := func(version string) any { return map[string]any{"apiVersion": version, "kind": "Foo"} }
	for _, c := range []struct{ name, from, to, want string }{
		{"target of no form", "example.com/v1", "a/b/c", "unexpected GroupVersion string: a/b/c"},
		{"other group", "example.com/v1", "g.io/v2", "example.com/v1, Kind=Foo is unstructured " +
			`and is not suitable for converting to "g.io/v2"`},
		{"no group", "example.com/v1", "v2", "example.com/v1, Kind=Foo is unstructured " +
			`and is not suitable for converting to "v2"`},
		{"other target", "example.com/v9", "example.com/v3",
			"request to convert CR to an invalid group/version: example.com/v3"},
		{"other version", "example.com/v9", "example.com/v2",
			"request to convert CR from an invalid group/version: example.com/v9"},
	} {
		converter := newConverter(t, conversion.StrategyNone, nil)
		object := map[string]any{"apiVersion": c.from, "kind": "Foo", "items": []any{}}
		got, err := converter.Convert(t.Context(), object, c.to)
		list, errOfList := converter.ConvertList(t.Context(), object, c.to)
		if got != nil || list != nil || errorText(err) != c.want || errorText(errOfList) != c.want {
			t.Errorf("CONV-003 %s: %v, of a list %v\nwant %s", c.name, err, errOfList, c.want)
		}
	}
	list := map[string]any{"apiVersion": "example.com/v1", "kind": "FooList",
		"items": []any{item("example.com/v2"), item("v3")}}
	const want = "request to convert CR list failed, list index 1 has invalid group/version: v3"
	_, err := newConverter(t, conversion.StrategyNone, nil).
		ConvertList(t.Context(), list, "example.com/v2")
	if errorText(err) != want {
		t.Errorf("CONV-003 item: %v, want %s", err, want)
	}
}

// The strategy None changes apiVersion of a list and of its items, and does not
// call a webhook.
func TestNoneConvertsLists(t *testing.T) {
	fail := func(context.Context, []byte) ([]byte, error) { return nil, errors.New("called") }
	c := newConverter(t, conversion.StrategyNone, conversion.WebhookFunc(fail))
	list := func(version string) map[string]any {
		first, second := foo(), foo()
		first["apiVersion"], second["apiVersion"] = version, "example.com/v2"
		items := []any{first, second}
		return map[string]any{"apiVersion": version, "kind": "FooList", "items": items}
	}
	got, err := c.ConvertList(t.Context(), list("example.com/v1"), "example.com/v2")
	if diff := cmp.Diff(list("example.com/v2"), got); diff != "" || err != nil {
		t.Errorf("CONV-010: %v (-want +got):\n%s", err, diff)
	}
	for version, served := range map[string]string{
		"example.com/v2": "example.com/v2", "v2": "v2", "a/b/c": "a/b/c", "/v2": "v2",
	} {
		want := foo()
		want["apiVersion"] = served
		if diff := cmp.Diff(want, conversion.None(foo(), version)); diff != "" {
			t.Errorf("CONV-010 %s (-want +got):\n%s", version, diff)
		}
	}
}

// A webhook is asked for what it has to convert, and for nothing else.
func TestObjectsThatAreSent(t *testing.T) {
	const one, two = "example.com/v1", "example.com/v2"
	typed := func(version string) map[string]any {
		return map[string]any{"apiVersion": version, "kind": "Foo"}
	}
	untyped := map[string]any{"apiVersion": one, "spec": "x"}
	list := func(items ...any) map[string]any {
		return map[string]any{"apiVersion": one, "kind": "FooList", "items": items}
	}
	for name, c := range map[string]struct {
		object map[string]any
		sent   []any
	}{
		"only a type":      {typed(one), nil},
		"no kind":          {untyped, []any{untyped}},
		"content":          {foo(), []any{cloned(t, foo())}},
		"wanted version":   {map[string]any{"apiVersion": two, "kind": "Foo", "x": "y"}, nil},
		"list":             {list(typed(one), typed(two), foo()), []any{typed(one), cloned(t, foo())}},
		"converted list":   {list(typed(two)), nil},
		"list without any": {list(), nil},
	} {
		var review struct{ Request struct{ Objects []any } }
		hook := func(_ context.Context, text []byte) ([]byte, error) {
			return nil, errors.Join(json.Unmarshal(text, &review), errors.New("busy"))
		}
		converter := newConverter(t, conversion.StrategyWebhook, conversion.WebhookFunc(hook))
		convert := converter.Convert
		if c.object["kind"] == "FooList" {
			convert = converter.ConvertList
		}
		_, err := convert(t.Context(), c.object, two)
		diff := cmp.Diff(c.sent, review.Request.Objects)
		if diff != "" || (err != nil) != (c.sent != nil) {
			t.Errorf("CONV-020 %s: %v (-want +got):\n%s", name, err, diff)
		}
	}
	spec := fooSpec(conversion.StrategyWebhook)
	spec.ReviewVersions = []string{"v2"}
	converter, err := conversion.New(spec, answering("[]"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = converter.Convert(t.Context(), foo(), two)
	_, errOfList := converter.ConvertList(t.Context(), list(), two)
	for _, err := range []error{err, errOfList} {
		if errorText(err) != "no supported conversion review versions" {
			t.Errorf("CONV-022: %v", err)
		}
	}
}

func TestWebhookAnswers(t *testing.T) {
	const meta = `"metadata":{"name":"a","namespace":"n","uid":"u"}`
	const failed = "conversion webhook for example.com/v1, Kind=Foo "
	const invalid = failed + "returned invalid "
	labels := strings.Replace(meta, `"uid"`, `"labels":{"l":2},"uid"`, 1)
	cases := []struct{ name, objects, want string }{
		{"CONV-029 count", `[]`, failed + "returned 0 objects, expected 1"},
		{"CONV-030 null", `[null]`, "unexpected end of JSON input"},
		{"CONV-030 kind missing", `[{"apiVersion":"example.com/v2"}]`,
			`Object 'Kind' is missing in '{"apiVersion":"example.com/v2"}'`},
		{"CONV-030 version", `[{"apiVersion":"example.com/v1","kind":"Foo"}]`,
			invalid + "object at index 0: invalid groupVersion " +
				"(expected example.com/v2, received example.com/v1)"},
		{"CONV-030 kind", `[{"apiVersion":"example.com/v2","kind":"Bar"}]`,
			invalid + "object at index 0: invalid kind (expected Foo, received Bar)"},
		{"CONV-030 name", `[{"apiVersion":"example.com/v2","kind":"Foo","metadata":{"name":"b"}}]`,
			invalid + "object: must have the same name: a != b"},
		{"CONV-031 label", `[{"apiVersion":"example.com/v2","kind":"Foo",` + labels + `}]`,
			invalid + "metadata: metadata.labels[l] must be a string, " +
				"but is int64 in converted object"},
		{"CONV-026 not the type", `{}`, failed + "failed: " +
			"json: cannot unmarshal object into Go struct field " +
			"ConversionResponse.response.convertedObjects of type []runtime.RawExtension"},
	}
	for _, c := range cases {
		object := foo()
		converter := newConverter(t, conversion.StrategyWebhook, answering(c.objects))
		_, err := converter.Convert(background, object, "example.com/v2")
		if errorText(err) != c.want {
			t.Errorf("%s: error %q\nwant %q", c.name, errorText(err), c.want)
		}
		if diff := cmp.Diff(foo(), object); diff != "" {
			t.Errorf("%s: the argument was changed (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestMetadataIsRestored(t *testing.T) {
	hook := answering(
		`[{"apiVersion":"example.com/v2","kind":"Foo","metadata":{"name":"a","namespace":"n","uid":"u","annotations":{"x":"y"},"generation":9},"spec":{"b":2}}]`,
	)
	converter := newConverter(t, conversion.StrategyWebhook, hook)
	got, err := converter.Convert(background, foo(), "example.com/v2")
	want := map[string]any{
		"apiVersion": "example.com/v2",
		"kind":       "Foo",
		"spec":       map[string]any{"b": int64(2)},
		"metadata": map[string]any{
			"name":        "a",
			"namespace":   "n",
			"uid":         "u",
			"annotations": map[string]any{"x": "y"},
			"finalizers":  []any{"f/x"},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("CONV-031: %v (-want +got):\n%s", err, diff)
	}
}

func TestRequestIsTheServers(t *testing.T) {
	var sent string
	hook := conversion.WebhookFunc(func(_ context.Context, review []byte) ([]byte, error) {
		sent = string(review)
		return nil, errors.New("busy")
	})
	object := map[string]any{"apiVersion": "example.com/v1", "kind": "Foo", "x": "<"}
	converter := newConverter(t, conversion.StrategyWebhook, hook)
	_, err := converter.Convert(background, object, "example.com/v2")
	const busy = "conversion webhook for example.com/v1, Kind=Foo failed: busy"
	if errorText(err) != busy {
		t.Errorf("CONV-027: %v, want %s", err, busy)
	}
	want := `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{"uid":"the-uid","desiredAPIVersion":"example.com/v2",` +
		`"objects":[{"apiVersion":"example.com/v1","kind":"Foo","x":"\u003c"}]},"response":{"uid":"","convertedObjects":null,"result":{"metadata":{}}}}` + "\n"
	if sent != want {
		t.Errorf("CONV-025: sent %s\nwant %s", sent, want)
	}
}

func TestListsThatAreNone(t *testing.T) {
	c := newConverter(t, conversion.StrategyNone, nil)
	for items, want := range map[any]string{
		"x": "the items of a list must be an array, not string",
		nil: "",
	} {
		list := map[string]any{"apiVersion": "example.com/v1", "kind": "FooList", "items": items}
		if _, err := c.ConvertList(background, list, "example.com/v2"); errorText(err) != want {
			t.Errorf("items %v: %v, want %q", items, err, want)
		}
	}
	list := map[string]any{
		"apiVersion": "example.com/v1",
		"kind":       "FooList",
		"items":      []any{map[string]any{}, int64(1)},
	}
	_, err := c.ConvertList(background, list, "example.com/v2")
	if errorText(err) != "item 1 of the list must be an object, not int64" {
		t.Errorf("an item that is not an object: %v", err)
	}
}

func TestCheckFieldLabel(t *testing.T) {
	spec := fooSpec(conversion.StrategyNone)
	spec.SelectableFields = map[string][]string{"v1": {"spec.color"}}
	c, err := conversion.New(spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	for label, want := range map[string]string{
		"metadata.name": "", "metadata.namespace": "", "spec.color": "",
		"spec.size": "field label not supported: spec.size",
	} {
		if err := c.CheckFieldLabel("v1", label); errorText(err) != want {
			t.Errorf("CONV-007 %s: %v, want %q", label, err, want)
		}
	}
	if err := c.CheckFieldLabel("v2", "spec.color"); err == nil {
		t.Error("CONV-007: a selectable field of another version is allowed")
	}
}

func rename(from, to string) conversion.Function {
	return func(_ context.Context, object map[string]any) (map[string]any, error) {
		out := map[string]any{"metadata": object["metadata"]}
		if value, found := object[from]; found {
			out[to] = value
		}
		return out, nil
	}
}

func hubFunctions(t *testing.T) *conversion.Functions {
	t.Helper()
	spoke := func(version, field string) conversion.Spoke {
		return conversion.Spoke{
			APIVersion: version, ToHub: rename(field, "hub"), FromHub: rename("hub", field),
		}
	}
	f, err := conversion.HubAndSpoke("g/v2", spoke("g/v1", "one"), spoke("g/v3", "three"))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestHubAndSpoke(t *testing.T) {
	f := hubFunctions(t)
	object := map[string]any{
		"apiVersion": "g/v1",
		"kind":       "K",
		"metadata":   map[string]any{"name": "n"},
		"one":        "x",
	}
	for to, want := range map[string]map[string]any{
		"g/v1": object,
		"g/v2": {"apiVersion": "g/v2", "kind": "K", "metadata": map[string]any{"name": "n"}, "hub": "x"},
		"g/v3": {"apiVersion": "g/v3", "kind": "K", "metadata": map[string]any{"name": "n"}, "three": "x"},
	} {
		got, err := f.Convert(background, object, to)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("to %s: %v (-want +got):\n%s", to, err, diff)
		}
	}
	_, err := f.Convert(background, object, "g/v9")
	if errorText(err) != "cannot convert g/v1 to g/v9" {
		t.Errorf("to an unknown version: %v", err)
	}
	_, err = f.Convert(background, map[string]any{"apiVersion": "g/v9"}, "g/v1")
	if errorText(err) != "cannot convert g/v9 to g/v1" {
		t.Errorf("from an unknown version: %v", err)
	}
	cancelled, cancel := context.WithCancel(background)
	cancel()
	if _, err := f.Convert(cancelled, object, "g/v2"); !errors.Is(err, context.Canceled) {
		t.Errorf("with a cancelled context: %v", err)
	}
}

func TestFunctionsAreChecked(t *testing.T) {
	same := func(_ context.Context, object map[string]any) (map[string]any, error) {
		return object, nil
	}
	for _, routes := range [][]conversion.Route{
		{{From: "a", To: "b"}},
		{{From: "a", To: "a", Convert: same}},
		{{From: "a", To: "b", Convert: same}, {From: "a", To: "b", Convert: same}},
	} {
		if _, err := conversion.Pairwise(routes...); err == nil {
			t.Errorf("Pairwise(%v) has no error", routes)
		}
	}
	hub := conversion.Spoke{APIVersion: "a", ToHub: same, FromHub: same}
	if _, err := conversion.HubAndSpoke("a", hub); err == nil {
		t.Error("HubAndSpoke takes the hub as a spoke")
	}
}

func TestFunctionsAnswerReviews(t *testing.T) {
	f := hubFunctions(t)
	ask := func(version, objects string) string {
		answer, err := f.Call(background, []byte(`{"apiVersion":"apiextensions.k8s.io/`+version+`","kind":"ConversionReview",
			"request":{"uid":"u","desiredAPIVersion":"g/v2","objects":`+objects+`}}`))
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(answer))
	}
	cases := []struct{ version, objects, want string }{
		{"v1", `[{"apiVersion":"g/v1","kind":"K","one":1}]`, `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","response":{"uid":"u",` +
			`"convertedObjects":[{"apiVersion":"g/v2","hub":1,"kind":"K","metadata":null}],"result":{"metadata":{},"status":"Success"}}}`},
		{"v1beta1", `[{"apiVersion":"g/v1","kind":"K","metadata":{}},{"apiVersion":"g/v7","kind":"K"}]`, `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1beta1",` +
			`"response":{"uid":"u","convertedObjects":[],"result":{"metadata":{},"status":"Failure","message":"object 1: cannot convert g/v7 to g/v2"}}}`},
	}
	for _, c := range cases {
		if got := ask(c.version, c.objects); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.version, got, c.want)
		}
	}
	for _, text := range []string{"", "{}", `{"apiVersion":"apiextensions.k8s.io/v2","kind":"ConversionReview"}`, `{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview"}`} {
		if _, err := f.Call(background, []byte(text)); err == nil {
			t.Errorf("%q is taken for a review", text)
		}
	}
}

// A function that stops with the context fails the call, not the review.
func TestFunctionsStop(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	stop := func(ctx context.Context, _ map[string]any) (map[string]any, error) {
		cancel()
		return nil, ctx.Err()
	}
	f, err := conversion.Pairwise(conversion.Route{From: "g/v1", To: "g/v2", Convert: stop})
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.Call(ctx, []byte(`{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview",
		"request":{"uid":"u","desiredAPIVersion":"g/v2","objects":[{"apiVersion":"g/v1","kind":"K"}]}}`))
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestRoundTrip(t *testing.T) {
	f := hubFunctions(t)
	object := map[string]any{
		"apiVersion": "g/v1",
		"kind":       "K",
		"metadata":   map[string]any{},
		"one":        "x",
		"zz":         []any{int64(1)},
	}
	check := func(apiVersion string, object map[string]any) field.ErrorList {
		delete(object, "hub")
		return field.ErrorList{field.Required(field.NewPath(apiVersion), "")}
	}
	trip, err := conversion.RoundTrip(background, f, object, "g/v2", check)
	if err != nil {
		t.Fatal(err)
	}
	want := []conversion.Loss{{Kind: conversion.Lost, Path: "zz", Before: []any{int64(1)}}}
	if diff := cmp.Diff(want, trip.Losses); diff != "" {
		t.Errorf("losses (-want +got):\n%s", diff)
	}
	if trip.There["hub"] != "x" || len(trip.Invalid) != 1 {
		t.Errorf("there: %v, invalid: %v", trip.There, trip.Invalid)
	}
	_, err = conversion.RoundTrip(background, f, object, "g/v8", nil)
	if errorText(err) != "converting from g/v1 to g/v8: cannot convert g/v1 to g/v8" {
		t.Errorf("to an unknown version: %v", err)
	}
}

func TestNext(t *testing.T) {
	v1, v2 := conversion.Version{Name: "v1", Storage: true}, conversion.Version{Name: "v2"}
	cases := []struct {
		name     string
		old      *conversion.Revision
		versions []conversion.Version
		want     conversion.Lifecycle
		refused  string
	}{
		{"CRD-013 create", nil, []conversion.Version{v2, v1}, conversion.Lifecycle{Stored: []string{"v1"}}, ""},
		{"CRD-013 unchanged", &conversion.Revision{Stored: []string{"v1"}}, []conversion.Version{v1, v2}, conversion.Lifecycle{Stored: []string{"v1"}}, ""},
		{"CRD-110 no storage version", nil, []conversion.Version{v2}, conversion.Lifecycle{},
			"status.storedVersions: Invalid value: null: must have at least one stored version"},
		{"CRD-110 two storage versions", nil, []conversion.Version{v1, {Name: "v3", Storage: true}}, conversion.Lifecycle{Stored: []string{"v1"}},
			`status.storedVersions: Invalid value: ["v1"]: must have the storage version v3`},
	}
	for _, c := range cases {
		got := conversion.Next(c.old, c.versions)
		refused := got.Refused.ToAggregate()
		got.Refused = nil
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		if (refused == nil) != (c.refused == "") || refused != nil && refused.Error() != c.refused {
			t.Errorf("%s: refused %v, want %q", c.name, refused, c.refused)
		}
	}
}

// The steps name all versions to be migrated, and end the serving of those that
// are served.
func TestSteps(t *testing.T) {
	const rewrite = "Rewrite every existing object: run the storage version migrator, or list " +
		"all objects and write each back unchanged. The server then stores them as v1."
	beta := conversion.Version{Name: "v1beta1", Served: true}
	old := &conversion.Revision{Stored: []string{"v1alpha1", "v1beta1", "v1alpha1"}}
	end := []string{
		"Apply the CRD with v1 as the storage version; status.storedVersions is then " +
			"v1alpha1, v1beta1, v1alpha1, v1.",
		rewrite,
		"Remove v1alpha1, v1beta1 from status.storedVersions through the status subresource.",
		"When no client uses v1beta1 any more, set served: false for it.",
		"Remove v1alpha1, v1beta1 from spec.versions, and from the conversion webhook.",
	}
	for _, c := range []struct {
		name     string
		versions []conversion.Version
		want     []string // before end
	}{
		{"kept", []conversion.Version{{Name: "v1alpha1"}, beta, {Name: "v1", Storage: true}}, nil},
		{"removed too early", []conversion.Version{beta, {Name: "v1", Storage: true}}, []string{
			"Keep v1alpha1, v1beta1 in spec.versions, with served: false if nobody is to use it, " +
				"until the steps below are done.",
		}},
	} {
		want := append(c.want, end...)
		if diff := cmp.Diff(want, conversion.Next(old, c.versions).Steps); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// FuzzConvert converts any object with any answer of the webhook: nothing
// panics, and a converted object is the same resource in the target version.
func FuzzConvert(f *testing.F) {
	f.Add(`{"apiVersion":"example.com/v1","kind":"Foo","metadata":{"name":"a"}}`, `[{"apiVersion":"example.com/v2","kind":"Foo","metadata":{"name":"a","labels":{"a":"b"}}}]`)
	f.Add(`{"apiVersion":"example.com/v1","kind":"FooList","items":[{"apiVersion":"example.com/v1","kind":"Foo","metadata":null}]}`, `[{"apiVersion":"example.com/v2","kind":"Foo","metadata":{}}]`)
	f.Add(`{"apiVersion":5}`, `{`)
	f.Fuzz(func(t *testing.T, input, answer string) {
		var object map[string]any
		if json.Unmarshal([]byte(input), &object) != nil {
			return // only objects are converted
		}
		before := cloned(t, object)
		hooked := newConverter(t, conversion.StrategyWebhook, answering(answer))
		none := newConverter(t, conversion.StrategyNone, nil)
		for _, c := range []*conversion.Converter{hooked, none} {
			if out, err := c.Convert(background, object, "example.com/v2"); err == nil &&
				out["apiVersion"] != "example.com/v2" {
				t.Errorf("%s became %v", input, out)
			}
			if out, err := c.ConvertList(background, object, "example.com/v2"); err == nil &&
				out["apiVersion"] != "example.com/v2" {
				t.Errorf("%s became %v", input, out)
			}
		}
		if diff := cmp.Diff(before, object); diff != "" {
			t.Errorf("the argument was changed (-before +after):\n%s", diff)
		}
	})
}

func cloned(t *testing.T, object map[string]any) map[string]any {
	t.Helper()
	text, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// A review has a random UUID of version 4 (CONV-021).
func TestReviewUIDs(t *testing.T) {
	pattern := regexp.MustCompile(
		`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	seen := map[string]bool{}
	var hook conversion.WebhookFunc = func(_ context.Context, review []byte) ([]byte, error) {
		var sent struct{ Request struct{ UID string } }
		if err := json.Unmarshal(review, &sent); err != nil {
			return nil, err
		}
		if !pattern.MatchString(sent.Request.UID) || seen[sent.Request.UID] {
			t.Errorf("the uid %s", sent.Request.UID)
		}
		seen[sent.Request.UID] = true
		return nil, errors.New("no conversion")
	}
	spec := fooSpec(conversion.StrategyWebhook)
	spec.NewUID = nil
	c, err := conversion.New(spec, hook)
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		_, _ = c.Convert(t.Context(), foo(), "example.com/v2") // fails, as the hook does
	}
	if len(seen) != 100 {
		t.Errorf("%d uids", len(seen))
	}
}

// A function may change kind and metadata. What it leaves out is as before.
func TestFunctionsMayChangeMetadata(t *testing.T) {
	to := func(out map[string]any) conversion.Route {
		return conversion.Route{From: "g/v1", To: "g/v2",
			Convert: func(context.Context, map[string]any) (map[string]any, error) {
				return out, nil
			}}
	}
	old := map[string]any{"name": "n"}
	changed := map[string]any{"name": "n", "labels": map[string]any{"l": "1"}}
	object := map[string]any{"apiVersion": "g/v1", "kind": "K", "metadata": old}
	for name, c := range map[string]struct{ out, want map[string]any }{
		"left out": {map[string]any{}, map[string]any{"apiVersion": "g/v2", "kind": "K", "metadata": old}},
		"changed": {map[string]any{"kind": "L", "metadata": changed},
			map[string]any{"apiVersion": "g/v2", "kind": "L", "metadata": changed}},
	} {
		f, err := conversion.Pairwise(to(c.out))
		if err != nil {
			t.Fatal(err)
		}
		got, err := f.Convert(background, object, "g/v2")
		if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
}

// The error of a webhook keeps its rule.
func TestErrorsKeepTheirRule(t *testing.T) {
	for want, err := range map[string]error{
		"CONV-041": &conversion.Error{Rule: "CONV-041", Err: errors.New("x")},
		"CONV-027": errors.New("x"),
	} {
		var hook conversion.WebhookFunc = func(context.Context, []byte) ([]byte, error) {
			return nil, err
		}
		c := newConverter(t, conversion.StrategyWebhook, hook)
		_, err := c.Convert(t.Context(), foo(), "example.com/v2")
		if got, ok := errors.AsType[*conversion.Error](err); !ok || got.Rule != want {
			t.Errorf("%v has another rule than %s", err, want)
		}
	}
}

// A nil map as metadata counts as an empty object (CONV-031).
func TestNilMetadata(t *testing.T) {
	object := foo()
	object["metadata"] = map[string]any(nil)
	hook := answering(`[{"apiVersion":"example.com/v2","kind":"Foo","metadata":{"labels":{"a":"b"}}}]`)
	c := newConverter(t, conversion.StrategyWebhook, hook)
	got, err := c.Convert(t.Context(), object, "example.com/v2")
	want := map[string]any{"labels": map[string]any{"a": "b"}}
	if diff := cmp.Diff(want, got["metadata"]); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
}
