// Package upgrade_test asks the real code about the witnesses of package
// upgrade.
package upgrade_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/conformance/oracle/kube"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/definition/validate"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/test/corpus"
	"github.com/crdsem/crdsem/kit/upgrade"
)

// Real definitions are changed at random. Every witness of a change shows it to
// the real code as well. CRDSEM_CHANGES is the number of changes, CRDSEM_SEED
// the seed.
func TestRandomChanges(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(number(t, "CRDSEM_SEED", 1)), 31))
	files := smallDefinitions(t)
	made, claims, shown := 0, map[upgrade.Class]int{}, map[upgrade.Class]int{}
	for wanted := number(t, "CRDSEM_CHANGES", 40); made < wanted; {
		file := files[r.IntN(len(files))]
		old, changed, what := change(t, r, file.Text)
		if changed == nil {
			continue
		}
		report, err := upgrade.Compare(t.Context(), old, changed,
			upgrade.Witnesses(upgrade.Fine))
		if err != nil {
			t.Fatalf("%s: %s: %v", file.Name(), what, err)
		}
		if refused(report) {
			continue
		}
		made++
		for i := range report.Changes {
			c := &report.Changes[i]
			claims[c.Class]++
			if c.Witness != nil {
				shown[c.Class]++
				judge(t, file.Name()+": "+what, old, changed, c)
			} else if !c.IsKnown() {
				t.Logf("undecided: %s: %s: %v (%d tries)", file.Name(), what, c, c.Tries)
			}
		}
	}
	t.Logf("%d changes; claims %v, with a witness %v", made, claims, shown)
}

func number(t *testing.T, name string, value int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return value
	}
	value, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return value
}

// smallDefinitions returns the valid definitions of the corpus up to a size.
func smallDefinitions(t *testing.T) []corpus.File {
	t.Helper()
	const most = 60_000
	return slices.DeleteFunc(corpus.Definitions(t), func(f corpus.File) bool {
		crd, _, err := definition.Parse(f.Text)
		return len(f.Text) > most || err != nil ||
			len(validate.Create(t.Context(), crd.ForCreate()).Errors) > 0
	})
}

// refused reports whether the server refuses the changed definition.
func refused(report *upgrade.Report) bool {
	return slices.ContainsFunc(report.Changes, func(c upgrade.Change) bool {
		return c.Class == upgrade.DefinitionRefused
	})
}

// change returns a definition and a copy with one random change, as JSON. The
// copy is nil if the change does not fit.
func change(t *testing.T, r *rand.Rand, text []byte) (old, changed []byte, what string) {
	t.Helper()
	old, err := yaml.YAMLToJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	value, err := protocol.ParseValue(old)
	if err != nil {
		t.Fatal(err)
	}
	document := value.(map[string]any)
	nodes := nodesOf(document)
	if len(nodes) == 0 {
		return nil, nil, ""
	}
	node := nodes[r.IntN(len(nodes))]
	before := jsonvalue.DeepCopyMap(node)
	e := edits[r.IntN(len(edits))]
	if !e.apply(r, node) {
		return nil, nil, ""
	}
	changed, err = json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	return old, changed, fmt.Sprintf("%s of %.900s", e.name, shown(t, before))
}

// shown returns a value as JSON.
func shown(t *testing.T, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// nodesOf returns the schema nodes of all served versions, without those of
// metadata and of the root.
func nodesOf(crd map[string]any) []map[string]any {
	var nodes []map[string]any
	var visit func(node map[string]any)
	visit = func(node map[string]any) {
		nodes = append(nodes, node)
		properties, _ := node["properties"].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			visit(properties[name].(map[string]any))
		}
		for _, name := range []string{"items", "additionalProperties"} {
			if child, ok := node[name].(map[string]any); ok {
				visit(child)
			}
		}
	}
	spec, _ := crd["spec"].(map[string]any)
	versions, _ := spec["versions"].([]any)
	for _, v := range versions {
		version := v.(map[string]any)
		schema, _ := version["schema"].(map[string]any)
		root, _ := schema["openAPIV3Schema"].(map[string]any)
		properties, _ := root["properties"].(map[string]any)
		for _, name := range []string{"spec", "status"} {
			if child, ok := properties[name].(map[string]any); ok && version["served"] == true {
				visit(child)
			}
		}
	}
	return nodes
}

// edit changes a node. Apply reports whether the node has something to change.
type edit struct {
	name  string
	apply func(r *rand.Rand, node map[string]any) bool
}

