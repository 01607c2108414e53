package builtin_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/strategicpatch"

	kinds "github.com/crdsem/crdsem/kit/builtin"
	"github.com/crdsem/crdsem/kit/manifest"
)

// Kind.StrategicMerge does what Kubernetes' own code does, except for the order
// of lists and the texts of errors.
func TestStrategicMerge(t *testing.T) {
	const pods = `{"metadata":{"finalizers":["x"],"labels":{"a":"b"}},"spec":{` +
		`"containers":[{"name":"a","image":"1","env":[{"name":"E","value":"1"}],` +
		`"ports":[{"containerPort":80,"protocol":"TCP"},{"containerPort":80,"protocol":"UDP"}]},{"name":"b"}],` +
		`"volumes":[{"name":"v","emptyDir":{}}],"tolerations":[{"key":"k"}],"nodeName":"n","nodeSelector":{"d":"e"}}}`
	const crds = `{"metadata":{"finalizers":["x","y"],"ownerReferences":[{"uid":"1","name":"n"},{"uid":"2"}]},` +
		`"spec":{"group":"g","names":{"kind":"K","plural":"p","shortNames":["a"]},"versions":[{"name":"v1","served":true}]}}`
	for _, c := range []struct {
		kind   string
		like   any
		object string
		patch  []string
	}{
		{"v1 Pod", corev1.Pod{}, pods, []string{
			`{}`, `{"spec":null}`, `{"spec":{"containers":[{"name":"b","image":"2"}]}}`,
			`{"spec":{"containers":[{"name":"a","env":[{"name":"F"}]}]}}`,
			`{"spec":{"containers":[{"name":"a","env":[{"name":"E","value":null}]}]}}`,
			`{"spec":{"containers":[{"name":"a","$patch":"delete"}]}}`,
			`{"spec":{"containers":[{"name":"z","$patch":"delete"}]}}`,
			`{"spec":{"containers":[{"$patch":"delete"}]}}`,
			`{"spec":{"containers":[{"$patch":"replace"},{"name":"c"}]}}`,
			`{"spec":{"containers":[{"$patch":"merge","name":"a"}]}}`,
			`{"spec":{"containers":[{"image":"3"}]}}`, `{"spec":{"containers":["x"]}}`,
			`{"spec":{"containers":[{"name":"a","ports":[{"containerPort":80,"name":"n"}]}]}}`,
			`{"spec":{"volumes":[{"name":"v","$retainKeys":["name","secret"],"secret":{"secretName":"s"}}]}}`,
			`{"spec":{"volumes":[{"name":"v","$retainKeys":["name"],"secret":{"secretName":"s"}}]}}`,
			`{"spec":{"tolerations":[{"key":"l"}]}}`, `{"spec":{"tolerations":[{"key":"l","$patch":"delete"}]}}`,
			`{"metadata":{"finalizers":["y","x"]}}`, `{"metadata":{"$deleteFromPrimitiveList/finalizers":["x"]}}`,
			`{"metadata":{"labels":{"$patch":"replace","c":"d"}}}`, `{"metadata":{"labels":{"$patch":"delete"}}}`,
			`{"metadata":{"labels":{"$patch":"other"}}}`, `{"metadata":{"annotations":{"a":null,"b":"c"}}}`,
			`{"metadata":{"annotations":{"$patch":"delete"}}}`, `{"spec":{"initContainers":[{"$patch":"delete","name":"q"}]}}`,
			`{"spec":{"nodeSelector":{"f":"g"}}}`, `{"spec":{"nodeName":{"a":1}}}`, `{"spec":{"affinity":{"x":null,"y":[{"z":null}]}}}`,
		}},
		{"apiextensions.k8s.io/v1 CustomResourceDefinition", apiextensions.CustomResourceDefinition{}, crds, []string{
			`{"metadata":{"finalizers":["z"]}}`, `{"metadata":{"$deleteFromPrimitiveList/finalizers":["x"]}}`,
			`{"metadata":{"ownerReferences":[{"uid":"1","kind":"K"}]}}`,
			`{"metadata":{"ownerReferences":[{"uid":"1","$patch":"delete"}]}}`,
			`{"metadata":{"ownerReferences":[{"name":"n"}]}}`,
			`{"spec":{"versions":[{"name":"v2"}]}}`, `{"spec":{"versions":[{"name":"v1","$patch":"delete"}]}}`,
			`{"spec":{"names":{"$patch":"replace","kind":"L"}}}`, `{"spec":{"names":{"shortNames":["b"]}}}`,
			`{"spec":{"names":{"$retainKeys":["kind"],"kind":"L"}}}`, `{"spec":{"scope":"Cluster","group":null}}`,
			`{"spec":{"conversion":{"strategy":"None","$patch":"replace"}}}`,
		}},
	} {
		apiVersion, name, _ := strings.Cut(c.kind, " ")
		of := manifest.TypeOf(map[string]any{"apiVersion": apiVersion, "kind": name})
		kind, err := kinds.Find(of, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range c.patch {
			want, wantErr := strategicpatch.StrategicMergeMapPatch(
				decode(t, c.object), decode(t, text), c.like)
			got, gotErr := kind.StrategicMerge(decode(t, c.object), decode(t, text))
			own, theirs := sorted(t, roundTrip(t, got)), sorted(t, roundTrip(t, want))
			if (gotErr == nil) != (wantErr == nil) || gotErr == nil && own != theirs {
				t.Errorf("%s: %s, %v; want %s, %v", text, own, gotErr, theirs, wantErr)
			}
		}
	}
}

// roundTrip returns an object as JSON has it: Kubernetes' code returns maps and
// lists of types of its own.
func roundTrip(t *testing.T, object map[string]any) map[string]any {
	t.Helper()
	text, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return decode(t, string(text))
}

// sorted returns the JSON of a value whose lists are in the order of the JSON
// of their items.
func sorted(t *testing.T, value any) string {
	t.Helper()
	switch v := value.(type) {
	case map[string]any:
		var parts []string
		for key, item := range v {
			parts = append(parts, fmt.Sprintf("%q:%s", key, sorted(t, item)))
		}
		slices.Sort(parts)
		return "{" + strings.Join(parts, ",") + "}"
	case []any:
		parts := make([]string, len(v))
		for i, item := range v {
			parts[i] = sorted(t, item)
		}
		slices.Sort(parts)
		return "[" + strings.Join(parts, ",") + "]"
	}
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
