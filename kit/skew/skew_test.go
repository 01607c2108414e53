package skew_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/kit/skew"
	"github.com/crdsem/crdsem/minors"
)

func TestCompare(t *testing.T) {
	object := func(spec map[string]any) map[string]any {
		return map[string]any{
			"apiVersion": "example.com/v1", "kind": "Host",
			"metadata": map[string]any{"name": "a", "namespace": "b"}, "spec": spec,
		}
	}
	found, err := skew.Compare(context.Background(), []byte(ofMinors), minors.All(),
		object(map[string]any{"port": int64(1 << 31)}),
		object(map[string]any{"address": "10.0.0.1"}),
		object(map[string]any{"address": "a"}),
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name     string
		verdicts skew.Verdicts
		want     string
	}{
		{"definition", found.Definition, "1.32 CRD-210"},
		{"large port", found.Objects[0], "1.31 CEL-090;1.36 VAL-054"},
		{"address", found.Objects[1], "1.31 CEL-090"},
		{"bad address", found.Objects[2], ""},
	} {
		for _, v := range c.verdicts {
			if v.Accepted() != (v.Err == nil) || v.Accepted() != (len(v.Errors) == 0) {
				t.Errorf("%s: %+v, accepted: %v", c.name, v, v.Accepted())
			}
		}
		got := ""
		for _, turn := range c.verdicts.Turns() {
			if got != "" {
				got += ";"
			}
			got += fmt.Sprintf("%v %s", turn.After.Kubernetes, turn.Reason.Origin)
			if len(turn.Changes) == 0 {
				t.Errorf("%s: no change of %v", c.name, turn.After.Kubernetes)
			}
		}
		if got != c.want || len(c.verdicts) != len(minors.All()) {
			t.Errorf("%s turns at %q, want %q", c.name, got, c.want)
		}
	}
	if changes := found.Objects[0].Turns()[1].Changes; changes[0].ID != "36-numeric-formats" {
		t.Errorf("the large port is refused because of %v", changes)
	}
}

// Without minors the newest one is asked.
func TestCompareOfNoMinors(t *testing.T) {
	found, err := skew.Compare(t.Context(), []byte(ofMinors), nil, map[string]any{
		"apiVersion": "example.com/v1", "kind": "Host", "metadata": map[string]any{"name": "a"},
	})
	if err != nil || len(found.Definition) != 1 || len(found.Objects[0]) != 1 {
		t.Fatalf("%v, %v", found, err)
	}
	if minor := found.Definition[0].Kubernetes; minor != minors.Newest() {
		t.Errorf("%v was asked", minor)
	}
	text := strings.Replace(ofMinors, "type: object", "$ref: a", 1)
	found, err = skew.Compare(t.Context(), []byte(text), nil)
	if err != nil || found.Definition[0].Accepted() || len(found.Objects) > 0 {
		t.Errorf("a definition without an object, which does not compile: %v, %v", found, err)
	}
	if _, err := skew.Compare(t.Context(), []byte("{"), nil); err == nil {
		t.Error("half a definition is compared")
	}
}

// The library of a function that a minor lacks is the cause.
func TestCompareFindsLibrary(t *testing.T) {
	ofAddress, _, _ := strings.Cut(ofMinors, `            - {rule: "!has(self.__namespace__)`)
	found, err := skew.Compare(t.Context(), []byte(ofAddress), minors.All())
	if err != nil {
		t.Fatal(err)
	}
	reserved := strings.ReplaceAll(ofMinors, "__namespace__", "namespace")
	reserved = strings.Replace(reserved, "isIP(self.address)", "true", 1)
	selected, err := skew.Compare(t.Context(), []byte(reserved), minors.All())
	if err != nil {
		t.Fatal(err)
	}
	turns := selected.Definition.Turns()
	if len(turns) != 1 || len(turns[0].Changes) != 1 ||
		turns[0].Changes[0].ID != "32-reserved-new" {
		t.Errorf("turns %+v", turns)
	}
	turns = found.Definition.Turns()
	if len(turns) != 1 || len(turns[0].Changes) != 1 || turns[0].Changes[0].ID != "31-ip-new" {
		t.Errorf("turns %+v", turns)
	}
}

