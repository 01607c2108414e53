package builtin_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/crdsem/crdsem/kube/server/internal/builtin"
)

var (
	deployment = appsv1.SchemeGroupVersion.WithKind("Deployment")
	pod        = corev1.SchemeGroupVersion.WithKind("Pod")
)

func TestDecode(t *testing.T) {
	for _, test := range []struct {
		name, media, body string
		of                schema.GroupVersionKind
		want              string // a value, the unknown fields, or the error
	}{
		{"JSON", runtime.ContentTypeJSON, `{"spec":{"replicas":3}}`, deployment, "3 []"},
		{"YAML", runtime.ContentTypeYAML, "spec:\n  replicas: 3\n", deployment, "3 []"},
		{"unknown field", runtime.ContentTypeJSON, `{"spec":{"replicas":3,"replica":4}}`, deployment,
			`3 [unknown field "spec.replica"]`},
		{"duplicate field", runtime.ContentTypeJSON, `{"spec":{"replicas":3,"replicas":4}}`, deployment,
			`4 [duplicate field "spec.replicas"]`},
		{"type", runtime.ContentTypeJSON, `{"spec":{"replicas":"3"}}`, deployment,
			"cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32"},
		{"other kind", runtime.ContentTypeJSON, `{"apiVersion":"v1","kind":"Pod"}`, deployment,
			"the body is of /v1, Kind=Pod, expected apps/v1, Kind=Deployment"},
		{"other kind in capitals", runtime.ContentTypeJSON, `{"Kind":"ReplicaSet"}`, deployment,
			"the body is of apps/v1, Kind=ReplicaSet, expected apps/v1, Kind=Deployment"},
		{"other version", runtime.ContentTypeJSON, `{"apiVersion":"v1"}`, deployment,
			`no kind "Deployment" is registered for version "v1"`},
		{"no version", runtime.ContentTypeJSON, `{"apiVersion":"a/b/c","kind":"Deployment"}`, deployment,
			"unexpected GroupVersion string: a/b/c"},
		{"kind", runtime.ContentTypeJSON, `{"apiVersion":"apps/v1","kind":"Deployment"}`, deployment, "<nil> []"},
		{"null kind", runtime.ContentTypeJSON, `{"apiVersion":null,"kind":null}`, deployment, "<nil> []"},
		{"no JSON", runtime.ContentTypeJSON, `{`, deployment, "unexpected end of JSON input"},
		{"no protobuf", runtime.ContentTypeProtobuf, "k8s\x00\xff", deployment, "unexpected EOF"},
		{"media type", "text/plain", `{}`, deployment, `media type "text/plain": expected`},
		{"no type", runtime.ContentTypeJSON, `{}`, schema.GroupVersionKind{Kind: "Foo"},
			"client-go has no type of /, Kind=Foo"},
	} {
		t.Run(test.name, func(t *testing.T) {
			object, unknown, err := builtin.Decode([]byte(test.body), test.media, test.of)
			got := fmt.Sprint(err)
			if err == nil {
				spec, _ := object["spec"].(map[string]any)
				got = fmt.Sprint(spec["replicas"], unknown)
			}
			if !strings.Contains(got, test.want) {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

// A body in protobuf is the same object as its JSON.
func TestDecodeProtobuf(t *testing.T) {
	sent := &corev1.Pod{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{Name: "a", Labels: map[string]string{"b": "c"}},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "d", Image: "e"}}},
	}
	var body bytes.Buffer
	if err := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme).Encode(sent, &body); err != nil {
		t.Fatal(err)
	}
	got, _, err := builtin.Decode(body.Bytes(), runtime.ContentTypeProtobuf, pod)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(sent)
	if err != nil {
		t.Fatal(err)
	}
	want, _, err := builtin.Decode(text, runtime.ContentTypeJSON, pod)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v (%v)", got, want, err)
	}
}

