package advice_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/definition/validate"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/test/corpus"
	"github.com/crdsem/crdsem/kit/advice"
	"github.com/crdsem/crdsem/kit/generate"
	"github.com/crdsem/crdsem/structural"
)

// edits are the values that a hint says to write in place of the one in
// question. A hint that names none is no edit.
func edits(hint string) (values []any) {
	for _, of := range []struct {
		text    *regexp.Regexp
		literal bool // the value is in code as JSON, otherwise as plain text
	}{
		{regexp.MustCompile("; write (`(?:[^`]|``)*`)$"), true},
		{regexp.MustCompile("write it in quotes: (`[^`]*`)$"), true},
		{regexp.MustCompile("write it without quotes: (`[^`]*`)$"), true},
		{regexp.MustCompile("use one of ((?:`[^`]*`(?:, )?)+)$"), true},
		{regexp.MustCompile("the schema wants (`[^`]*`) of type"), true},
		{regexp.MustCompile("^did you mean (`[^`]*`)\\?$"), false},
		{regexp.MustCompile("must match the regular expression `[^`]*`, e\\.g\\. (`[^`]*`)"), false},
	} {
		m := of.text.FindStringSubmatch(hint)
		if m == nil {
			continue
		}
		for _, part := range regexp.MustCompile("`([^`]*)`").FindAllStringSubmatch(m[1], -1) {
			var value any = part[1]
			if of.literal || strings.HasPrefix(part[1], `"`) {
				value = plainJSON(part[1])
			}
			values = append(values, value)
		}
		return values
	}
	for _, of := range []*regexp.Regexp{
		regexp.MustCompile(`must be an integer: write (-?\d+) or (-?\d+)$`),
		regexp.MustCompile(`the nearest multiples are (-?[\d.e+-]+) and (-?[\d.e+-]+)$`),
	} {
		if m := of.FindStringSubmatch(hint); m != nil {
			return []any{plainJSON(m[1]), plainJSON(m[2])}
		}
	}
	return nil
}

// plainJSON decodes a value as the server does; text that is no JSON is itself.
func plainJSON(text string) any {
	var value any
	if json.Unmarshal([]byte(text), &value) != nil {
		return text
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n
	}
	return value
}

// stepsOf splits the path of an error that generate broke, e.g. spec.l[0].name.
func stepsOf(object any, path string) (steps []any, ok bool) {
	for path != "" {
		path = strings.TrimPrefix(path, ".")
		switch at := object.(type) {
		case []any:
			inner, rest, found := strings.Cut(strings.TrimPrefix(path, "["), "]")
			i, err := strconv.Atoi(inner)
			if !found || err != nil || i >= len(at) {
				return nil, false
			}
			steps, object, path = append(steps, i), at[i], rest
		case map[string]any:
			best, rest := "", ""
			for name := range at {
				for _, way := range []string{name, "[" + name + "]"} {
					after, is := strings.CutPrefix(path, way)
					if is && (after == "" || after[0] == '.' || after[0] == '[') &&
						len(name) >= len(best) {
						best, rest = name, after
					}
				}
			}
			if best == "" {
				return nil, false
			}
			steps, object, path = append(steps, best), at[best], rest
		default:
			return nil, false
		}
	}
	return steps, len(steps) > 0
}

// replaced returns an object with another value at steps.
func replaced(object any, steps []any, value any) any {
	if len(steps) == 0 {
		return value
	}
	switch at := object.(type) {
	case []any:
		at = slices.Clone(at)
		i, _ := steps[0].(int)
		at[i] = replaced(at[i], steps[1:], value)
		return at
	case map[string]any:
		out := map[string]any{}
		for k, v := range at {
			out[k] = v
		}
		name, _ := steps[0].(string)
		out[name] = replaced(at[name], steps[1:], value)
		return out
	}
	return object
}

// refusedCures applies each edit that the hint on an error names, and returns
// those that the server refuses at the same field, and how many there were.
func refusedCures(
	t *testing.T, v *crdsem.Version, object map[string]any, err *field.Error,
	before field.ErrorList,
) (refused []string, tried int) {
	t.Helper()
	steps, ok := stepsOf(object, err.Field)
	if !ok {
		return nil, 0
	}
	help := &advice.Object{Schema: v.Schema(), Object: object, Source: func(path string) (string,
		bool) {
		steps, ok := stepsOf(object, path)
		if !ok {
			return "", false
		}
		switch value := valueOf(object, steps).(type) {
		case bool, int64, float64:
			return fmt.Sprint(value), true
		}
		return "", false
	}}
	hint := help.Hint(t.Context(), err)
	values := edits(hint)
	for _, value := range values {
		cured, _ := replaced(object, steps, value).(map[string]any)
		for _, e := range v.Create(t.Context(), cured).Errors {
			isOld := slices.ContainsFunc(before, func(b *field.Error) bool {
				return b.Field == e.Field && b.Origin == e.Origin && b.Origin != err.Origin
			})
			if e.Field == err.Field && !isOld && !isRule(e) {
				refused = append(refused, fmt.Sprintf("%v\n  hint: %s\n  %v gives: %v", err, hint,
					value, e))
			}
		}
	}
	return refused, len(values)
}

