package fake

import (
	"errors"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
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
