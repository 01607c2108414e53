package upgrade_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/kit/upgrade"
	"github.com/crdsem/crdsem/minors"
)

// severity returns the highest severity of the changes of a report that refuse
// more, and the changes.
func severity(changes []upgrade.Change) (upgrade.Severity, []string) {
	most, texts := upgrade.Fine, []string{}
	for i := range changes {
		c := &changes[i]
		texts = append(texts, fmt.Sprintf("%s: %v", c.Severity, c))
		isMore := most == upgrade.Fine || c.Severity == upgrade.Breaking
		if c.Class == upgrade.Stricter && isMore {
			most = c.Severity
		}
	}
	return most, texts
}

// Logic decides without a single object.
func TestDecided(t *testing.T) {
	const arn = `"arn": {"type": "string", "maxLength": 100, "x-kubernetes-validations":
[{"rule": "self.startsWith('arn:') && self.split(':').size() == 6"}]}`
	for _, c := range []struct {
		name, old, changed string
		rest, newRest      string
		want               upgrade.Severity
	}{
		{"a lower maximum next to a rule", arn + `, "a": {"type": "integer", "maximum": 9}`,
			arn + `, "a": {"type": "integer", "maximum": 5}`, "", "", upgrade.Breaking},
		{"a required field next to a rule", arn, arn + `, "a": {"type": "string"}`, "",
			`, "required": ["a"]`, upgrade.Breaking},
		{"a branch of a pattern loses its anchor",
			`"a": {"type": "string", "pattern": "^(([0-9]+(s|m|h))+)|(Never)$"}`,
			`"a": {"type": "string", "pattern": "^(([0-9]+(s|m|h))+|Never)$"}`,
			"", "", upgrade.Breaking},
		{"a pattern gets an anchor", `"a": {"type": "string", "pattern": "^[a-z]+"}`,
			`"a": {"type": "string", "pattern": "^[a-z]+$"}`, "", "", upgrade.Breaking},
		{"metadata of an embedded resource forbid fields",
			`"a": {"type": "object", "x-kubernetes-embedded-resource": true, "properties":
{"metadata": {"type": "object"}}}`,
			`"a": {"type": "object", "x-kubernetes-embedded-resource": true, "properties":
{"metadata": {"type": "object", "additionalProperties": false}}}`, "", "", upgrade.Undecided},
		{"a wider pattern", `"a": {"type": "string", "pattern": "^[a-z]{1,19}$"}`,
			`"a": {"type": "string", "pattern": "^[a-z]{1,20}$"}`, "", "", upgrade.Fine},
		{"a pattern and the length of the old one",
			`"a": {"type": "string", "pattern": "^[a-z]{1,20}$", "maxLength": 19}`,
			`"a": {"type": "string", "pattern": "^[a-z]{1,19}$"}`, "", "", upgrade.Fine},
		{"a length beyond the pattern", `"a": {"type": "string", "pattern": "^a{1,3}$"}`,
			`"a": {"type": "string", "pattern": "^a{1,3}$", "maxLength": 3}`, "", "", upgrade.Fine},
		{"a label for a subdomain",
			`"a": {"type": "string", "pattern": "^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$"}`,
			`"a": {"type": "string", "pattern": "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"}`,
			"", "", upgrade.Breaking},
		{"a maximum of an enum", `"a": {"type": "integer", "enum": [1, 2]}`,
			`"a": {"type": "integer", "enum": [1, 2], "maximum": 2}`, "", "", upgrade.Fine},
		{"a format within bounds", `"a": {"type": "integer", "minimum": 0, "maximum": 9}`,
			`"a": {"type": "integer", "minimum": 0, "maximum": 9, "format": "int32"}`,
			"", "", upgrade.Fine},
		{"a list that has one item at most",
			`"a": {"type": "array", "maxItems": 1, "items": {"type": "string"}}`,
			`"a": {"type": "array", "maxItems": 1, "items": {"type": "string"}, "x-kubernetes-list-type": "set"}`,
			"", "", upgrade.Fine},
		{"a rule that another one implies",
			`"a": {"type": "string", "x-kubernetes-validations": [{"rule": "self != '' && self != 'x'"}]}`,
			`"a": {"type": "string", "x-kubernetes-validations": [{"rule": "self != 'x' || self == 'y'"}]}`,
			"", "", upgrade.Fine},
		{"a rule about a new value",
			`"a": {"type": "string", "enum": ["x"]}`, `"a": {"type": "string", "enum": ["x", "y"]}`,
			`, "required": ["a"]`,
			`, "required": ["a"], "x-kubernetes-validations": [{"rule": "!(self.a == 'y' && has(self.b))"}]`,
			upgrade.Fine},
		{"another rule", `"a": {"type": "string"}`,
			`"a": {"type": "string", "x-kubernetes-validations": [{"rule": "self != 'x'"}]}`,
			"", "", upgrade.Breaking},
		{"a rule that is not understood, of two fields", `"a": {"type": "string"}`, `"a": {"type": "string"}`,
			"", `, "x-kubernetes-validations": [{"rule": "self.a.split('x').size() != 2"}]`,
			upgrade.Undecided},
		{"null that is kept and not in an enum", `"a": {"type": "string", "enum": ["x"]}`,
			`"a": {"type": "string", "enum": ["x"], "nullable": true}`, "", "", upgrade.Breaking},
		{"a default of items", `"a": {"type": "array", "items": {"type": "string", "default": "x"}}`,

			`"a": {"type": "array", "items": {"type": "string"}}`, "", "", upgrade.Breaking},
		{"a default that was needed", `"a": {"type": "string", "default": "x"}`,
			`"a": {"type": "string"}`,
			`, "required": ["a"]`, `, "required": ["a"]`, upgrade.Breaking},
		{"int-or-string as tools write it", `"a": {"x-kubernetes-int-or-string": true}`,
			`"a": {"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}]}`,
			"", "", upgrade.Fine},
		{"an immutable field of one value", `"a": {"type": "string", "enum": ["x"]}`,
			`"a": {"type": "string", "enum": ["x"], "x-kubernetes-validations": [{"rule": "self == oldSelf"}]}`,
			"", "", upgrade.Fine},
		{"an immutable field of two values", `"a": {"type": "string", "enum": ["x", "y"]}`,
			`"a": {"type": "string", "enum": ["x", "y"], "x-kubernetes-validations": [{"rule": "self == oldSelf"}]}`,
			"", "", upgrade.Breaking},
		{"a rule about all values of an enum", `"a": {"type": "string", "enum": ["a.b", "c.d"]}`,
			`"a": {"type": "string", "enum": ["a.b", "c.d"], "x-kubernetes-validations": [{"rule": "self.split('.').size() == 2"}]}`,
			"", "", upgrade.Fine},
		{"branches that refuse a value of an enum", `"a": {"type": "string", "enum": ["a", "bb"]}`,
			`"a": {"type": "string", "enum": ["a", "bb"], "allOf": [{"maxItems": 1}, {"maxLength": 1}]}`,
			"", "", upgrade.Breaking},
		{"branches that admit all values of an enum", `"a": {"type": "string", "enum": ["a", "bb"]}`,
			`"a": {"type": "string", "enum": ["a", "bb"], "oneOf": [{"enum": ["a"]}, {"minLength": 2}]}`,
			"", "", upgrade.Fine},
		{"branches that admit every time", `"a": {"type": "string", "format": "date-time"}`,
			`"a": {"type": "string", "format": "date-time", "oneOf": [{"enum": ["a"]}, {"minLength": 2}]}`,
			"", "", upgrade.Fine},
		{"a length that every time has", `"a": {"type": "string", "format": "date-time"}`,
			`"a": {"type": "string", "format": "date-time", "minLength": 11}`, "", "", upgrade.Fine},
		{"a length that some times exceed", `"a": {"type": "string", "format": "date-time"}`,
			`"a": {"type": "string", "format": "date-time", "maxLength": 11}`, "", "", upgrade.Breaking},
		{"branches that refuse a short path", `"a": {"type": "string", "format": "uri"}`,
			`"a": {"type": "string", "format": "uri", "oneOf": [{"enum": ["a"]}, {"minLength": 2}]}`,
			"", "", upgrade.Breaking},
		{"an enum within lengths of branches",
			`"a": {"type": "string", "allOf": [{"minLength": 2}, {"maxLength": 5}]}`,
			`"a": {"type": "string", "allOf": [{"minLength": 2}, {"maxLength": 5}], "enum": ["a", "bb"]}`,
			"", "", upgrade.Breaking},
		{"a set without items", `"a": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string", "format": "isbn"}}`,
			`"a": {"type": "array", "x-kubernetes-list-type": "set", "maxItems": 0, "items": {"type": "string", "format": "isbn"}}`,
			"", "", upgrade.Breaking},
		{"a field that metadata of no resource lack",
			`"a": {"type": "object", "properties": {"metadata": {"type": "object", "properties": {"b": {"type": "string"}}}}}`,
			`"a": {"type": "object", "properties": {"metadata": {"type": "object", "not": {"required": ["name"]}, "properties": {"b": {"type": "string"}}}}}`,
			"", "", upgrade.Fine},
		{"a field that metadata of a resource have",
			`"a": {"type": "object", "x-kubernetes-embedded-resource": true, "properties": {"metadata": {"type": "object"}}}`,
			`"a": {"type": "object", "x-kubernetes-embedded-resource": true, "properties": {"metadata": {"type": "object", "not": {"required": ["name"]}}}}`,
			"", "", upgrade.Undecided},
		{"a default of values that may be null",
			`"a": {"type": "object", "additionalProperties": {"type": "boolean", "nullable": true, "default": false}}`,
			`"a": {"type": "object", "additionalProperties": {"type": "boolean", "nullable": true, "default": true}}`,
			"", "", upgrade.Fine},
	} {
		report, err := upgrade.Compare(t.Context(), crd("{"+c.old+"}", c.rest),
			crd("{"+c.changed+"}", c.newRest), upgrade.Tries(0))
		if err != nil {
			t.Fatal(err)
		}
		if got, changes := severity(report.Changes); got != c.want {
			t.Errorf("%s: %s, want %s: %s", c.name, got, c.want, changes)
		}
	}
}