func TestStrategicPatch(t *testing.T) {
	const live = `{"spec":{"containers":[{"name":"a","image":"1"},{"name":"b","image":"1"}],` +
		`"initContainers":[],"nodeName":"n"},"metadata":{"finalizers":["x"]}}`
	for _, test := range []struct{ name, patch, want string }{
		{"by name", `{"spec":{"containers":[{"name":"b","image":"2"}]}}`,
			`[{"image":"1","name":"a"},{"image":"2","name":"b"}] [x]`},
		{"delete", `{"spec":{"containers":[{"name":"a","$patch":"delete"}]}}`,
			`[{"image":"1","name":"b"}] [x]`},
		{"replace", `{"spec":{"containers":[{"$patch":"replace"},{"name":"c"}]}}`,
			`[{"name":"c"}] [x]`},
		{"primitives", `{"metadata":{"finalizers":["y"]}}`,
			`[{"image":"1","name":"a"},{"image":"1","name":"b"}] [y x]`},
		{"unknown directive", `{"spec":{"containers":[{"name":"a","$patch":"no"}]}}`,
			`unknown patch type: no in map`},
		{"retained keys", `{"spec":{"$retainKeys":["volumes"],"nodeName":"m"}}`,
			`400 invalid patch format of retainKeys`},
		{"no list of primitives", `{"metadata":{"$deleteFromPrimitiveList":[]}}`,
			`400 invalid patch format of primitive list`},
		{"no order", `{"metadata":{"$setElementOrder":[]}}`,
			`400 invalid patch format of setElementOrder list`},
		{"null in an empty list", `{"spec":{"initContainers":[null]}}`, `cannot be applied`},
		{"list of lists in an empty list", `{"spec":{"initContainers":[[]]}}`, `422 `},
		{"list of lists", `{"metadata":{"finalizers":[[]]}}`, `list element types are not identical`},
	} {
		t.Run(test.name, func(t *testing.T) {
			object, patch := decode(t, live), decode(t, test.patch)
			out, err := builtin.StrategicPatch(pod, object, patch)
			got := fmt.Sprint(err)
			if status, ok := err.(apierrors.APIStatus); ok {
				got = fmt.Sprint(status.Status().Code, " ", err)
			}
			if err == nil {
				text, _ := json.Marshal(out["spec"].(map[string]any)["containers"])
				got = fmt.Sprint(string(text), " ", out["metadata"].(map[string]any)["finalizers"])
			}
			if !strings.Contains(got, test.want) {
				t.Errorf("%s, want %s", got, test.want)
			}
			if !reflect.DeepEqual(object, decode(t, live)) {
				t.Errorf("the object was changed: %v", object)
			}
		})
	}
}

// What a kind lacks: a type to patch it by, or JSON of a value in protobuf.
func TestKindsWithoutJSON(t *testing.T) {
	other := schema.GroupVersionKind{Group: "a", Version: "v1", Kind: "B"}
	out, err := builtin.StrategicPatch(other, map[string]any{}, map[string]any{})
	if out != nil || fmt.Sprint(err) != "client-go has no type of a/v1, Kind=B" {
		t.Errorf("%v, %v", out, err)
	}
	sent := &appsv1.ControllerRevision{Data: runtime.RawExtension{Raw: []byte("{")}}
	of := appsv1.SchemeGroupVersion.WithKind("ControllerRevision")
	sent.SetGroupVersionKind(of)
	var body bytes.Buffer
	if err := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme).Encode(sent, &body); err != nil {
		t.Fatal(err)
	}
	out, unknown, err := builtin.Decode(body.Bytes(), runtime.ContentTypeProtobuf, of)
	if out != nil || unknown != nil || !strings.HasPrefix(fmt.Sprint(err),
		"encoding apps/v1, Kind=ControllerRevision: ") {
		t.Errorf("%v, %v, %v", out, unknown, err)
	}
}

func decode(t *testing.T, text string) (out map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"spec":{"replicas":3,"x":1}}`), uint8(0))
	f.Add([]byte("spec:\n  replicas: 3\n"), uint8(1))
	f.Add([]byte("k8s\x00\x0a\x00"), uint8(2))
	media := []string{
		runtime.ContentTypeJSON, runtime.ContentTypeYAML, runtime.ContentTypeProtobuf,
	}
	f.Fuzz(func(t *testing.T, body []byte, which uint8) {
		object, _, err := builtin.Decode(body, media[int(which)%len(media)], deployment)
		if (err == nil) != (object != nil) {
			t.Errorf("object %v, error %v", object, err)
		}
	})
}