var edits = []edit{
	set("string", "maxLength", int64(0), int64(3), int64(20)),
	set("string", "minLength", int64(2), int64(9)),
	set("string", "pattern", "^a+$", "^[a-z0-9.-]*$"),
	set("string", "format", "date-time", "ipv4", "byte", "uuid", "duration", "date", "cidr"),
	set("integer", "format", "int32", "int64"), set("number", "format", "float", "double"),
	set("number", "minimum", 0.5, -1.5), set("number", "maximum", 2.5),
	set("number", "multipleOf", 0.5),
	set("integer", "exclusiveMinimum", true), set("integer", "exclusiveMaximum", true),
	set("string", "enum", []any{"a", "b"}), set("string", "default", "x"),
	set("integer", "minimum", int64(1), int64(100)), set("integer", "maximum", int64(7), int64(1000)),
	set("integer", "multipleOf", int64(2)), set("integer", "default", int64(3)),
	set("array", "maxItems", int64(0), int64(2)), set("array", "minItems", int64(1), int64(2)),
	set("object", "maxProperties", int64(1)), set("object", "minProperties", int64(1)),
	set("", "nullable", true), set("", "default", nil, "x", int64(1), map[string]any{}, []any{}),
	set("array", "x-kubernetes-list-type", "set", "atomic", "map"),
	set("object", "x-kubernetes-map-type", "atomic", "granular"),
	set("object", "x-kubernetes-embedded-resource", true),
	set("object", "additionalProperties", map[string]any{"type": "string"}, true, false),
	set("array", "items", keyword("type", "string"), keyword("type", "integer")),
	set("", "not", keyword("enum", []any{"a", int64(1)}), keyword("required", []any{"a"})),
	set("", "anyOf", []any{keyword("maxLength", int64(3)), keyword("minimum", int64(2))},
		[]any{keyword("required", []any{"a"}), keyword("required", []any{"name"})}),
	set("", "oneOf", []any{keyword("enum", []any{"a"}), keyword("minLength", int64(2))}),
	set("", "allOf", []any{keyword("maxItems", int64(2)), keyword("maxLength", int64(9))}),
	set("object", "x-kubernetes-preserve-unknown-fields", true),
	rule("string", "self.size() > 2"), rule("integer", "self != 3"), rule("string", "self == oldSelf"),
	rule("object", "self.metadata.name != 'x'"),
	remove("maxLength"), remove("minLength"), remove("pattern"), remove("format"), remove("enum"),
	remove("default"), remove("minimum"), remove("maximum"), remove("maxItems"), remove("minItems"),
	remove("required"), remove("x-kubernetes-validations"), remove("x-kubernetes-list-type"),
	remove("x-kubernetes-preserve-unknown-fields"), remove("oneOf"), remove("anyOf"),
	remove("not"), remove("allOf"), remove("nullable"),
	remove("x-kubernetes-embedded-resource"), remove("additionalProperties"), remove("multipleOf"),
	remove("maxProperties"), remove("minProperties"), remove("x-kubernetes-int-or-string"),
	remove("exclusiveMaximum"), remove("exclusiveMinimum"), remove("x-kubernetes-map-type"),
	{"property removed", func(r *rand.Rand, node map[string]any) bool {
		name, ok := member(r, node, "properties")
		if ok {
			delete(node["properties"].(map[string]any), name)
		}
		return ok
	}},
	{"property added", func(_ *rand.Rand, node map[string]any) bool {
		properties, ok := node["properties"].(map[string]any)
		if ok {
			properties["added"] = map[string]any{"type": "string"}
		}
		return ok
	}},
	{"property required", func(r *rand.Rand, node map[string]any) bool {
		name, ok := member(r, node, "properties")
		if ok {
			required, _ := node["required"].([]any)
			ok = !slices.Contains(required, any(name))
			node["required"] = append(required, name)
		}
		return ok
	}},
	{"property no longer required", func(_ *rand.Rand, node map[string]any) bool {
		required, _ := node["required"].([]any)
		if len(required) > 0 {
			node["required"] = required[1:]
		}
		return len(required) > 0
	}},
	{"property added with a default", func(_ *rand.Rand, node map[string]any) bool {
		properties, ok := node["properties"].(map[string]any)
		if ok {
			properties["added"] = map[string]any{"type": "string", "default": "x"}
		}
		return ok
	}},
	{"property added with rules", func(_ *rand.Rand, node map[string]any) bool {
		properties, ok := node["properties"].(map[string]any)
		if ok {
			properties["added"] = map[string]any{"type": "object", "minProperties": int64(1),
				"properties": map[string]any{"a": map[string]any{"type": "integer", "minimum": int64(3)}}}
		}
		return ok
	}},
	{"value of enum removed", func(_ *rand.Rand, node map[string]any) bool {
		enum, _ := node["enum"].([]any)
		if len(enum) < 2 {
			return false
		}
		node["enum"] = enum[1:]
		return true
	}},
	{"another type", func(_ *rand.Rand, node map[string]any) bool {
		other := map[string]string{"string": "integer", "integer": "number", "boolean": "string"}
		typ, _ := node["type"].(string)
		if other[typ] == "" {
			return false
		}
		node["type"] = other[typ]
		return true
	}},
}

