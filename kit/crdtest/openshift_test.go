package crdtest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/kit/crdtest/internal/openshift"
)

// A test of OpenShift becomes steps: with a status, each object is sent with
// it, too. The metadata that the format ignores is not stated.
func TestStepsOfOpenShift(t *testing.T) {
	plain := func() map[string]any {
		return map[string]any{"metadata": map[string]any{"name": "a", "labels": "l"}}
	}
	status := func() map[string]any {
		return map[string]any{"status": 1, "metadata": map[string]any{"uid": "u"}}
	}
	for _, c := range []struct {
		name string
		test openshift.Test
		want []string
	}{
		{"objects without a status", openshift.Test{Initial: plain(), Updated: plain(), Expected: plain()},
			[]string{"create", "update expects"}},
		{"a status at first", openshift.Test{Initial: status(), Updated: plain(), Expected: plain()},
			[]string{"create", "updateStatus", "update expects"}},
		{"a status later", openshift.Test{Initial: plain(), Updated: status(), Expected: plain()},
			[]string{"create", "update", "updateStatus expects"}},
		{"an error", openshift.Test{Initial: plain(), Updated: status(), Error: "e"},
			[]string{"create", "update refused e"}},
		{"an error of the status", openshift.Test{Initial: status(), Updated: status(), StatusError: "s"},
			[]string{"create", "updateStatus", "update", "updateStatus refused s"}},
	} {
		made := onUpdate(&c.test)
		var got []string
		for _, step := range made.Steps {
			line := string(step.Verb)
			if len(step.Want.Errors) > 0 {
				line += " refused " + strings.Join(step.Want.Errors, ", ")
			}
			if step.Want.Object != nil {
				line += " expects"
			}
			got = append(got, line)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
		for _, object := range []map[string]any{c.test.Updated, c.test.Expected} {
			metadata, _ := object["metadata"].(map[string]any)
			if metadata["name"] != nil || metadata["uid"] != nil {
				t.Errorf("%s: the name is stated: %v", c.name, object)
			}
		}
	}
	created := onCreate(&openshift.Test{Name: "n", Line: 3, Initial: plain(), Expected: plain()})
	if created.Name != "onCreate/n" || created.Line != 3 || len(created.Steps) != 1 ||
		created.Steps[0].Verb != Create || created.Steps[0].Want.Object == nil {
		t.Errorf("got %+v", created)
	}
}

// A suite that names no version needs a definition that has one only.
func TestVersionForOpenShift(t *testing.T) {
	const text = `{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
"metadata": {"name": "ks.g.io"}, "spec": {"group": "g.io", "scope": "Cluster",
"names": {"kind": "K", "plural": "ks"}, "versions": [%]}}`
	const v1 = `{"name": "v1", "served": true, "storage": true}`
	const v2 = `, {"name": "v2", "served": true, "storage": false}`
	for _, c := range []struct{ suite, versions, want, err string }{
		{"", v1, "v1", ""}, {"v2", v1, "v2", ""}, {"v1", v1 + v2, "v1", ""},
		{"", v1 + v2, "", "it has v1, v2"},
	} {
		crds, err := ParseCRDs("f.yaml", []byte(strings.Replace(text, "%", c.versions, 1)))
		if err != nil || len(crds) != 1 {
			t.Fatal(crds, err)
		}
		suite := &Suite{Name: "s", File: "s.yaml", Version: c.suite}
		got, err := suite.versionFor(crds[0])
		if got != c.want || (err == nil) != (c.err == "") ||
			err != nil && !strings.HasSuffix(err.Error(), c.err) {
			t.Errorf("%q of %s: %q, %v", c.suite, c.versions, got, err)
		}
		for name, want := range map[string]int{"": 1, "ks.g.io": 1, "other": 0} {
			suite.CRDName = name
			if variants, err := suite.variants(crds); err != nil || len(variants) != want {
				t.Errorf("%q: %v, %v", name, variants, err)
			}
		}
	}
}