// Rules read a string with the format duration as a duration.
func TestDurations(t *testing.T) {
	field := func(rule string) string {
		return `{"type": "string", "format": "duration", "x-kubernetes-validations": [{"rule": "` + rule + `"}]}`
	}
	for _, c := range []struct {
		old, changed string
		want         upgrade.Severity
	}{
		{field("duration(self) < duration('1h')"), field("self <= duration('60m')"), upgrade.Fine},
		{field("self <= duration('1h')"), field("duration(self) < duration('60m')"), upgrade.Breaking},
		{field("duration(self) < duration('1h')"), field("duration(self) < duration('30m')"), upgrade.Breaking},
		{field("self > duration('1m') && self < duration('1h')"), field("duration(self) != duration('90m')"), upgrade.Fine},
		{`{"type": "string", "format": "duration"}`, field("duration(self) >= duration('0s')"), upgrade.Breaking},
		// 60m is no text of the enum.
		{field("self == duration('1h')"), `{"type": "string", "format": "duration", "enum": ["1h"]}`, upgrade.Undecided},
	} {
		changes := compare(t, crd(`{"a": `+c.old+`}`), crd(`{"a": `+c.changed+`}`)).Changes
		if got, texts := severity(changes); got != c.want {
			t.Errorf("%s to %s: %s, want %s: %s", c.old, c.changed, got, c.want, texts)
		}
	}
}

