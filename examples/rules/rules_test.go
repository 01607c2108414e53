package rules_test

import (
	"os"
	"strings"
	"testing"

	"github.com/crdsem/crdsem"
)

// crd is the definition under test: name your own here.
const crd = "crd.yaml"

// The rules of the definition, each seen to pass and to fail. A case is the
// spec of an object. With old it is an update of an object with that spec.
var cases = []struct {
	name, spec, old string
	want            string // a part of the error; empty if the object is admitted
}{
	{name: "within the bounds", spec: `{replicas: 3}`},
	{
		name: "more than the maximum", spec: `{replicas: 3, maxReplicas: 2}`,
		want: "spec.replicas: Invalid value: replicas must be between 1 and 2",
	},
	{name: "fewer than the minimum", spec: `{replicas: 0}`, want: "between 1 and 10"},
	{
		name: "weights of 100",
		spec: `{replicas: 1, zones: [{name: a, weight: 60}, {name: b, weight: 40}]}`,
	},
	{
		name: "weights of 90", spec: `{replicas: 1, zones: [{name: a, weight: 90}]}`,
		want: "the weights of all zones must add up to 100",
	},
	{name: "the same class", spec: `{replicas: 2, class: fast}`, old: `{replicas: 1, class: fast}`},
	{
		name: "another class", spec: `{replicas: 1, class: slow}`, old: `{replicas: 1, class: fast}`,
		want: "spec.class: Invalid value: \"slow\": the class of a pool cannot be changed",
	},
	{
		name: "unchanged values are ratcheted", spec: `{replicas: 1, class: a, minReplicas: 0}`,
		old: `{replicas: 1, class: a}`,
	},
}

func TestRules(t *testing.T) {
	text, err := os.ReadFile(crd)
	if err != nil {
		t.Fatal(err)
	}
	definition, err := crdsem.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	version, err := definition.Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			result := version.CreateBytes(t.Context(), object(c.spec))
			if c.old != "" {
				stored := version.CreateBytes(t.Context(), object(c.old))
				if err := stored.Err(); err != nil {
					t.Fatalf("the old object is refused: %v", err)
				}
				result = version.UpdateBytes(t.Context(), object(c.spec), stored.Object)
			}
			switch err := result.Err(); {
			case c.want == "" && err != nil:
				t.Error(err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

// object returns the YAML of an object with a spec.
func object(spec string) []byte {
	return []byte("apiVersion: example.com/v1\nkind: Pool\nmetadata: {name: a}\nspec: " + spec)
}