// keyword returns a branch of a junctor, or a schema, of one keyword.
func keyword(name string, value any) map[string]any { return map[string]any{name: value} }

func set(typ, keyword string, values ...any) edit {
	return edit{keyword + " set", func(r *rand.Rand, node map[string]any) bool {
		value := values[r.IntN(len(values))]
		if typ != "" && node["type"] != typ || jsonvalue.EqualNumbers(node[keyword], value) {
			return false
		}
		node[keyword] = value
		return true
	}}
}

func remove(keyword string) edit {
	return edit{keyword + " removed", func(_ *rand.Rand, node map[string]any) bool {
		_, has := node[keyword]
		delete(node, keyword)
		return has
	}}
}

func rule(typ, text string) edit {
	return edit{"rule " + text, func(_ *rand.Rand, node map[string]any) bool {
		rules, _ := node["x-kubernetes-validations"].([]any)
		node["x-kubernetes-validations"] = append(rules, map[string]any{"rule": text})
		return node["type"] == typ
	}}
}

func member(r *rand.Rand, node map[string]any, name string) (string, bool) {
	members, _ := node[name].(map[string]any)
	if len(members) == 0 {
		return "", false
	}
	keys := slices.Sorted(maps.Keys(members))
	return keys[r.IntN(len(keys))], true
}

// judge asks the real code about a witness. The witness of a change between two
// versions is sent in both of them to the changed definition: no random change
// removes a version.
func judge(t *testing.T, what string, old, changed []byte, c *upgrade.Change) {
	t.Helper()
	from := c.Version
	if c.From != "" {
		from, old = c.From, changed
	}
	before, after := ask(t, old, from, c), ask(t, changed, c.Version, c)
	admitted := func(a protocol.Admitted) bool { return a.Stage == protocol.StageAdmitted }
	wrong := false
	switch c.Class {
	case upgrade.Stricter:
		wrong = !admitted(before) || admitted(after)
	case upgrade.Looser:
		wrong = admitted(before) || !admitted(after)
	case upgrade.ChangesStorage:
		wrong = !admitted(before) || !admitted(after) ||
			isStoredAlike(before, after)
	}
	if wrong {
		t.Errorf("%s: %v: the real code says %v, %v of %v",
			what, c, before, after, c.Witness.Object)
	}
}

// ask sends the witness of a change in a version.
func ask(t *testing.T, crd []byte, version string, c *upgrade.Change) protocol.Admitted {
	t.Helper()
	object, err := protocol.ValueInput(in(version, c.Witness.Object))
	if err != nil {
		t.Fatal(err)
	}
	req := &protocol.Request{
		Op: "admit", CRD: protocol.JSONInput(crd), Version: version, Object: object,
	}
	replaced := c.Witness.Replaces
	if c.Witness.Status {
		req.Subresource = "status"
		if replaced == nil {
			replaced = jsonvalue.DeepCopyMap(c.Witness.Object)
			delete(replaced, "status")
		}
	}
	if replaced != nil {
		if req.Old, err = protocol.ValueInput(in(version, replaced)); err != nil {
			t.Fatal(err)
		}
	}
	result, err := kube.New()(t.Context(), req)
	if err != nil {
		t.Fatalf("%v: %v", c, err)
	}
	return result.(protocol.Admitted)
}

// in returns an object in another version.
func in(version string, object map[string]any) map[string]any {
	object = maps.Clone(object)
	group, _, _ := strings.Cut(object["apiVersion"].(string), "/")
	object["apiVersion"] = group + "/" + version
	return object
}

// isStoredAlike reports whether two answers store the same, but for the
// version.
func isStoredAlike(before, after protocol.Admitted) bool {
	old, isObject := before.Object.(map[string]any)
	changed, alsoObject := after.Object.(map[string]any)
	return isObject && alsoObject && jsonvalue.EqualNumbers(in("v", old), in("v", changed))
}