// A rule that refuses more than one that is gone is called so.
func TestTightenedRules(t *testing.T) {
	field := func(rule string) string {
		return `{"a": {"type": "integer", "x-kubernetes-validations": [{"rule": "` + rule + `"}]}, "b": {"type": "integer"}}`
	}
	for _, c := range []struct {
		old, changed string
		want         []string
	}{
		{"self < 10", "self < 5", []string{"the rule is stricter: self < 5, was self < 10"}},
		{"self < 10", "self < 10 && self > 2", []string{"the rule is stricter: self < 10 && self > 2, was self < 10"}},
		{"self < 10", "self > 2", []string{"a rule is gone: self < 10", "a new rule: self > 2"}},
		{"self < 5", "self < 10", []string{"a rule is gone: self < 5", "rule differs, and nothing is judged otherwise"}},
		{"self >= 10", "self > 9", []string{"rule differs, and nothing is judged otherwise"}},
		{"self < 10", "self == oldSelf", []string{"a rule is gone: self < 10", "a new rule: self == oldSelf"}},
	} {
		var got []string
		changes := compare(t, crd(field(c.old)), crd(field(c.changed))).Changes
		for i := range changes {
			got = append(got, changes[i].Words())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s to %s: %q, want %q", c.old, c.changed, got, c.want)
		}
	}
}

