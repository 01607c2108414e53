package manifest_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/kit/manifest"
)

func named(group, kind, plural string) manifest.Names {
	return manifest.Names{GroupKind: manifest.GroupKind{Group: group, Kind: kind}, Plural: plural}
}

// A step adds a value or removes a kind. Then kinds and plural names have the
// values, in the order of groups and kinds.
func TestMap(t *testing.T) {
	type step struct {
		add      manifest.Names // or remove
		isRemove bool
		replaced []string
		kinds    map[string]string // value by kind of the group a
		plurals  map[string]string
	}
	var m manifest.Kinds[string]
	for i, s := range []step{
		{add: named("a", "Foo", "foos"), kinds: map[string]string{"Foo": "0"},
			plurals: map[string]string{"foos": "0"}},
		{add: named("a", "Foo", "foos"), replaced: []string{"0"},
			kinds: map[string]string{"Foo": "1"}, plurals: map[string]string{"foos": "1"}},
		{add: named("a", "Foo", "fooes"), replaced: []string{"1"},
			kinds: map[string]string{"Foo": "2"}, plurals: map[string]string{"fooes": "2"}},
		{add: named("a", "Bar", "fooes"), replaced: []string{"2"},
			kinds: map[string]string{"Bar": "3"}, plurals: map[string]string{"fooes": "3"}},
		{add: named("a", "Foo", ""),
			kinds:   map[string]string{"Bar": "3", "Foo": "4"},
			plurals: map[string]string{"fooes": "3"}},
		{add: named("a", "Bar", ""), replaced: []string{"3"},
			kinds: map[string]string{"Bar": "5", "Foo": "4"}},
		{add: named("a", "Bar", "bars"), replaced: []string{"5"},
			kinds:   map[string]string{"Bar": "6", "Foo": "4"},
			plurals: map[string]string{"bars": "6"}},
		{add: named("a", "Bar", "bars"), isRemove: true, kinds: map[string]string{"Foo": "4"}},
	} {
		var replaced []string
		if s.isRemove {
			if !m.Remove(s.add.GroupKind) || m.Remove(s.add.GroupKind) {
				t.Errorf("step %d: removed twice or not at all", i)
			}
		} else {
			replaced = m.Add(s.add, string(rune('0'+i)))
		}
		got := step{s.add, s.isRemove, replaced, nil, nil}
		for _, kind := range []string{"Bar", "Foo"} {
			if v, ok := m.Kind(manifest.GroupKind{Group: "a", Kind: kind}); ok {
				got.kinds = with(got.kinds, kind, v)
			}
		}
		for _, plural := range []string{"", "foos", "fooes", "bars"} {
			if v, ok := m.Resource("a", plural); ok {
				got.plurals = with(got.plurals, plural, v)
			}
		}
		if diff := cmp.Diff(s, got, cmp.AllowUnexported(step{})); diff != "" {
			t.Errorf("step %d: %s", i, diff)
		}
	}
}

func with(m map[string]string, key, value string) map[string]string {
	if m == nil {
		m = map[string]string{}
	}
	m[key] = value
	return m
}

func TestAll(t *testing.T) {
	var m manifest.Kinds[int]
	want := []manifest.Names{named("a", "X", "xs"), named("a", "Y", "ys"), named("b", "A", "as")}
	for i := range want {
		m.Add(want[len(want)-1-i], i)
	}
	for most := 1; most <= len(want); most++ {
		var got []manifest.Names
		for names := range m.All() {
			if got = append(got, names); len(got) == most {
				break
			}
		}
		if diff := cmp.Diff(want[:most], got); diff != "" {
			t.Error(diff)
		}
	}
}

