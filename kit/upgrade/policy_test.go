package upgrade_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/kit/upgrade"
)

// severitiesWith returns the severity and the reason of each change, by path,
// keyword and class.
func severitiesWith(t *testing.T, policy string, old, changed []byte) map[string]string {
	t.Helper()
	p, err := upgrade.ParsePolicy([]byte(policy))
	if err != nil {
		t.Fatal(err)
	}
	report, err := upgrade.Compare(t.Context(), old, changed, upgrade.ByPolicy(p))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, c := range report.Changes {
		key := fmt.Sprintf("%s %s %s", c.Path, c.Keyword, c.Class)
		got[key] = strings.TrimSpace(string(c.Severity) + " " + c.Reason)
	}
	return got
}

// The first rule that matches a change decides.
func TestPolicy(t *testing.T) {
	old := crd(`{"a": {"type": "string"}, "b": {"type": "object", "properties": {"c": {"type": "string"}, "d": {"type": "string"}}}}`)
	changed := crd(`{"a": {"type": "string", "maxLength": 3}, "b": {"type": "object", "properties": {"c": {"type": "string", "maxLength": 3, "pattern": "^x"}}}}`)
	const (
		a = "spec.a maxLength stricter"
		c = "spec.b.c maxLength stricter"
		p = "spec.b.c pattern stricter"
		d = "spec.b.d properties changes storage"
	)
	for _, test := range []struct{ name, policy, a, c, p, d string }{
		{"no rule", `{}`, "breaking", "breaking", "breaking", "breaking"},
		{"path", `changes: [{path: spec.b, severity: fine, reason: internal}]`,
			"breaking", "fine internal", "fine internal", "fine internal"},
		{"name in a path", `changes: [{path: spec.*.c, severity: notable}]`,
			"breaking", "notable", "notable", "breaking"},
		{"keywords", `changes: [{keywords: [maxLength, properties], severity: notable}]`,
			"notable", "notable", "breaking", "notable"},
		{"order", `changes: [{path: spec.b, keywords: [pattern], severity: breaking}, {path: spec.b, severity: fine}]`,
			"breaking", "fine", "breaking", "fine"},
		{"class and edit", `changes: [{class: stricter, severity: fine}, {edit: removed, severity: notable}]`,
			"fine", "fine", "fine", "notable"},
		{"other definition and version", `changes: [{definition: bars.example.com, severity: fine}, {version: v2, severity: fine}]`,
			"breaking", "breaking", "breaking", "breaking"},
		{"definition and version", `changes: [{definition: foos.example.com, version: v1, severity: fine}]`,
			"fine", "fine", "fine", "fine"},
	} {
		want := map[string]string{a: test.a, c: test.c, p: test.p, d: test.d}
		if diff := cmp.Diff(want, severitiesWith(t, test.policy, old, changed)); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

// Rules concern changes outside of schemas, too.
func TestPolicyOfNames(t *testing.T) {
	old := crd(`{"a": {"type": "string"}}`)
	changed := bytes.Replace(old, []byte(`"Namespaced"`), []byte(`"Cluster"`), 1)
	const scope = "spec.scope scope changes serving"
	for policy, want := range map[string]string{
		`changes: [{class: changes serving, severity: notable, reason: asked}]`: "notable asked",
		`changes: [{path: spec.scope, severity: fine}]`:                         "fine",
		`changes: [{version: v1, severity: fine}]`:                              "breaking",
	} {
		got := severitiesWith(t, policy, old, changed)
		if got[scope] != want {
			t.Errorf("%s: %v, want %s", policy, got, want)
		}
	}
}

// A policy cannot make a change break that is undecided.
func TestPolicyOfUndecidedChange(t *testing.T) {
	old := crd(`{"a": {"type": "string"}}`)
	changed := crd(`{"a": {"type": "string", "x-kubernetes-validations": [{"rule": "self == self"}]}}`)
	got := severitiesWith(t, `changes: [{severity: breaking}]`, old, changed)
	want := map[string]string{
		"spec.a x-kubernetes-validations stricter": "undecided",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A configuration of crdify becomes rules.
func TestCrdify(t *testing.T) {
	old := crd(`{"a": {"type": "string", "enum": ["x"]}, "b": {"type": "string", "maxLength": 5, "pattern": "^a"}, "c": {"type": "string"}, "d": {"type": "array", "items": {"type": "string"}}}`)
	changed := crd(`{"a": {"type": "string", "enum": ["x", "y"]}, "b": {"type": "string", "maxLength": 9}, "e": {"type": "string"}, "d": {"type": "array", "items": {"type": "string"}, "maxItems": 1, "x-kubernetes-list-type": "set"}}`)
	const (
		enum    = "spec.a enum looser"
		length  = "spec.b maxLength looser"
		pattern = "spec.b pattern looser"
		removed = "spec.c properties changes storage"
		added   = "spec.e properties changes storage"
		items   = "spec.d maxItems stricter"
		unique  = "spec.d x-kubernetes-list-type stricter"
		merging = "spec.d x-kubernetes-list-type changes merging"
	)
	for _, test := range []struct {
		name, config string
		want         map[string]string
	}{
		{"defaults", `conversion: None`, map[string]string{
			enum: "breaking crdify: enum", length: "fine", pattern: "breaking crdify: pattern",
			removed: "breaking crdify: existingFieldRemoval", added: "fine",
			items: "breaking crdify: maxItems", unique: "breaking crdify: unhandled", merging: "breaking crdify: unhandled",
		}},
		{"configured", `
unhandledEnforcement: None
validations:
- {name: enum, enforcement: Error, configuration: {additionPolicy: Allow}}
- {name: pattern, enforcement: Error, configuration: {removalPolicy: Allow}}
- {name: existingFieldRemoval, enforcement: Warn}
- {name: maxItems, enforcement: None}`, map[string]string{
			enum: "fine crdify: enum, additionPolicy", length: "fine", pattern: "fine crdify: pattern, removalPolicy",
			removed: "notable crdify: existingFieldRemoval", added: "fine",
			items: "fine crdify: maxItems", unique: "fine crdify: unhandled", merging: "fine crdify: unhandled",
		}},
	} {
		if diff := cmp.Diff(test.want, severitiesWith(t, test.config, old, changed)); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

// The error of a malformed policy names the field.
func TestPolicyErrors(t *testing.T) {
	for _, c := range []struct{ policy, want string }{
		{`changes: [{severity: bad}]`, `changes[0].severity: "bad" is none of breaking, notable, fine`},
		{`changes: [{path: spec}]`, `changes[0].severity: "" is none of breaking, notable, fine`},
		{`changes: [{severity: fine, class: more}]`, `changes[0].class: "more" is none of stricter, `},
		{`changes: [{severity: fine, edit: gone}]`, `changes[0].edit: "gone" is none of added, removed, modified`},
		{`changes: [{severity: fine, keyword: enum}]`, `unknown field "changes[0].keyword"`},
		{`objects: {lost: fine, pruned: worst}`, `objects: "lost" is none of unreadable, refused, `},
		{`objects: {lost: fine, pruned: worst}`, `objects.pruned: "worst" is none of`},
		{`[1]`, `cannot unmarshal array`},
		{`validations: [{name: enums}]`, `validations[0].name: there is no validation "enums"`},
		{`validations: [{name: enum, enforcement: Never}]`, `validations[0].enforcement: "Never" is none of Error, Warn, None`},
		{`unhandledEnforcement: Never`, `unhandledEnforcement: "Never" is none of`},
	} {
		if _, err := upgrade.ParsePolicy([]byte(c.policy)); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v", c.policy, err)
		}
	}
}

// The fates of stored objects have severities, unless it was so before.
func TestPolicyOfObjects(t *testing.T) {
	old := crd(`{"a": {"type": "string"}, "b": {"type": "string", "maxLength": 3}}`)
	changed := crd(`{"b": {"type": "string", "maxLength": 2}}`)
	p, err := upgrade.ParsePolicy([]byte(`objects: {pruned: breaking}`))
	if err != nil {
		t.Fatal(err)
	}
	report, err := upgrade.Compare(t.Context(), old, changed, upgrade.ByPolicy(p), upgrade.Tries(0))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name         string
		spec         map[string]any
		fate, before upgrade.Fate
		severity     upgrade.Severity
	}{
		{"pruned", map[string]any{"a": "x"}, upgrade.Pruned, upgrade.Unaffected, upgrade.Breaking},
		{"pruned before", map[string]any{"z": "x"}, upgrade.Pruned, upgrade.Pruned, upgrade.Fine},
		{"invalid before", map[string]any{"b": "xxxx"}, upgrade.Ratcheted, upgrade.Ratcheted, upgrade.Fine},
		{"invalid before, and pruned", map[string]any{"b": "xxxx", "a": "x"}, upgrade.Ratcheted, upgrade.Ratcheted, upgrade.Notable},
		{"invalid now", map[string]any{"b": "xxx"}, upgrade.Ratcheted, upgrade.Unaffected, upgrade.Notable},
	} {
		j, err := report.Judge(t.Context(), storedFoo(c.spec))
		if err != nil || j.Fate != c.fate || j.Before != c.before || j.Severity != c.severity {
			t.Errorf("%s: got %+v, %v", c.name, j, err)
		}
	}
}

// Changes that only server-side apply notices, and those in a status that only
// controllers write, are notable unless the policy says otherwise.
func TestPolicyLimits(t *testing.T) {
	definition := func(list, status string) []byte {
		text := string(crd(`{"a": {"type": "object", "properties": {"b": {"type": "string"}}` + list + `}}`))
		text = strings.Replace(text, `"properties": {"spec"`, `"properties": {"status": {"type": "object", "properties": {"n": {"type": "string"`+status+`}}}, "spec"`, 1)
		return []byte(strings.Replace(text, `"served": true`, `"subresources": {"status": {}}, "served": true`, 1))
	}
	old, changed := definition("", ""), definition(`, "x-kubernetes-map-type": "atomic"`, `, "maxLength": 3`)
	const merging = "spec.a x-kubernetes-map-type changes merging"
	const status = "status.n maxLength stricter"
	for policy, want := range map[string][2]string{
		`{}`:                            {"notable", "notable"},
		`merging: breaking`:             {"breaking", "notable"},
		`status: breaking`:              {"notable", "breaking"},
		`{merging: fine, status: fine}`: {"fine", "fine"},
	} {
		got := severitiesWith(t, policy, old, changed)
		if got[merging] != want[0] || got[status] != want[1] {
			t.Errorf("%s: %q, want %q", policy, got, want)
		}
	}
	if _, err := upgrade.ParsePolicy([]byte(`status: none`)); err == nil {
		t.Error("a status of none is a severity")
	}
}