// A definition that the server refuses is compared as well.
func TestRefusedRoot(t *testing.T) {
	const root = `"openAPIV3Schema":
{"type": "object",`
	old := crd(`{"a": {"type": "string"}}`)
	changed := strings.Replace(string(old), root, root+` "default": {}, "nullable": true,`, 1)
	changes := compare(t, old, []byte(changed)).Changes
	if len(changes) < 2 || changes[0].Class != upgrade.DefinitionRefused {
		t.Errorf("%v", changes)
	}
}

// A transition rule is shown by two states of an object.
func TestTransitionRule(t *testing.T) {
	const rule = `self == oldSelf || oldSelf != 'locked'`
	changes := compare(t, crd(`{"a": {"type": "string"}}`), crd(`{"a": {"type": "string",
"x-kubernetes-validations": [{"rule": "`+rule+`"}]}}`)).Changes
	if len(changes) != 1 || changes[0].Severity != upgrade.Breaking {
		t.Fatalf("%v", changes)
	}
	replaced, _ := changes[0].Witness.Replaces["spec"].(map[string]any)
	if replaced["a"] != "locked" {
		t.Errorf("%+v", changes[0].Witness)
	}
}

// A witness breaks the rule that it shows, and no other one.
func TestWitnessOfRule(t *testing.T) {
	fields := `{"mode": {"type": "string"}, "a": {"type": "integer"}, "b": {"type": "integer"}}`
	rule := `{"rule": "!(has(self.mode) && self.mode == 'M' && has(self.%s))", "message": "no %[1]s"}`
	changes := compare(t, crd(fields), crd(fields, `, "x-kubernetes-validations": [`+
		fmt.Sprintf(rule, "a")+","+fmt.Sprintf(rule, "b")+"]")).Changes
	for i, name := range []string{"a", "b"} {
		w := changes[i].Witness
		if w == nil || len(w.Object["spec"].(map[string]any)) != 2 ||
			!strings.HasSuffix(w.New, "no "+name) {
			t.Errorf("%v: %+v", &changes[i], w)
		}
	}
}

// A witness of a format does not break a bound.
func TestWitnessOfFormat(t *testing.T) {
	changes := compare(t, crd(`{"a": {"type": "integer"}}`),
		crd(`{"a": {"type": "integer", "format": "int32", "minimum": 0}}`)).Changes
	for i := range changes {
		c := &changes[i]
		if c.Witness == nil {
			t.Errorf("%v is not shown", c)
			continue
		}
		a := c.Witness.Object["spec"].(map[string]any)["a"].(int64)
		if (c.Keyword == "format") != (a > 0) {
			t.Errorf("%v is shown by %v", c, a)
		}
	}
}