// Any change may be the cause of a refusal without a reason.
func TestTurnWithoutReason(t *testing.T) {
	turns := skew.Verdicts{
		{Kubernetes: "1.36"}, {Kubernetes: minors.Newest(), Err: errors.New("refused")},
	}.Turns()
	if len(turns) != 1 || turns[0].Reason != nil {
		t.Fatalf("turns %+v", turns)
	}
	var possible []minors.Change
	for _, c := range minors.Changes() {
		if c.Since == minors.Newest() && !c.TextOnly {
			possible = append(possible, c)
		}
	}
	if got := turns[0].Changes; len(got) == 0 || len(got) != len(possible) {
		t.Errorf("%d changes, want %d", len(got), len(possible))
	}
}

// Changes that are about the rule of a reason, or about the library of a
// function that it names, are the only ones that are named.
func TestChangesBehindReasons(t *testing.T) {
	for _, c := range []struct{ rule, detail, want string }{
		{"CRD-210", "undeclared reference to 'ip' (in container '')", "31-ip-new"},
		{"CRD-210", "undeclared reference to 'x', undeclared reference to 'isIP'", "31-ip-new"},
		{"CRD-210", "undeclared reference to 'isSemver', no matching overload for 'isIP'",
			"34-semver-new 33-semver-stored 31-ip-new"},
		{"CRD-210", "no matching overload for 'isSorted' applied", "37-includes"},
		{"CRD-210", "undefined field 'namespace'", "37-quoted-ident 32-reserved-new 31-reserved-stored"},
		{"CRD-210", "undeclared reference to 'lists'", "35-extlists-new 34-extlists-stored"},
		{"CRD-210", "undeclared reference to 'lastIndexOf'", "37-includes"},
		{"VAL-053", "", "37-multipleof"}, {"RAT-040", "", "33-status-ratchet 31-status-path"},
		{"CRD-350", "only texts have changed", "all"}, {"CRD-210", "undeclared reference to 'i'", "all"},
	} {
		turns := skew.Verdicts{{
			Kubernetes: minors.All()[0], Err: errors.New("refused"),
			Errors: field.ErrorList{{Origin: c.rule, Detail: c.detail}},
		}, {Kubernetes: minors.Newest()}}.Turns()
		var ids []string
		for _, change := range turns[0].Changes {
			ids = append(ids, change.ID)
		}
		got := strings.Join(ids, " ")
		if len(ids) > 20 {
			got = "all"
		}
		if got != c.want {
			t.Errorf("%s %s: %s, want %s", c.rule, c.detail, got, c.want)
		}
	}
}

func TestCompareErrors(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	other := map[string]any{"apiVersion": "example.com/v2", "kind": "Host"}
	if _, err := skew.Compare(ctx, []byte(ofMinors), minors.All(), other); err == nil {
		t.Error("an object of an unknown version was judged")
	}
	if _, err := skew.Compare(ctx, []byte("[]"), minors.All()); err == nil {
		t.Error("a list is a definition")
	}
	cancel()
	if _, err := skew.Compare(ctx, []byte(ofMinors), minors.All()); err == nil {
		t.Error("the context did not end the comparison")
	}
}

// ofMinors is a definition whose objects are treated differently by minors.
const ofMinors = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: hosts.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: hosts, singular: host, kind: Host, listKind: HostList}
  versions:
  - storage: true
    served: true
    name: v1
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              namespace: {type: string}
              address: {type: string}
              port: {type: integer, format: int32}
            x-kubernetes-validations:
            - {rule: "!has(self.address) || isIP(self.address)", message: no address}
            - {rule: "!has(self.__namespace__) || self.namespace != 'x'", message: no x}
`
