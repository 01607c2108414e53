package upgrade_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/upgrade"
	"github.com/crdsem/crdsem/minors"
)

// ofCluster returns a definition with fields and rules of its spec.
func ofCluster(t *testing.T, fields, rules string) map[string]any {
	t.Helper()
	return decodedYAML(t, `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: hosts.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: hosts, singular: host, kind: Host, listKind: HostList}
  versions:
  - name: v1
    storage: true
    served: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties: `+fields+`
            x-kubernetes-validations: `+rules+"\n")
}

// decodedYAML returns a document as a server decodes it.
func decodedYAML(t *testing.T, text string) map[string]any {
	t.Helper()
	asJSON, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	document, _, err := jsonvalue.DecodeObject(asJSON)
	if err != nil {
		t.Fatal(err)
	}
	return document
}

// effects returns the effects of an upgrade that are no less than notable, or
// all of them, as lines.
func effects(r *upgrade.ClusterReport, all bool) string {
	var lines []string
	for i := range r.Effects {
		e := &r.Effects[i]
		if e.Severity == upgrade.Fine && !all {
			continue
		}
		var causes []string
		for _, c := range e.Causes {
			causes = append(causes, c.ID)
		}
		lines = append(lines, fmt.Sprintf("%s %s %s [%s]", e.After, e.Severity, e.Kind,
			strings.Join(causes, " ")))
	}
	return strings.Join(lines, "\n")
}

func TestCompareMinors(t *testing.T) {
	for _, c := range []struct {
		name, fields, rules, from, to, want string
	}{
		{"nothing", "{a: {type: string, maxLength: 3}}", `[]`, "1.37", "1.38", ""},
		{"the first part of a string", "{s: {type: string}}",
			`[{rule: "self.s.split('/')[0].matches('^[a-z]+$')"}]`, "1.37", "1.38", `
1.38 breaking update refused [38-computed-sizes]
1.38 breaking refused as new [38-computed-sizes]
1.38 breaking estimated otherwise [38-computed-sizes]`},
		{"presence tests in a list", `{l: {type: array, maxItems: 100, items: {type: object,
			properties: {a: {type: string}, b: {type: string}},
			x-kubernetes-validations: [{rule: "has(self.a) != has(self.b)"}]}}}`, `[]`,
			"1.37", "1.38", `
1.38 breaking refused as new [38-computed-sizes]
1.38 breaking estimated otherwise [38-computed-sizes]`},
		{"texts of bounds", "{s: {type: string, minLength: 2}, l: {type: array, minItems: 1, items: {type: string, maxLength: 2}}}",
			`[]`, "1.37", "1.38", `
1.38 notable worded otherwise [38-too-few]
1.38 notable worded otherwise [38-too-short]`},
		{"a format", "{port: {type: integer, format: int32}}", `[]`, "1.35", "1.36",
			"\n1.36 breaking judged otherwise [36-numeric-formats]"},
		{"a function", "{s: {type: string, maxLength: 9}}", `[{rule: "isIP(self.s)"}]`, "1.30", "1.31",
			"\n"},
	} {
		in, err := minors.ParseRange(c.from + "-" + c.to)
		if err != nil {
			t.Fatal(err)
		}
		r, err := upgrade.CompareMinors(t.Context(), ofCluster(t, c.fields, c.rules), in)
		if err != nil {
			t.Fatal(err)
		}
		got := effects(r, false)
		if got != strings.TrimPrefix(c.want, "\n") {
			t.Errorf("%s:\n%s", c.name, got)
		}
		if (got == "") != (r.Most() == upgrade.Fine) {
			t.Errorf("%s: at most %s", c.name, r.Most())
		}
	}
}