// What the old definition does as well is no change.
func TestInvalidDefinition(t *testing.T) {
	invalid := []byte(strings.Replace(string(crd(`{"a": {"type": "string"}}`)),
		`"name": "foos.example.com"`, `"name": "foos.example.com", "labels": {"app": "a b"}`, 1))
	if changes := compare(t, invalid, invalid).Changes; len(changes) != 0 {
		t.Errorf("%v", changes)
	}
	template := []byte(strings.Replace(string(invalid), "a b", "{{ .Values.app }}", 1))
	changes := compare(t, crd(`{"a": {"type": "string"}}`), template).Changes
	if len(changes) != 1 || !strings.Contains(changes[0].Message, "template") {
		t.Errorf("%v", changes)
	}
}

// Null is a value.
func TestNull(t *testing.T) {
	plain := crd(`{"a": {"type": "string"}}`)
	nullable := crd(`{"a": {"type": "string", "nullable": true}}`)
	added, removed := compare(t, plain, nullable).Changes, compare(t, nullable, plain).Changes
	if len(added) != 1 || len(removed) != 1 {
		t.Fatalf("%v, %v", added, removed)
	}
	null := []any{nil}
	w := added[0].Witness
	if w == nil || w.StoredOld != nil || !slices.Equal(w.StoredNew, null) {
		t.Errorf("added: %+v", w)
	}
	w = removed[0].Witness
	if w == nil || w.StoredNew != nil || !slices.Equal(w.StoredOld, null) {
		t.Errorf("removed: %+v", w)
	}
}

// Large limits, patterns and enums end before long.
func TestLarge(t *testing.T) {
	enum := func(prefix string) string {
		values := make([]string, 100_000)
		for i := range values {
			values[i] = fmt.Sprintf(`"%s%d"`, prefix, i)
		}
		return `{"a": {"type": "string", "enum": [` + strings.Join(values, ",") + `]}}`
	}
	deep := strings.Repeat(`{"a": {"type": "object", "properties": `, 1000)
	for _, c := range []struct{ name, old, changed, rest string }{
		{"items", `{"a": {"type": "array", "minItems": 1000000000, "items": {"type": "integer"}}}`,
			`{"a": {"type": "array", "minItems": 1000000001, "items": {"type": "integer"}}}`,
			`, "required": ["a"]`},
		{"length", `{"a": {"type": "string", "minLength": 1000000000}}`,
			`{"a": {"type": "string", "minLength": 1000000001}}`, `, "required": ["a"]`},
		{"pattern", `{"a": {"type": "string", "pattern": "^(a|b){500,1000}(c{1000})(\\d{1000})$"}}`,
			`{"a": {"type": "string", "pattern": "^(a|b){500,1000}(c{999})$", "minLength": 100000}}`,
			""},
		{"enum", enum("a"), enum("b"), ""},
		{"levels", deep + `{"b": {"type": "string"}}` + strings.Repeat("}}", 1000),
			deep + `{"b": {"type": "string", "maxLength": 3}}` + strings.Repeat("}}", 1000), ""},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		report, err := upgrade.Compare(ctx, crd(c.old, c.rest), crd(c.changed, c.rest))
		cancel()
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got, changes := severity(report.Changes); got != upgrade.Breaking {
			t.Errorf("%s: %s, %d changes", c.name, got, len(changes))
		}
	}
}