// isRule reports whether an error is that of a rule, whose hints name no value.
func isRule(err *field.Error) bool {
	return strings.HasPrefix(err.Origin, "CEL-") || strings.HasPrefix(err.Origin, "COST-")
}

func valueOf(object any, steps []any) any {
	for _, step := range steps {
		switch at := object.(type) {
		case []any:
			object = at[step.(int)]
		case map[string]any:
			object = at[step.(string)]
		}
	}
	return object
}

// What a hint says to write is accepted: for objects of real definitions of
// which one keyword is broken.
func TestCuresOfRealObjects(t *testing.T) {
	const objects = 40 // of each version
	tried, failed := 0, 0
	for _, f := range corpus.Definitions(t) {
		def, err := crdsem.Parse(f.Text)
		if err != nil {
			continue
		}
		for _, m := range def.Model().Versions() {
			v, err := def.Version(m.Name)
			if err != nil {
				continue
			}
			made, err := generate.NewResources(def, m.Name)
			if err != nil {
				continue
			}
			r := rand.New(rand.NewPCG(3, 4))
			for range objects {
				object, _, err := made.Broken(r)
				if err != nil {
					break
				}
				before := v.Create(t.Context(), object).Errors
				for _, e := range before {
					refused, n := refusedCures(t, v, object, e, before)
					tried += n
					for _, text := range refused {
						if failed++; failed < 20 {
							t.Errorf("%s %s: %s", f.Name(), m.Name, text)
						}
					}
				}
			}
		}
	}
	t.Logf("%d edits, %d refused", tried, failed)
	if tried == 0 {
		t.Error("nothing was tried")
	}
}

// cureOf is an edit of a definition that a hint names, by the path of the
// error.
var curesOfDefinitions = []struct {
	hint *regexp.Regexp
	edit func(node map[string]any, key string, m []string)
}{
	{regexp.MustCompile("^did you mean `([^`]+)`\\?$"), func(node map[string]any, key string, m []string) {
		if _, isText := node[key].(string); isText {
			node[key] = m[1]
		}
	}},
	{regexp.MustCompile("the schema has no type; add `type: (\\w+)`"), func(node map[string]any, _ string, m []string) {
		node["type"] = m[1]
	}},
	{regexp.MustCompile("add `type: object` at the root|set `type: object`$"), func(node map[string]any, _ string, _ []string) {
		node["type"] = "object"
	}},
	{regexp.MustCompile("^remove `nullable: true`"), func(node map[string]any, _ string, _ []string) {
		delete(node, "nullable")
	}},
	{regexp.MustCompile("^use `x-kubernetes-list-type: set` instead of `uniqueItems`"),
		func(node map[string]any, _ string, _ []string) {
			delete(node, "uniqueItems")
			node["x-kubernetes-list-type"] = "set"
		}},
	{regexp.MustCompile("^set `storage: true` at one version"), nil},
}

// definitionMutants are small mistakes at a schema node of a type.
var definitionMutants = []struct {
	name   string
	breaks func(node map[string]any) bool
}{
	{"a type in another language", func(node map[string]any) bool {
		other, ok := map[string]string{"string": "str", "integer": "int32", "boolean": "bool",
			"object": "map",
			"array":  "list", "number": "double"}[fmt.Sprint(node["type"])]
		if ok {
			node["type"] = other
		}
		return ok
	}},
	{"a misspelt type", func(node map[string]any) bool {
		text, ok := node["type"].(string)
		if ok && len(text) > 3 {
			node["type"] = text[:2] + text[3:]
		}
		return ok
	}},
	{"no type", func(node map[string]any) bool {
		_, ok := node["type"]
		delete(node, "type")
		return ok
	}},
	{"unique items", func(node map[string]any) bool {
		if node["type"] != "array" || node["x-kubernetes-list-type"] != nil {
			return false
		}
		items, _ := node["items"].(map[string]any)
		node["uniqueItems"] = true
		return items["type"] == "string" || items["type"] == "integer"
	}},
	{"a misspelt list type", func(node map[string]any) bool {
		if node["x-kubernetes-list-type"] == nil {
			return false
		}
		node["x-kubernetes-list-type"] = "atmic"
		return true
	}},
}

