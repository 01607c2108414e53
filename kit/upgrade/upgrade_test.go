package upgrade_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/kit/skew"
	"github.com/crdsem/crdsem/kit/upgrade"
	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/structural"
)

// crd returns a definition with the properties of spec, and spec's other
// keywords.
func crd(properties string, rest ...string) []byte {
	return []byte(`{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
"metadata": {"name": "foos.example.com"},
"spec": {"group": "example.com", "scope": "Namespaced", "names": {"plural": "foos", "kind": "Foo"},
"versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema":
{"type": "object", "properties": {"spec": {"type": "object", "properties": ` + properties +
		strings.Join(rest, "") + `}}}}}]}}`)
}

// ofMap returns a map m of objects with an integer a up to 3.
func ofMap(more string) string {
	return `{"m": {"type": "object", "additionalProperties": {"type": "object",
		"properties": {"a": {"type": "integer", "maximum": 3` + more + `}}}}}`
}

func compare(t *testing.T, old, changed []byte) *upgrade.Report {
	t.Helper()
	report, err := upgrade.Compare(t.Context(), old, changed, upgrade.Witnesses(upgrade.Fine))
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// Each change of a keyword has its classes, and a witness for each.
func TestKeywords(t *testing.T) {
	for _, c := range []struct {
		name, old, changed string
		want               []string
	}{
		{"equal", `{"a": {"type": "string"}}`, `{"a": {"type": "string"}}`, nil},
		{"shorter", `{"a": {"type": "string", "maxLength": 9}}`, `{"a": {"type": "string", "maxLength": 5}}`,
			[]string{"v1 spec.a: maxLength 9 -> 5: stricter"}},
		{"longer", `{"a": {"type": "string", "maxLength": 5}}`, `{"a": {"type": "string", "maxLength": 9}}`,
			[]string{"v1 spec.a: maxLength 5 -> 9: looser"}},
		{"minimum", `{"a": {"type": "integer"}}`, `{"a": {"type": "integer", "minimum": 3}}`,
			[]string{"v1 spec.a: minimum absent -> 3: stricter"}},
		{"exclusive", `{"a": {"type": "integer", "maximum": 3}}`,
			`{"a": {"type": "integer", "maximum": 3, "exclusiveMaximum": true}}`,
			[]string{"v1 spec.a: exclusiveMaximum false -> true: stricter"}},
		{"multipleOf", `{"a": {"type": "integer", "multipleOf": 2}}`,
			`{"a": {"type": "integer", "multipleOf": 4}}`,
			[]string{"v1 spec.a: multipleOf 2 -> 4: stricter"}},
		{"enum", `{"a": {"type": "string", "enum": ["x", "y"]}}`, `{"a": {"type": "string", "enum": ["y", "z"]}}`,
			[]string{`v1 spec.a: enum values ["x"] -> ["z"]: stricter`, `v1 spec.a: enum values ["x"] -> ["z"]: looser`}},
		{"pattern", `{"a": {"type": "string", "pattern": "^a"}}`, `{"a": {"type": "string", "pattern": "^ab"}}`,
			[]string{`v1 spec.a: pattern "^a" -> "^ab": stricter`}},
		{"type", `{"a": {"type": "integer"}}`, `{"a": {"type": "string"}}`,
			[]string{`v1 spec.a: type "integer" -> "string": stricter`,
				`v1 spec.a: type "integer" -> "string": looser`}},
		{"a default of a map's value", ofMap(``), ofMap(`, "default": 2`), []string{
			"v1 spec.m[*].a: default absent -> 2: changes storage",
		}},
		{"a default of another type", `{"a": {"x-kubernetes-int-or-string": true}}`,
			`{"a": {"x-kubernetes-int-or-string": true, "default": true}}`, []string{
				"v1 spec.a: default absent -> true: changes storage",
				"v1 spec.a: default absent -> true: stricter",
			}},
		{"int-or-string", `{"a": {"type": "integer"}}`, `{"a": {"x-kubernetes-int-or-string": true}}`,
			[]string{`v1 spec.a: type "integer" -> "int-or-string": looser`}},
		{"field removed", `{"a": {"type": "string"}, "b": {"type": "string"}}`, `{"b": {"type": "string"}}`,
			[]string{`v1 spec.a: properties "string" -> absent: changes storage`}},
		{"field added", `{"b": {"type": "string"}}`, `{"a": {"type": "string"}, "b": {"type": "string"}}`,
			[]string{`v1 spec.a: properties absent -> "string": changes storage`}},
		{"default", `{"a": {"type": "string"}}`, `{"a": {"type": "string", "default": "x"}}`,
			[]string{`v1 spec.a: default absent -> "x": changes storage`}},
		{"set", `{"a": {"type": "array", "items": {"type": "string"}}}`,
			`{"a": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"}}`,
			[]string{`v1 spec.a: x-kubernetes-list-type "atomic" -> "set": stricter`,
				`v1 spec.a: x-kubernetes-list-type "atomic" -> "set": changes merging`}},
		{"rule", `{"a": {"type": "integer"}}`,
			`{"a": {"type": "integer", "x-kubernetes-validations": [{"rule": "self > 7"}]}}`,
			[]string{`v1 spec.a: x-kubernetes-validations absent -> "self > 7": stricter`}},
		{"transition rule", `{"a": {"type": "integer"}}`,
			`{"a": {"type": "integer", "x-kubernetes-validations": [{"rule": "self >= oldSelf"}]}}`,
			[]string{`v1 spec.a: x-kubernetes-validations absent -> "self >= oldSelf": stricter`}},
		{"nullable", `{"a": {"type": "integer"}}`, `{"a": {"type": "integer", "nullable": true}}`,
			[]string{`v1 spec.a: nullable false -> true: changes storage`}},
		{"nullable items", `{"a": {"type": "array", "items": {"type": "integer"}}}`,
			`{"a": {"type": "array", "items": {"type": "integer", "nullable": true}}}`,
			[]string{`v1 spec.a[*]: nullable false -> true: looser`}},
		{"fewer items", `{"a": {"type": "array", "items": {"type": "string"}}}`,
			`{"a": {"type": "array", "items": {"type": "string"}, "minItems": 1}}`,
			[]string{`v1 spec.a: minItems absent -> 1: stricter`}},
		{"message", `{"a": {"type": "integer", "x-kubernetes-validations": [{"rule": "self > 7"}]}}`,
			`{"a": {"type": "integer", "x-kubernetes-validations": [{"rule": "self > 7", "message": "more"}]}}`,
			[]string{`v1 spec.a: x-kubernetes-validations {} -> {"message":"more"}: cosmetic`}},
		{"preserve", `{"a": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}`,
			`{"a": {"type": "object"}}`,
			[]string{`v1 spec.a: x-kubernetes-preserve-unknown-fields true -> false: changes storage`}},
		{"anyOf", `{"a": {"type": "integer"}}`, `{"a": {"type": "integer", "anyOf": [{"minimum": 7}, {"enum": [1]}]}}`,
			[]string{"v1 spec.a: anyOf absent -> 2: stricter"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, change := range compare(t, crd(c.old), crd(c.changed)).Changes {
				text := change.String()
				if !change.IsKnown() {
					text += " (undecided)"
				}
				if change.Severity == upgrade.Breaking && change.Witness == nil &&
					change.Class != upgrade.ChangesMerging {
					text += " (without a witness)"
				}
				got = append(got, text)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A required field is shown at its own path.
func TestNoOption(t *testing.T) {
	if _, err := upgrade.Compare(t.Context(), []byte("{}"), []byte("{}"), nil); err != nil {
		t.Error(err)
	}
}

func TestRequired(t *testing.T) {
	const fields = `{"a": {"type": "string"}}`
	report := compare(t, crd(fields), crd(fields, `, "required": ["a"]`))
	if len(report.Changes) != 1 {
		t.Fatalf("got %v", report.Changes)
	}
	change := &report.Changes[0]
	if change.Path != "spec.a" || change.Witness == nil {
		t.Fatalf("got %v", change)
	}
	if got := change.Witness.New; !strings.Contains(got, "spec.a: Required value") {
		t.Errorf("got %s", got)
	}
}

// A field that was required and unknown was always missing: objects with it are
// admitted now.
func TestRequiredAndUnknown(t *testing.T) {
	old := crd(`{"b": {"type": "string"}}`, `, "required": ["a"]`)
	changed := crd(`{"a": {"type": "string"}, "b": {"type": "string"}}`, `, "required": ["a"]`)
	for _, c := range []struct {
		old, changed []byte
		want         string
	}{
		{old, changed, `v1 spec.a: properties absent -> "string": looser`},
		{changed, old, `v1 spec.a: properties "string" -> absent: stricter`},
	} {
		changes := compare(t, c.old, c.changed).Changes
		if len(changes) != 1 || changes[0].String() != c.want || changes[0].Witness == nil {
			t.Errorf("got %v, want %s", changes, c.want)
		}
	}
}

// A rule about fields that are new as well breaks no object that is stored.
func TestRuleOfNewFields(t *testing.T) {
	const rule = `, "x-kubernetes-validations": [{"rule": "!(has(self.b) && has(self.%s))"}]`
	old := crd(`{"a": {"type": "string"}, "b": {"type": "string"}}`)
	fields := `{"a": {"type": "string"}, "b": {"type": "string"}, "c": {"type": "string"}}`
	for field, want := range map[string]upgrade.Severity{
		"a": upgrade.Breaking, "c": upgrade.Fine,
	} {
		for _, c := range compare(t, old, crd(fields, fmt.Sprintf(rule, field))).Changes {
			if c.Keyword == "x-kubernetes-validations" && (c.Severity != want ||
				(want == upgrade.Breaking) != (c.Witness != nil)) {
				t.Errorf("%v: %s, %+v", &c, c.Severity, c.Witness)
			}
		}
	}
}

// Stricter keywords that no object can break are not shown, and break nothing.
func TestStricterWithoutEffect(t *testing.T) {
	for _, c := range []struct {
		name, old, changed string
		required           string
		want               int // changes
	}{
		{"maxProperties of an object whose fields are all pruned",
			`{"a": {"type": "object"}}`, `{"a": {"type": "object", "maxProperties": 3}}`, "", 1},
		{"minProperties that no object had before",
			`{"a": {"type": "object", "minProperties": 1}}`, `{"a": {"type": "object", "minProperties": 2}}`, "", 1},
		{"a required field with a default", `{"a": {"type": "string", "default": "x"}}`,
			`{"a": {"type": "string", "default": "x"}}`, `, "required": ["a"]`, 1},
		{"a longer field than its enum", `{"a": {"type": "string", "enum": ["x"]}}`,
			`{"a": {"type": "string", "enum": ["x"], "maxLength": 3}}`, "", 1},
		{"another order of an enum", `{"a": {"type": "string", "enum": ["x", "y"]}}`,
			`{"a": {"type": "string", "enum": ["y", "x"]}}`, "", 0},
		{"a description", `{"a": {"type": "string", "description": "x"}}`,
			`{"a": {"type": "string", "description": "y"}}`, "", 0},
	} {
		changes := compare(t, crd(c.old), crd(c.changed, c.required)).Changes
		if len(changes) != c.want {
			t.Errorf("%s: %v", c.name, changes)
		}
		for i := range changes {
			if change := &changes[i]; change.Witness != nil || change.Severity == upgrade.Breaking {
				t.Errorf("%s: %v: %s, %v", c.name, change, change.Severity, change.Witness)
			}
		}
	}
}

// versioned returns a definition with versions, each given as
// {name, served, storage}, and a status.
func versioned(status string, versions ...string) []byte {
	list := ""
	for i, v := range versions {
		if i > 0 {
			list += ","
		}
		list += `{` + v + `, "schema": {"openAPIV3Schema": {"type": "object", "properties":
{"spec": {"type": "object", "properties": {"a": {"type": "string"}}}}}}}`
	}
	return []byte(`{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
"metadata": {"name": "foos.example.com"}, "status": ` + status + `,
"spec": {"group": "example.com", "scope": "Namespaced", "names": {"plural": "foos", "kind": "Foo"},
"versions": [` + list + `]}}`)
}

const (
	v1Stored = `"name": "v1", "served": true, "storage": true`
	v1Served = `"name": "v1", "served": true, "storage": false`
	v1Gone   = `"name": "v1", "served": false, "storage": false`
	v2Stored = `"name": "v2", "served": true, "storage": true`
)

// A version is removed in steps: objects are written again before it goes.
func TestSteps(t *testing.T) {
	for _, c := range []struct {
		name         string
		old, changed []byte
		want         []upgrade.Step
	}{
		{"same storage version", versioned(`{}`, v1Stored), versioned(`{}`, v1Stored),
			[]upgrade.Step{{"apply the new definition", []string{"v1"}}}},
		{"another storage version", versioned(`{}`, v1Stored), versioned(`{}`, v1Served, v2Stored),
			[]upgrade.Step{
				{"apply the new definition", []string{"v1", "v2"}},
				{"write every object again, so that none is stored in v1", []string{"v1", "v2"}},
				{"set status.storedVersions of the definition to v2", []string{"v2"}},
			}},
		{"the stored version is removed", versioned(`{}`, v1Stored), versioned(`{}`, v2Stored),
			[]upgrade.Step{
				{"apply the new definition with v1 kept and no longer served", []string{"v1", "v2"}},
				{"write every object again, so that none is stored in v1", []string{"v1", "v2"}},
				{"set status.storedVersions of the definition to v2", []string{"v2"}},
				{"apply the new definition", []string{"v2"}},
			}},
		{"a version in the status is removed",
			versioned(`{"storedVersions": ["v1", "v2"]}`, v1Served, v2Stored), versioned(`{}`, v2Stored),
			[]upgrade.Step{
				{"apply the new definition with v1 kept and no longer served", []string{"v1", "v2"}},
				{"write every object again, so that none is stored in v1", []string{"v1", "v2"}},
				{"set status.storedVersions of the definition to v2", []string{"v2"}},
				{"apply the new definition", []string{"v2"}},
			}},
	} {
		if diff := cmp.Diff(c.want, compare(t, c.old, c.changed).Steps); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// Versions that are added, no longer served or removed are changes of the
// definition.
func TestServing(t *testing.T) {
	for _, c := range []struct {
		name         string
		old, changed []byte
		want         []string
	}{
		{"added", versioned(`{}`, v1Stored), versioned(`{}`, v1Stored, `"name": "v2", "served": true, "storage": false`),
			[]string{"spec.versions[v2]: served absent -> true: looser"}},
		{"removed", versioned(`{}`, v1Served, v2Stored), versioned(`{}`, v2Stored),
			[]string{"spec.versions[v1]: served true -> absent: changes serving"}},
		{"removed when not served", versioned(`{}`, v1Gone, v2Stored), versioned(`{}`, v2Stored),
			[]string{"spec.versions[v1]: served false -> absent: cosmetic"}},
		{"not served", versioned(`{}`, v1Served, v2Stored), versioned(`{}`, v1Gone, v2Stored),
			[]string{"spec.versions[v1]: served true -> false: changes serving"}},
		{"storage", versioned(`{}`, v1Stored, `"name": "v2", "served": true, "storage": false`),
			versioned(`{}`, v1Served, v2Stored),
			[]string{`spec.versions: storage "v1" -> "v2": changes storage`}},
	} {
		var got []string
		for _, change := range compare(t, c.old, c.changed).Changes {
			got = append(got, change.String())
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// A change of two versions that are alike is searched once; both have the
// witness, each in its version.
func TestTwins(t *testing.T) {
	old := twoVersions(`{"a": {"type": "string"}}`, `{"a": {"type": "string"}}`, "")
	shorter := `{"a": {"type": "string", "maxLength": 3}}`
	changes := compare(t, old, twoVersions(shorter, shorter, "")).Changes
	if len(changes) != 2 {
		t.Fatalf("got %v", changes)
	}
	for i, version := range []string{"v1", "v2"} {
		c := &changes[i]
		if c.Version != version || c.Tries == 0 || c.Witness == nil ||
			c.Witness.Object["apiVersion"] != "example.com/"+version {
			t.Errorf("%v: %+v", c, c.Witness)
		}
	}
	first, second := changes[0].Witness.Object, changes[1].Witness.Object
	if diff := cmp.Diff(first["spec"], second["spec"]); diff != "" {
		t.Error(diff)
	}
}

// Rules that cost more are one change of the version. Names may have brackets.
func TestCosts(t *testing.T) {
	const spec = `{"a].b": {"type": "array", "maxItems": %d, "items": {"type": "string", "maxLength": 5,
"x-kubernetes-validations": [{"rule": "self != 'x'"}, {"rule": "self.contains('y')"}]}}}`
	changes := compare(t, crd(fmt.Sprintf(spec, 2)), crd(fmt.Sprintf(spec, 20))).Changes
	costs := changes[len(changes)-1]
	if costs.Class != upgrade.CostsMore || costs.Path != "spec.a].b[*]" ||
		costs.Old.(uint64)*10 != costs.New.(uint64) ||
		!strings.HasPrefix(costs.Message, "2 rules, most of all self.contains") {
		t.Errorf("got %+v", costs)
	}
	twice := crd(`{"a": {"type": "integer", "x-kubernetes-validations": [
{"rule": "self == oldSelf"}, {"rule": "self == oldSelf", "optionalOldSelf": true}]}}`)
	if changes := compare(t, twice, twice).Changes; len(changes) > 0 {
		t.Errorf("a rule that is there twice: %v", &changes[0])
	}
}

// A definition that the server refuses is a change with the server's error.
func TestRefusedDefinition(t *testing.T) {
	report := compare(t, versioned(`{"storedVersions": ["v1"]}`, v1Stored), versioned(`{}`, v2Stored))
	refused := report.Changes[0]
	if refused.Class != upgrade.DefinitionRefused || refused.Keyword != "CRD-110" ||
		refused.Severities.Most() != upgrade.Breaking {
		t.Errorf("got %+v", refused)
	}
	if got := refused.String(); got != refused.Path+": definition refused, by CRD-110" {
		t.Errorf("it reads %q", got)
	}
}

// A stored object is read, written and created under the new definition.
func TestJudge(t *testing.T) {
	old := crd(`{"a": {"type": "string"}, "b": {"type": "string"}}`)
	changed := crd(`{"a": {"type": "string", "maxLength": 3}, "c": {"type": "string", "default": "x"}}`)
	report := compare(t, old, changed)
	for _, c := range []struct {
		name string
		spec map[string]any
		want upgrade.Fate
	}{
		{"long", map[string]any{"a": "long value", "c": "x"}, upgrade.Ratcheted},
		{"lost", map[string]any{"b": "y", "c": "x"}, upgrade.Pruned},
		{"defaulted", map[string]any{"a": "ok"}, upgrade.Defaulted},
		{"unaffected", map[string]any{"a": "ok", "c": "x"}, upgrade.Unaffected},
	} {
		judgement, err := report.Judge(t.Context(), storedFoo(c.spec))
		if err != nil || judgement.Fate != c.want {
			t.Errorf("%s: got %+v, %v", c.name, judgement, err)
		}
	}
}

// Definitions that do not decode, and contexts that end.
func TestErrorsOfCompare(t *testing.T) {
	good, bad := crd(`{"a": {"type": "string"}}`), []byte("just text")
	ctx, end := context.WithCancel(t.Context())
	for want, c := range map[string][2][]byte{
		"old definition: ": {bad, good}, "new definition: ": {good, bad},
	} {
		if r, err := upgrade.Compare(ctx, c[0],
			c[1]); r != nil || err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	report := compare(t, good, good)
	end()
	if _, err := upgrade.Compare(ctx, good, crd(`{"a": {"type": "string", "maxLength": 3}}`)); !errors.Is(err, context.Canceled) {
		t.Errorf("a comparison: %v", err)
	}
	if j, err := report.Judge(ctx,
		storedFoo(map[string]any{"a": "x"})); j != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("a judgement: %v, %v", j, err)
	}
}

// Definitions are of their own minor, unless an option says otherwise.
func TestMinorOfDefinitions(t *testing.T) {
	of := func(text []byte) *definition.CRD {
		def, _, err := definition.Parse(text, structural.Kubernetes("1.32"))
		if err != nil {
			t.Fatal(err)
		}
		return def
	}
	status := func(more string) *definition.CRD {
		return of(crd(`{}`, `}, "status": {"type": "object", "properties": {"a": {"type": "string"`+more+`}}`))
	}
	old, changed := status(""), status(`, "maxLength": 3`)
	for minor, want := range map[minors.Minor]upgrade.Severity{"": upgrade.Breaking,
		"1.32": upgrade.Breaking, "1.37": upgrade.Notable} {
		r, err := upgrade.CompareCRDs(t.Context(), old, changed, crdsem.Kubernetes(minor),
			upgrade.Seed(7))
		if err != nil || len(r.Changes) != 1 || r.Changes[0].Severities.Stored != want {
			t.Errorf("%q: %+v, %v", minor, r, err)
		}
	}
}

// A report can prepare the rules of all versions, unless its context ends.
func TestPrepare(t *testing.T) {
	definition := crd(`{"a": {"type": "string", "x-kubernetes-validations": [{"rule": "self != 'x'"}]}}`)
	report := compare(t, definition, bytes.Replace(definition, []byte(`"versions": [`),
		[]byte(`"versions": [{"name": "v0", "served": false, "storage": false, "schema": {
			"openAPIV3Schema": {"type": "object"}}}, `), 1))
	if err := report.Prepare(t.Context()); err != nil {
		t.Error(err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	fresh := compare(t, definition, definition)
	if err := fresh.Prepare(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("ended context: %v", err)
	}
}

// Each class says what its changes do.
func TestMeaning(t *testing.T) {
	known := map[string]upgrade.Class{"": "another"}
	for _, class := range append(upgrade.Classes(), "another class") {
		if other, ok := known[class.Meaning()]; ok != (class == "another class") {
			t.Errorf("%s means %q, as %s does", class, class.Meaning(), other)
		}
		known[class.Meaning()] = class
	}
	if got := upgrade.Stricter.Meaning(); got != "objects that were admitted are refused" {
		t.Error(got)
	}
}

// The path of a change leads to its keyword in the schema.
func TestSchemaPath(t *testing.T) {
	old := crd(`{"l": {"type": "array", "items": {"type": "object", "additionalProperties": {
		"type": "string"}}}, "gone": {"type": "string"}}`)
	changed := crd(`{"l": {"type": "array", "items": {"type": "object", "additionalProperties": {
		"type": "string", "maxLength": 3}}}}`)
	changed = bytes.Replace(changed, []byte(`"plural": "foos",`),
		[]byte(`"plural": "foos", "shortNames": ["f"],`), 1)
	var got []string
	for _, c := range compare(t, old, changed).Changes {
		got = append(got, c.Path+" "+c.Keyword+": "+c.SchemaPath())
	}
	want := []string{
		"spec.names.shortNames names.shortNames: ",
		"spec.gone properties: properties.spec.properties.gone",
		"spec.l[*][*] maxLength: properties.spec.properties.l.items.additionalProperties.maxLength",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// storedFoo returns a stored object.
func storedFoo(spec map[string]any) map[string]any {
	return map[string]any{
		"apiVersion": "example.com/v1", "kind": "Foo",
		"metadata": map[string]any{
			"name": "n", "namespace": "default", "resourceVersion": "1", "uid": "u",
			"creationTimestamp": "2026-07-01T00:00:00Z", "generation": int64(1),
		},
		"spec": spec,
	}
}

// An object that cannot be read is a judgement, too.
func TestUnreadable(t *testing.T) {
	for _, c := range []struct {
		name, want   string
		old, changed []byte
	}{
		{"the version is gone", "v1", versioned(`{}`, v1Stored), versioned(`{}`, v2Stored)},
		{"nothing is served", "serves no version", versioned(`{}`, v1Stored), versioned(`{}`, v1Gone)},
	} {
		report, err := upgrade.Compare(t.Context(), c.old, c.changed, upgrade.Tries(0))
		if err != nil {
			t.Fatal(err)
		}
		j, err := report.Judge(t.Context(), storedFoo(map[string]any{}))
		if err != nil || j.Fate != upgrade.Unreadable || j.Severity != upgrade.Breaking ||
			j.Err == nil || !strings.Contains(j.Err.Error(), c.want) {
			t.Errorf("%s: got %+v, %v", c.name, j, err)
		}
	}
}

// Clients of a version that lost fields before are no worse off by a default of
// another version.
func TestJudgeOfLossBefore(t *testing.T) {
	definition := func(more string) []byte {
		one := crd(`{"b": {"type": "object", "properties": {"at": {"type": "string"}` + more + `}}}`)
		return []byte(strings.TrimSuffix(string(one), "]}}") + `, {"name": "v1alpha1", "served": true,
"storage": false, "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": {
"type": "object"}}}}}]}}`)
	}
	report := compare(t, definition(""), definition(`, "c": {"type": "boolean", "default": true}`))
	j, err := report.Judge(t.Context(), storedFoo(map[string]any{"b": map[string]any{"at": "x"}}))
	if err != nil || j.Fate != upgrade.Defaulted || j.Version != "v1" {
		t.Errorf("got %+v, %v", j, err)
	}
}

// A rule in the form that lint writes for the next minor is the same rule.
func TestRuleAsLintWritesIt(t *testing.T) {
	const rule = `self.split('@')[1].matches('^[a-z]+$')`
	definition := func(rule string) []byte {
		return crd(fmt.Sprintf(`{"a": {"type": "string", "maxLength": 50,
"x-kubernetes-validations": [{"rule": %q}]}}`, rule))
	}
	written := skew.Rewritten(rule)
	for text, want := range map[string]bool{written: true, written + " && self != 'x@y'": false} {
		report := compare(t, definition(rule), definition(text))
		isFine := !slices.ContainsFunc(report.Changes, func(c upgrade.Change) bool {
			return c.Severities.Most() != upgrade.Fine
		})
		if written == "" || isFine != want {
			t.Errorf("%q: fine %t: %v", text, isFine, report.Changes)
		}
	}
}