// What is stricter refuses writes to stored objects where nothing ratchets. The
// facade says the same of an object.
func TestRatchetingByMinor(t *testing.T) {
	const short, shorter = `{"type": "string", "maxLength": 9}`, `{"type": "string", "maxLength": 5}`
	const known, fewer = `{"type": "object", "x-kubernetes-preserve-unknown-fields": true}`,
		`{"type": "object", "x-kubernetes-preserve-unknown-fields": true, "maxProperties": 1}`
	const hasName = `, "x-kubernetes-validations": [{"rule": "has(self.name)"}]`
	typed := func(name, rules string) string {
		return `{"type": "object", "properties": {"name": {"type": "` + name + `"}}` + rules + `}`
	}
	named := map[string]any{"name": "x"}
	unknown := map[string]any{"x": "y", "z": "y"}
	for _, c := range []struct {
		old, changed string
		value        any
		minor        minors.Minor
		want         upgrade.Severity
		tries        int // logic decides without an object, but below a rule
	}{
		{short, shorter, "1234567", "1.37", upgrade.Notable, 0},
		{short, shorter, "1234567", "1.30", upgrade.Notable, 0},
		{known, fewer, unknown, "1.37", upgrade.Breaking, 0},
		{typed("string", ""), typed("integer", ""), named, "1.37", upgrade.Notable, 0},
		{typed("string", hasName), typed("integer", hasName), named, "1.37", upgrade.Breaking, 100},
	} {
		report, err := upgrade.Compare(t.Context(), crd(`{"a": `+c.old+`}`),
			crd(`{"a": `+c.changed+`}`), upgrade.Tries(c.tries), crdsem.Kubernetes(c.minor))
		if err != nil {
			t.Fatal(err)
		}
		judged, err := report.Judge(t.Context(), map[string]any{
			"apiVersion": "example.com/v1", "kind": "Foo",
			"metadata": map[string]any{"name": "a", "namespace": "b"},
			"spec":     map[string]any{"a": c.value},
		})
		if err != nil {
			t.Fatal(err)
		}
		got := report.Changes[0].Severities.Stored
		if got != c.want || judged.Fate.Severity() != c.want {
			t.Errorf("%s on %s: %s, judged %s, want %s",
				c.changed, c.minor, got, judged.Fate, c.want)
		}
	}
}

// What a write that changes nothing meets in fields without a schema, in
// metadata, and in the object around a field, is refused.
func TestUnchangedWrites(t *testing.T) {
	const (
		integer   = `{"type": "integer", "nullable": true}`
		immutable = `, "x-kubernetes-validations": [{"rule": "self == oldSelf"}]}`
		resource  = `{"type": "object", "x-kubernetes-embedded-resource": true,
"x-kubernetes-preserve-unknown-fields": true, "properties": {"metadata": %s}}`
		keeps  = `{"type": "object", "x-kubernetes-preserve-unknown-fields": true`
		rooted = `{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
"metadata": {"name": "foos.example.com"},
"spec": {"group": "example.com", "scope": "Namespaced", "names": {"plural": "foos", "kind": "Foo"},
"versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema":
{"type": "object", %s"properties": {"spec": %s}}}}]}}`
	)
	embedded := map[string]any{"apiVersion": "v1", "kind": "A",
		"metadata": map[string]any{"name": "a", "labels": map[string]any{"x": "y"}}}
	for _, c := range []struct {
		name, old, changed string // schemas of spec
		required           bool
		spec               any
		want               upgrade.Severity
	}{
		{"null of a required field", integer, `{"type": "integer"}`, true, nil, upgrade.Breaking},
		{"the same in an object", `{"type": "object", "required": ["a"], "properties": {"a": ` + integer + `}}`,
			`{"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}}`,
			false, map[string]any{"a": nil}, upgrade.Notable},
		{"a format that a rule reads", `{"type": "string"` + immutable,
			`{"type": "string", "format": "date"` + immutable, false, "x", upgrade.Breaking},
		{"a format", `{"type": "string"}`, `{"type": "string", "format": "date"}`, false, "x",
			upgrade.Notable},
		{"metadata", fmt.Sprintf(resource, `{"type": "object"}`),
			fmt.Sprintf(resource, `{"type": "object", "additionalProperties": {"type": "string"}}`),
			false, embedded, upgrade.Breaking},
		{"a field that was kept", keeps + `}`, keeps + `, "properties": {"a": {"type": "string"}}}`,
			false, map[string]any{"a": map[string]any{"b": int64(1)}}, upgrade.Notable},
		{"an object to a string", `{"type": "object", "properties": {"a": {"type": "string"}}}`,
			`{"type": "string"}`, false, map[string]any{"a": "b"}, upgrade.Notable},
		{"a list to a string", `{"type": "array", "items": {"type": "string"}}`, `{"type": "string"}`,
			false, []any{"a"}, upgrade.Notable},
	} {
		t.Run(c.name, func(t *testing.T) {
			definition := func(schema string) []byte {
				required := ""
				if c.required {
					required = `"required": ["spec"], `
				}
				return fmt.Appendf(nil, rooted, required, schema)
			}
			report, err := upgrade.Compare(t.Context(), definition(c.old), definition(c.changed))
			if err != nil {
				t.Fatal(err)
			}
			judged, err := report.Judge(t.Context(), map[string]any{
				"apiVersion": "example.com/v1", "kind": "Foo", "spec": c.spec,
				"metadata": map[string]any{"name": "a", "namespace": "b"},
			})
			if err != nil {
				t.Fatal(err)
			}
			if judged.Fate.Severity() != c.want {
				t.Errorf("judged %s, want %s: %v", judged.Fate, c.want, judged.Unchanged)
			}
			if got := report.Changes[0].Severities.Stored; got != c.want {
				t.Errorf("stored objects: %s, want %s", got, c.want)
			}
		})
	}
}