// What a hint on a definition says to write is accepted, for mutants of real
// definitions.
func TestCuresOfRealDefinitions(t *testing.T) {
	tried, failed := 0, 0
	r := rand.New(rand.NewPCG(5, 6))
	for _, f := range corpus.Definitions(t) {
		var document map[string]any
		if yaml.Unmarshal(f.Text, &document) != nil ||
			document["kind"] != "CustomResourceDefinition" {
			continue
		}
		before := errorsOfDefinition(t, document)
		if len(before) > 0 {
			continue
		}
		for _, m := range definitionMutants {
			mutant, _ := jsonvalue.DeepCopy(plainValue(document)).(map[string]any)
			nodes := schemaNodes(mutant)
			if len(nodes) == 0 {
				continue
			}
			node := nodes[r.IntN(len(nodes))]
			if !m.breaks(node) {
				continue
			}
			for _, err := range errorsOfDefinition(t, mutant) {
				hint := (&advice.Definition{Document: mutant}).Hint(t.Context(), err)
				for _, cure := range curesOfDefinitions {
					match := cure.hint.FindStringSubmatch(hint)
					if match == nil || cure.edit == nil {
						continue
					}
					cured, _ := jsonvalue.DeepCopy(mutant).(map[string]any)
					key := err.Field[strings.LastIndexByte(err.Field, '.')+1:]
					cure.edit(schemaNodes(cured)[slices.IndexFunc(nodes,
						func(n map[string]any) bool {
							return fmt.Sprintf("%p", n) == fmt.Sprintf("%p", node)
						})], key, match)
					tried++
					for _, e := range errorsOfDefinition(t, cured) {
						if e.Field == err.Field {
							if failed++; failed < 20 {
								t.Errorf("%s, %s: %v\n  hint: %s\n  gives: %v", f.Name(), m.name,
									err, hint, e)
							}
						}
					}
				}
			}
		}
	}
	t.Logf("%d edits, %d refused", tried, failed)
	if tried == 0 {
		t.Error("nothing was tried")
	}
}

// plainValue returns a value in the types of objects.
func plainValue(document map[string]any) any {
	text, err := json.Marshal(document)
	if err != nil {
		return nil
	}
	object, _, err := jsonvalue.DecodeObject(text)
	if err != nil {
		return nil
	}
	return object
}

func errorsOfDefinition(t *testing.T, document map[string]any) field.ErrorList {
	t.Helper()
	crd, _, err := definition.FromMap(plainValue(document).(map[string]any))
	if err != nil {
		return nil
	}
	return validate.Create(t.Context(), crd.ForCreate()).Errors
}

// schemaNodes returns the schema nodes of all versions, in the order of their
// paths.
func schemaNodes(document map[string]any) (nodes []map[string]any) {
	var visit func(v any)
	visit = func(v any) {
		node, ok := v.(map[string]any)
		if !ok {
			return
		}
		nodes = append(nodes, node)
		properties, _ := node["properties"].(map[string]any)
		for _, name := range jsonvalue.SortedKeys(properties) {
			visit(properties[name])
		}
		visit(node["items"])
		visit(node["additionalProperties"])
	}
	versions, _ := jsonvalue.At(document, "spec", "versions").([]any)
	for _, v := range versions {
		visit(jsonvalue.At(v, "schema", "openAPIV3Schema", "properties", "spec"))
	}
	return nodes
}

// The cures of values that YAML reads as another type than a string, by the
// schema of the field.
func TestCuresOfStrings(t *testing.T) {
	for _, c := range []struct{ schema, source, value, want string }{
		{"{type: string, enum: ['True', 'False']}", "true", "true", `; write ` + "`\"True\"`"},
		{"{type: string, enum: ['yes', 'no']}", "yes", "true", "; write it in quotes: `\"yes\"`"},
		{"{type: string, enum: ['On', 'Off']}", "on", "true", "; write `\"On\"`"},
		{"{type: string, enum: [enabled, disabled]}", "true", "true", "; in quotes it is not valid either: use one of `\"enabled\"`, `\"disabled\"`"},
		{"{type: string, pattern: '^v[0-9]+$'}", "3", "3", "; in quotes it is not valid either: it must match the regular expression `^v[0-9]+$`, e.g. `\"v0\"`"},
		{"{type: string, minLength: 3}", "12", "12", "; in quotes it is not valid either: `minLength` is 3"},
		{"{type: string, enum: ['0x10', '0644']}", "0644", "420", "; write it in quotes: `\"0644\"`"},
		{"{type: integer, enum: [1, 2]}", "", `"1"`, "; write it without quotes: `1`"},
		{"{type: integer, enum: [1, 2]}", "", `"3"`, "; without quotes it is not valid either: use one of `1`, `2`"},
	} {
		schema := decoded(t, "type: object\nproperties: {a: "+c.schema+"}")
		o := objectOf(t, schema, "a: "+c.value)
		o.Source = func(string) (string, bool) { return c.source, c.source != "" }
		got := o.Hint(t.Context(), &field.Error{Field: "a", Origin: "VAL-020"})
		if !strings.HasSuffix(got, c.want) {
			t.Errorf("%s %s: %s", c.schema, c.source, got)
		}
	}
}