// An object without a definition gets an error that says what was meant.
func TestUnknownKind(t *testing.T) {
	var m manifest.Kinds[int]
	m.Add(named("b.example.com", "CronTab", "crontabs"), 1)
	m.Add(named("c.example.com", "CronTab", "crontabs"), 2)
	m.Add(named("b.example.com", "Backup", "backups"), 3)
	m.Add(named("d.example.com", "Deployment", "deployments"), 4)
	m.Add(named("d.example.com", "", "nothing"), 5)
	for _, c := range []struct{ apiVersion, kind, want, hint string }{
		{"b.example.com/v1", "CronTab", "", ""},
		{"b.example.com/v1", "Crontab",
			"no definition of b.example.com/v1 Crontab was given; did you mean `CronTab`?",
			"did you mean `CronTab`?"},
		{"a.example.com/v1", "CronTab", "no definition of a.example.com/v1 CronTab was given; " +
			"did you mean the group `b.example.com`?", "did you mean the group `b.example.com`?"},
		{"a.example.com/v1", "Other", "no definition of a.example.com/v1 Other was given", ""},
		{"apps/v1", "Deployment", "apps/v1 Deployment is built into Kubernetes", ""},
		{"admissionregistration.k8s.io/v1", "MutatingAdmissionPolicy",
			"admissionregistration.k8s.io/v1 MutatingAdmissionPolicy is built into Kubernetes",
			"Kubernetes serves it since 1.36"},
		{"flowcontrol.apiserver.k8s.io/v1beta2", "FlowSchema", "no definition of " +
			"flowcontrol.apiserver.k8s.io/v1beta2 FlowSchema was given; Kubernetes serves it " +
			"until 1.28: write `flowcontrol.apiserver.k8s.io/v1beta3`",
			"Kubernetes serves it until 1.28: write `flowcontrol.apiserver.k8s.io/v1beta3`"},
		{"authentication.k8s.io/v1beta1", "SelfSubjectReview", "no definition of " +
			"authentication.k8s.io/v1beta1 SelfSubjectReview was given; Kubernetes serves it " +
			"until 1.32: write `authentication.k8s.io/v1`",
			"Kubernetes serves it until 1.32: write `authentication.k8s.io/v1`"},
		{"apps/v2", "Deployment", "no definition of apps/v2 Deployment was given; did you mean " +
			"the apiVersion `apps/v1`?", "did you mean the apiVersion `apps/v1`?"},
		{"apps/v1", "Deploymen",
			"no definition of apps/v1 Deploymen was given; did you mean `Deployment`?",
			"did you mean `Deployment`?"},
		{"networkng.k8s.io/v1", "NetworkPolicy", "no definition of networkng.k8s.io/v1 " +
			"NetworkPolicy was given; did you mean the group `networking.k8s.io`?",
			"did you mean the group `networking.k8s.io`?"},
		{"c.exampel.com/v1", "CronTab", "no definition of c.exampel.com/v1 CronTab was given; " +
			"did you mean the group `c.example.com`?", "did you mean the group `c.example.com`?"},
		{"a.example.com/", "Other", "no definition of a.example.com/ Other was given", ""},
		{"v1", "", `apiVersion "v1" and kind "" name no custom resource`, ""},
		{"apps/v1", "StatefulSet", "apps/v1 StatefulSet is built into Kubernetes", ""},
		{"v1", "Pood", "no definition of v1 Pood was given; did you mean `Pod`?",
			"did you mean `Pod`?"},
		{"", "CronTab", `apiVersion "" and kind "CronTab" name no custom resource`,
			"did you mean the group `b.example.com`?"},
		{"b.example.com/v1", "",
			`apiVersion "b.example.com/v1" and kind "" name no custom resource`, ""},
	} {
		object := map[string]any{"apiVersion": c.apiVersion, "kind": c.kind}
		value, err := m.Of(object)
		if c.want == "" {
			if value != 1 || err != nil {
				t.Errorf("%s %s: %d, %v", c.apiVersion, c.kind, value, err)
			}
			continue
		}
		unknown, ok := errors.AsType[*manifest.UnknownKindError](err)
		isKnown := unknown.BuiltIn || c.kind == "" || strings.Contains(c.hint, "the apiVersion")
		if isKnown && unknown.Meant != (manifest.GroupKind{}) {
			t.Errorf("%s %s: %v was meant", c.apiVersion, c.kind, unknown.Meant)
		}
		if !ok || err.Error() != c.want || unknown.Hint() != c.hint {
			t.Errorf("%s %s: %v, want %s, hint %s", c.apiVersion, c.kind, err, c.want, c.hint)
		}
	}
}

func TestNamesOf(t *testing.T) {
	crd := map[string]any{"spec": map[string]any{
		"group": "g", "names": map[string]any{"kind": "Foo", "plural": "foos"},
	}}
	names := manifest.NamesOf(crd)
	if names != named("g", "Foo", "foos") || names.String() != "Foo.g" {
		t.Errorf("got %v", names)
	}
	if core := (manifest.GroupKind{Kind: "Pod"}).String(); core != "Pod" {
		t.Errorf("got %s", core)
	}
}