// A default of a version that is not stored is filled in when an object is
// written, not when it is read. The unchanged write of an object is refused.
func TestDefaultOfVersionThatIsNotStored(t *testing.T) {
	const full, stored = `{"a": {"type": "object", "maxProperties": 1, "required": ["x"],
"properties": {"x": {"type": "string"}%s}}}`, `"versions": [{"name": "v2", "served": true, "storage": true,
"schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}},
{"name": "v1", "served": true, "storage": false`
	definition := func(more string, isStorage bool) []byte {
		text := string(crd(fmt.Sprintf(full, more)))
		if isStorage {
			return []byte(text)
		}
		return []byte(strings.Replace(text,
			`"versions": [{"name": "v1", "served": true, "storage": true`, stored, 1))
	}
	for isStorage, want := range map[bool]upgrade.Severity{
		true: upgrade.Notable, false: upgrade.Breaking,
	} {
		changed := definition(`, "y": {"type": "string", "default": "d"}`, isStorage)
		report := compare(t, definition("", isStorage), changed)
		i := slices.IndexFunc(report.Changes, func(c upgrade.Change) bool {
			return c.Class == upgrade.Stricter
		})
		if i < 0 || report.Changes[i].Severities.Stored != want {
			t.Errorf("storage %t: %v, want %s", isStorage, report.Changes, want)
		}
		def, err := crdsem.Parse(changed)
		if err != nil {
			t.Fatal(err)
		}
		v1, err := def.Version("v1")
		if err != nil {
			t.Fatal(err)
		}
		object := map[string]any{
			"apiVersion": "example.com/" + def.Model().StorageVersion().Name, "kind": "Foo",
			"metadata": map[string]any{"name": "a", "namespace": "b", "resourceVersion": "1",
				"uid": "u", "creationTimestamp": "2020-01-01T00:00:00Z"},
			"spec": map[string]any{"a": map[string]any{"x": "1"}},
		}
		result := v1.Update(t.Context(), v1.Read(t.Context(), object).Object, object)
		if result.Admitted() != (want == upgrade.Notable) {
			t.Errorf("storage %t: the unchanged write: %v", isStorage, result.Err())
		}
	}
}