// objectOf returns hints on an object by a schema.
func objectOf(t *testing.T, schema map[string]any, text string) *advice.Object {
	t.Helper()
	node, err := structural.FromMap(schema)
	if err != nil {
		t.Fatal(err)
	}
	return &advice.Object{Schema: node, Object: decoded(t, text)}
}

// Hints on rules name what can be written.
func TestCuresOfRules(t *testing.T) {
	const fields = "properties: {foo: {type: string}, foo-bar: {type: string}, " +
		"class: {type: string}, a.b: {type: string}, " +
		"x/y: {type: string}, has__x: {type: string}}"
	const at = "x-kubernetes-validations[0].rule"
	for _, c := range []struct{ node, path, origin, detail, want string }{
		{"{" + fields + ", x-kubernetes-validations: [{rule: self.a.b == 'a'}]}", at, "CEL-010", "undefined field 'a'",
			"the name of the field `a.b` is no name in CEL: write `self.a__dot__b`"},
		{"{" + fields + ", x-kubernetes-validations: [{rule: self.has__x == 'a'}]}", at, "CEL-010", "undefined field 'has__x'",
			"the name of the field `has__x` is no name in CEL: write `self.has__underscores__x`"},
		{"{" + fields + ", x-kubernetes-validations: [{rule: \"self['foo-bar'] == 'a'\"}]}", at, "CEL-010",
			"found no matching overload for '_[_]' applied to '(object, string)'",
			"an object with named fields has no index: write `self.foo__dash__bar`"},
		{"{" + fields + ", x-kubernetes-validations: [{rule: self.metadata.labels.size() > 0}]}", at, "CEL-010", "undefined field 'labels'",
			"rules see only `metadata.name` and `metadata.generateName` of the metadata"},
		{"{" + fields + ", x-kubernetes-validations: [{rule: self.foo > now()}]}", at, "CEL-010", "undeclared reference to 'now'",
			"a rule has no clock: the server evaluates it only when the object is written, so that it may compare times of the object " +
				"and of the old one, no others"},
		{"{" + fields + ", x-kubernetes-validations: [{rule: self.foo == 'x', fieldPath: .spec.foo}]}", "x-kubernetes-validations[0].fieldPath",
			"CRD-205", "", "a fieldPath begins at the schema of its rule: write `.foo`"},
		{"{type: object, properties: {disks: {type: array, items: {type: object, properties: {name: {type: string}, " +
			"class: {type: string, x-kubernetes-validations: [{rule: self == oldSelf}]}}}}}}", "", "CRD-224", "",
			"give the values that rules read a maximum: `maxItems` at `properties[disks]`, " +
				"`maxLength` at `properties[disks].items.properties[class]`; `crdsem cost` says which maximum would do"},
	} {
		document := map[string]any{"spec": decoded(t, c.node)}
		path := strings.TrimSuffix("spec."+c.path, ".")
		got := (&advice.Definition{Document: document}).Hint(t.Context(),
			&field.Error{Field: path, Origin: c.origin, Detail: c.detail})
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.node, got, c.want)
		}
	}
}

// A null that was removed is no missing field, and a rule is named wherever its
// fieldPath leads.
func TestHintsOnRemovedNulls(t *testing.T) {
	schema := decoded(t, "type: object\nrequired: [a]\nproperties: {a: {type: string}}")
	o := objectOf(t, schema, "a: null")
	got := o.Hint(t.Context(), &field.Error{Field: "a", Origin: "VAL-081"})
	if want := "the null of `a` is removed: give a value (string)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for _, path := range []string{"pairs.[bar]", "pairs[bar]", "pairs.bar"} {
		schema = decoded(t, `type: object
properties:
  pairs:
    type: object
    additionalProperties: {type: string}
    x-kubernetes-validations: [{rule: "size(self['bar']) > 1", fieldPath: "['bar']", message: bad}]`)
		o = objectOf(t, schema, "pairs: {bar: x}")
		o.Explanations = []celrules.Explanation{{Field: "pairs", Rule: "size(self['bar']) > 1",
			Terms: []celrules.Term{{Text: "self['bar']", Value: `"x"`}}}}
		got = o.Hint(t.Context(), &field.Error{Field: path, Origin: "CEL-092", Detail: "bad"})
		const want = "the rule `size(self['bar']) > 1` does not hold: `self['bar']` is \"x\""
		if got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