// What a newer server refuses has its cure, which the report of the cured
// definition shows.
func TestCompareMinorsCures(t *testing.T) {
	document := ofCluster(t, "{s: {type: string}}",
		`[{rule: "self.s.split('/')[0].matches('^[a-z]+$')"}]`)
	both := []minors.Minor{"1.37", "1.38"}
	r, err := upgrade.CompareMinors(t.Context(), document, both)
	if err != nil {
		t.Fatal(err)
	}
	cured := 0
	for i := range r.Effects {
		e := &r.Effects[i]
		if len(e.Edits) == 0 {
			continue
		}
		cured++
		mended := ofCluster(t, "{s: {type: string}}", fmt.Sprintf("[{rule: %q}]", e.Edits[0].Value))
		again, err := upgrade.CompareMinors(t.Context(), mended, both)
		if err != nil || again.Most() == upgrade.Breaking {
			t.Errorf("%v: %s, %v", e.Edits, effects(again, true), err)
		}
	}
	if cured != 1 {
		t.Errorf("%d cures in\n%s", cured, effects(r, true))
	}
}

// An object is judged by each server on the way.
func TestClusterJudge(t *testing.T) {
	r, err := upgrade.CompareMinors(t.Context(), ofCluster(t,
		"{port: {type: integer, format: int32}, s: {type: string, minLength: 3}}", "[]"),
		[]minors.Minor{"1.35", "1.36", "1.37", "1.38"}, upgrade.Tries(0))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ spec, fates, want string }{
		{"{port: 80}", "unaffected unaffected unaffected unaffected", ""},
		{"{port: 3000000000}", "unaffected ratcheted ratcheted ratcheted",
			"1.36 notable judged otherwise"},
		{"{s: a}", "ratcheted ratcheted ratcheted ratcheted", "1.38 fine worded otherwise"},
	} {
		object := decodedYAML(t, "{apiVersion: example.com/v1, kind: Host, "+
			"metadata: {name: a, namespace: b, uid: u, resourceVersion: '1', "+
			"creationTimestamp: '2026-01-01T00:00:00Z'}, spec: "+c.spec+"}")
		j, err := r.Judge(t.Context(), object)
		if err != nil {
			t.Fatal(err)
		}
		var fates, got []string
		for _, f := range j.Fates {
			fates = append(fates, string(f.Fate))
		}
		for i := range j.Effects {
			e := &j.Effects[i]
			got = append(got, fmt.Sprintf("%s %s %s", e.After, e.Severity, e.Kind))
		}
		if strings.Join(fates, " ") != c.fates || strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %v, %v %+v", c.spec, fates, got, j.Effects)
		}
	}
}

// An error that a create of the next minor words otherwise is no other verdict
// on a stored object, of which updates have the same error in both minors.
func TestClusterJudgeOfOwnerReferences(t *testing.T) {
	object := decodedYAML(t, "{apiVersion: example.com/v1, kind: Host, metadata: {name: a, "+
		"namespace: b, uid: u, resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z', "+
		"ownerReferences: [{apiVersion: v1, kind: Pod, name: p}]}}")
	for _, way := range [][]minors.Minor{{"1.37", "1.38"}, {"1.38", "1.37"}} {
		r, err := upgrade.CompareMinors(t.Context(), ofCluster(t, "{}", "[]"), way,
			upgrade.Tries(0))
		if err != nil {
			t.Fatal(err)
		}
		j, err := r.Judge(t.Context(), object)
		if err != nil {
			t.Fatal(err)
		}
		if len(j.Effects) > 0 || j.Severity != upgrade.Fine {
			t.Errorf("%v: %s %+v", way, j.Severity, j.Effects)
		}
		for _, f := range j.Fates {
			if f.Fate != upgrade.Refused {
				t.Errorf("%s: %s", f.Kubernetes, f.Fate)
			}
		}
	}
}

func TestCompareMinorsErrors(t *testing.T) {
	good := ofCluster(t, "{}", "[]")
	if _, err := upgrade.CompareMinors(t.Context(), good, []minors.Minor{"1.37"}); err == nil {
		t.Error("one minor is an upgrade")
	}
	if _, err := upgrade.CompareMinors(t.Context(), map[string]any{"spec": "x"},
		[]minors.Minor{"1.37", "1.38"}); err == nil {
		t.Error("a string is a spec")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := upgrade.CompareMinors(ctx, good, []minors.Minor{"1.37", "1.38"}); err == nil {
		t.Error("the context did not end the comparison")
	}
	for _, k := range upgrade.ClusterKinds() {
		if k.Meaning() == "" {
			t.Errorf("%s means nothing", k)
		}
	}
	if upgrade.ClusterKind("x").Meaning() != "" {
		t.Error("x means something")
	}
}