// Branches of allOf that have keywords of a value are decided as keywords are,
// also where a rule said the same before.
func TestBranchesOfAllOf(t *testing.T) {
	const size, limit = `^[0-9]+(Ki|Mi)?$`, `^[1-9][0-9]*(Ki|Mi)?$`
	both := func(more string) string {
		return `{"a": {"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}]` + more + `}}`
	}
	rule := func(text string) string {
		return `, "pattern": "` + size + `", "x-kubernetes-validations": [{"rule": "` + text + `"}]`
	}
	const all = `, "allOf": [{"pattern": "` + size + `"}, {"pattern": "` + limit + `"}]`
	enums := func(list string) string {
		return `{"a": {"type": "string", "allOf": [{"enum": ` + list + `}, {"enum": ` + list + `}]}}`
	}
	for _, c := range []struct {
		name, old, changed string
		want               upgrade.Severity
	}{
		{"wider enums", enums(`["a", "b"]`), enums(`["a", "b", "c"]`), upgrade.Fine},
		{"narrower enums", enums(`["a", "b"]`), enums(`["a"]`), upgrade.Breaking},
		{"a pattern that a rule asked for", both(rule(`type(self) == string ? self.matches('` + limit + `') : true`)), both(all), upgrade.Fine},
		{"a pattern that a rule did not ask for", both(rule(`type(self) == string ? self.matches('^0') : true`)), both(all), upgrade.Breaking},
		{"a pattern that a keyword asked for", both(`, "pattern": "` + size + `"`), both(`, "allOf": [{"pattern": "` + size + `"}]`), upgrade.Fine},
		{"null", `{"a": {"type": "boolean", "nullable": true}}`, `{"a": {"type": "boolean", "nullable": true, "allOf": [{"enum": [true, false]}]}}`, upgrade.Fine},
	} {
		report, err := upgrade.Compare(t.Context(), crd(c.old), crd(c.changed))
		if err != nil {
			t.Fatal(err)
		}
		worst := upgrade.Fine
		for i := range report.Changes {
			order := []upgrade.Severity{
				upgrade.Fine, upgrade.Notable, upgrade.Undecided, upgrade.Breaking,
			}
			s := report.Changes[i].Severity
			if slices.Index(order, s) > slices.Index(order, worst) {
				worst = s
			}
		}
		if worst != c.want {
			t.Errorf("%s: %s, want %s: %v", c.name, worst, c.want, report.Changes)
		}
	}
}

// Rules about several fields are shown by objects that have all of them.
func TestRulesAboutSeveralFields(t *testing.T) {
	const fields = `"mode": {"type": "string"}, "policy": {"type": "string"}, "order": {"type": "object", "properties": {"kind": {"type": "string"}}}, "jobs": {"type": "array", "maxItems": 9, "items": {"type": "object", "properties": {"after": {"type": "string", "maxLength": 9}}}}`
	for _, rule := range []string{
		"has(self.mode) && has(self.policy) ? !(self.mode == 'passthrough' && self.policy == 'Allow') : true",
		"!(has(self.order) && has(self.order.kind) && self.order.kind == 'InOrder' && has(self.jobs) && self.jobs.exists(j, has(j.after)))",
		"(has(self.jobs) && self.jobs.exists(j, has(j.after))) ? has(self.mode) : true",
	} {
		report, err := upgrade.Compare(t.Context(), crd(`{"a": {"type": "object", "properties": {`+fields+`}}}`),
			crd(`{"a": {"type": "object", "properties": {`+fields+`}, "x-kubernetes-validations": [{"rule": "`+rule+`"}]}}`))
		if err != nil {
			t.Fatal(err)
		}
		if len(report.Changes) != 1 || report.Changes[0].Witness == nil {
			t.Errorf("%s: %v", rule, report.Changes)
		}
	}
}

// Of a status, the server's errors of junctors have paths below the status.
// They are those of the change.
func TestJunctorsOfStatus(t *testing.T) {
	status := func(more string) []byte {
		text := string(crd(`{}`, `}, "status": {"type": "object", "properties": {
			"l": {"type": "array", "items": {"type": "string"}`+more))
		return []byte(strings.Replace(text, `"storage": true,`,
			`"storage": true, "subresources": {"status": {}},`, 1))
	}
	for _, c := range []struct{ name, before, after string }{
		{"of the status", `}}`, `}}, "anyOf": [{"required": ["l"]}]`},
		{"of a field", `}}`, `, "allOf": [{"maxItems": 1}]}}`},
		{"of items", `}}`, `, "not": {"items": {"enum": ["a"]}}}}`},
	} {
		report, err := upgrade.Compare(t.Context(), status(c.before), status(c.after),
			upgrade.Witnesses(upgrade.Fine))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if len(report.Changes) != 1 || report.Changes[0].Witness == nil {
			t.Errorf("%s: got %v, want a change with a witness", c.name, report.Changes)
		}
	}
}
