package fake

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// changeling is an object whose copy is of another type.
type changeling struct{ corev1.Pod }

// DeepCopyObject implements runtime.Object.
func (*changeling) DeepCopyObject() runtime.Object { return &metav1.Status{} }

// valueless is an object that has no JSON.
type valueless struct {
	corev1.Pod

	Never chan int `json:"never"`
}

// An object has all required values, in the Go type of each index.
func TestHasAll(t *testing.T) {
	node := func(o client.Object) []string { return []string{o.(*corev1.Pod).Spec.NodeName, "any"} }
	name := func(o client.Object) []string { return []string{o.GetName()} }
	pods, maps := index{&corev1.Pod{}, node}, index{&corev1.ConfigMap{}, name}
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "p"}, Spec: corev1.PodSpec{NodeName: "n"},
	}
	odd := &unstructured.Unstructured{Object: map[string]any{"spec": "text"}}
	for _, test := range []struct {
		item     runtime.Object
		required []requirement
		want     string
	}{
		{pod, nil, "true <nil>"},
		{pod, []requirement{{pods, "n"}}, "true <nil>"},
		{pod, []requirement{{pods, "any"}, {maps, "p"}}, "true <nil>"},
		{pod, []requirement{{pods, "n"}, {maps, "q"}}, "false <nil>"},
		{pod, []requirement{{pods, "m"}, {maps, "p"}}, "false <nil>"},
		{odd, []requirement{{maps, ""}}, "true <nil>"},
		{odd, []requirement{{pods, "any"}},
			"false cannot restore struct from: string"},
		{pod, []requirement{{index{&changeling{}, name}, "p"}},
			"false the copy of a *fake.changeling is no object"},
		{&valueless{Never: make(chan int)}, []requirement{{maps, ""}},
			"false unrecognized type: chan"},
	} {
		ok, err := hasAll(test.item, test.required)
		if got := fmt.Sprint(ok, " ", err); got != test.want {
			t.Errorf("%v: %s, want %s", test.required, got, test.want)
		}
	}
}

// The requirements on indexed fields of the kind are taken out of a list's
// options, and with them its pages. Other options stay.
func TestIndexed(t *testing.T) {
	kind := schema.GroupVersionKind{Group: "g.io", Version: "v1", Kind: "Thing"}
	all := &indexes{}
	for _, field := range []string{"a", "b"} {
		if err := all.add(kind, field, index{object: &corev1.Pod{}}); err != nil {
			t.Fatal(err)
		}
	}
	const exists = "the index b of g.io/v1, Kind=Thing exists"
	if err := all.add(kind, "b", index{}); err == nil || err.Error() != exists {
		t.Errorf("%v, want %s", err, exists)
	}
	given := client.ListOptions{
		LabelSelector: labels.SelectorFromSet(labels.Set{"l": "1"}), Namespace: "n", Limit: 5,
		Continue: "token", Raw: &metav1.ListOptions{ResourceVersion: "7"},
	}
	for _, test := range []struct {
		of, selector string
		required     string
		rest         string
	}{
		{"Thing", "", "", "none"},
		{"Thing", "c=1,d!=2", "", "none"},
		{"Thing", "a!=1", "", "none"},
		{"Other", "a=1", "", "none"},
		{"Thing", "a=1", "1", ""},
		{"Thing", "b==2", "2", ""},
		{"Thing", "a=1,b!=2", "1", "b!=2"},
		{"Thing", "c=3,a=1,d!=4,b=2", "1 2", "c=3,d!=4"},
	} {
		options := given
		if test.selector != "" {
			options.FieldSelector = fields.ParseSelectorOrDie(test.selector)
		}
		of := kind
		of.Kind = test.of
		required, rest := all.indexed(of, &options)
		var values []string
		for _, r := range required {
			values = append(values, r.value)
			if _, ok := r.object.(*corev1.Pod); !ok {
				t.Errorf("%s: another index: %v", test.selector, r)
			}
		}
		if got := strings.Join(values, " "); got != test.required {
			t.Errorf("%s: requires %s, want %s", test.selector, got, test.required)
		}
		if test.rest == "none" {
			if rest != nil || required != nil {
				t.Errorf("%s: %v", test.selector, rest)
			}
			continue
		}
		want := given
		want.FieldSelector, want.Limit, want.Continue = rest.FieldSelector, 0, ""
		if rest.FieldSelector.String() != test.rest || !reflect.DeepEqual(*rest, want) {
			t.Errorf("%s: leaves %+v", test.selector, rest)
		}
	}
}

// What is no fake client of controller-runtime has no kinds, and what has no
// metadata has no managedFields.
func TestNoFields(t *testing.T) {
	var none *struct{ client.WithWatch }
	for _, c := range []client.WithWatch{nil, none} {
		if found := kindsIn(c, "indexes"); len(found) != 0 {
			t.Errorf("%T: %v", c, found)
		}
	}
	err := errors.New("a")
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Name: "p", ManagedFields: []metav1.ManagedFieldsEntry{{Manager: "m"}},
	}}
	if hiding(&metav1.Status{}, err) != err || hiding(pod, err) != err || hiding(pod, nil) != nil ||
		pod.ManagedFields != nil || pod.Name != "p" {
		t.Errorf("%v", pod)
	}
}
