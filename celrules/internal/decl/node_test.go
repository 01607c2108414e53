package decl_test

import (
	"fmt"
	"strings"
	"testing"

	celcost "cel.dev/cel-go/common/cost"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"

	"github.com/crdsem/crdsem/celrules/internal/decl"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
	"github.com/crdsem/crdsem/structural"
)

func parse(t testing.TB, text string) *structural.Schema {
	t.Helper()
	s, err := structural.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func registry(t testing.TB) *types.Registry {
	t.Helper()
	r, err := types.NewRegistry()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestKinds covers the table of CEL-020, the types of values, and what values
// have below them.
func TestKinds(t *testing.T) {
	const integer, untyped = `{"type":"integer"}`, `{"x-kubernetes-preserve-unknown-fields":true}`
	for _, c := range []struct {
		schema string
		kind   decl.Kind
		of     string // its type
		below  string // IsObject, IsPlainList, IsMap, and whether it has an element
	}{
		{`{"x-kubernetes-int-or-string":true}`, decl.IntOrString, "dyn", "false false false false"},
		{`{"type":"object"}`, decl.Object, "selfType", "false false false false"},
		{`{"type":"object","properties":{"a":` + integer + `}}`, decl.Object, "selfType", "true false false false"},
		{`{"type":"object","additionalProperties":` + integer + `}`, decl.Object, "map(string, int)", "false false true true"},
		{`{"type":"object","additionalProperties":true}`, decl.Object, "selfType", "false false false false"},
		{`{"type":"object","additionalProperties":{"type":"object"}}`, decl.Object, "map(string, selfType.@elem)", "false false true true"},
		{`{"type":"array","items":` + integer + `}`, decl.List, "list(int)", "false true false true"},
		{`{"type":"array","x-kubernetes-list-type":"atomic","items":` + integer + `}`, decl.List, "list(int)", "false true false true"},
		{`{"type":"array","x-kubernetes-list-type":"set","items":` + integer + `}`, decl.List, "list(int)", "false true false true"},
		{`{"type":"array","x-kubernetes-list-type":"map","items":{"type":"object"}}`, decl.List, "list(selfType.@idx)", "false true false true"},
		{`{"type":"array","x-kubernetes-list-type":"odd","items":` + integer + `}`, decl.List, "list(int)", "false false false true"},
		{`{"type":"array"}`, decl.List, "", "false false false false"},
		{`{"type":"array","items":` + untyped + `}`, decl.List, "", "false true false true"},
		{`{"type":"array","items":` + integer + `,"additionalProperties":` + integer + `}`, decl.List, "list(int)", "false true false true"},
		{`{"type":"object","items":` + integer + `}`, decl.Object, "selfType", "false false false false"},
		{`{"type":"string","items":` + integer + `,"additionalProperties":` + integer + `}`, decl.String, "string", "false false false false"},
		{`{"type":"string"}`, decl.String, "string", "false false false false"},
		{`{"type":"string","format":"email"}`, decl.String, "string", "false false false false"},
		{`{"type":"string","format":"byte"}`, decl.Bytes, "bytes", "false false false false"},
		{`{"type":"string","format":"duration"}`, decl.Duration, "google.protobuf.Duration", "false false false false"},
		{`{"type":"string","format":"date"}`, decl.Date, "google.protobuf.Timestamp", "false false false false"},
		{`{"type":"string","format":"date-time"}`, decl.DateTime, "google.protobuf.Timestamp", "false false false false"},
		{`{"type":"number"}`, decl.Number, "double", "false false false false"},
		{integer, decl.Integer, "int", "false false false false"},
		{`{"type":"boolean"}`, decl.Boolean, "bool", "false false false false"},
		{untyped, decl.Untyped, "", "false false false false"},
		{`{"type":"odd"}`, decl.Unknown, "", "false false false false"},
	} {
		n := node(t, c.schema)
		of := ""
		if !n.Omitted() {
			of = decl.Shown(decl.NewScope(n, registry(t)).SelfType().String())
		}
		below := fmt.Sprint(n.IsObject(), n.IsPlainList(), n.IsMap(), n.Elem() != nil)
		if n.Kind != c.kind || of != c.of || below != c.below {
			t.Errorf("%s: kind %d, type %s, %s", c.schema, n.Kind, of, below)
		}
		if first := n.Elem(); n.Elem() != first || (n.ElemDecl() != nil) != (n.Elem() != nil) {
			t.Errorf("%s: elements %v, %v", c.schema, n.Elem(), n.ElemDecl())
		}
	}
}

// Universes have one node for each schema node and role.
func TestUniverse(t *testing.T) {
	s := parse(t, `{"type":"object","properties":{"a":{"type":"integer"},
		"e":{"type":"object","x-kubernetes-embedded-resource":true},
		"m":{"type":"object","additionalProperties":{"type":"string"}}}}`)
	var u decl.Universe
	inner, root := u.Inner(s), u.Root(s)
	if u.Inner(s) != inner || u.Root(s) != root || inner == root || inner.Resource ||
		!root.Resource {
		t.Error("a schema has one node for each role")
	}
	if inner.Property("z") != nil || inner.Property("kind") != nil ||
		inner.Property("a") != root.Property("a") ||
		inner.Property("a") != u.Inner(s.Property("a")) {
		t.Error("properties are not those of the schema")
	}
	if inner.Value("a") != inner.Property("a") || inner.Value("z") != nil ||
		inner.Property("m").Value("z") != inner.Property("m").Elem() ||
		inner.Property("a").Value("z") != nil {
		t.Error("values are not declared by properties, and those of maps by their element")
	}
	for name, kind := range map[string]decl.Kind{
		"kind": decl.String, "apiVersion": decl.String, "metadata": decl.Object, "m": decl.Object, "a": decl.Integer,
	} {
		if n := root.Property(name); n == nil || n.Kind != kind {
			t.Errorf("%s of a resource: %v", name, n)
		}
	}
	embedded := u.Inner(s.Property("e"))
	if !embedded.Resource || !embedded.IsObject() || embedded.Property("metadata") == nil {
		t.Error("an embedded resource is no resource")
	}
	older := decl.NewUniverse(decl.Variant{UnboundedNames: true})
	like := older.Like(root)
	if like == root || like.Schema != s || !like.Resource || older.Like(like) != like ||
		older.Root(s) != like ||
		older.Like(inner).Resource || u.Like(root) != root {
		t.Error("the node of another universe has another schema or role")
	}
	metadata := root.Property("metadata")
	if older.Like(metadata) != metadata || like.Variant() != (decl.Variant{UnboundedNames: true}) {
		t.Error("a node without a schema is replaced, or a variant is lost")
	}
	if u.Canonical(metadata) != metadata || u.Canonical(root) != root {
		t.Error("a node is like another one before that is known")
	}
	u.Drop()
	if next := u.Root(s); next == root || next.Property("metadata") == metadata ||
		u.Canonical(next) != next {
		t.Error("Drop leaves nodes")
	}
}

// TestResource covers CEL-024: what a schema must declare for itself so that
// nothing is added, and the lengths of names.
func TestResource(t *testing.T) {
	const text = `{"type":"string"}`
	const names = `{"type":"object","properties":{"name":{"type":"string"},"generateName":{"type":"string"}}}`
	for schema, adds := range map[string]bool{
		`{"type":"object"}`: true,
		`{"type":"object","properties":{"kind":` + text + `,"apiVersion":` + text + `,"metadata":` + names + `}}`:                                                false,
		`{"type":"object","properties":{"apiVersion":` + text + `,"metadata":` + names + `}}`:                                                                    true,
		`{"type":"object","properties":{"kind":{"type":"integer"},"apiVersion":` + text + `,"metadata":` + names + `}}`:                                          true,
		`{"type":"object","properties":{"kind":` + text + `,"metadata":` + names + `}}`:                                                                          true,
		`{"type":"object","properties":{"kind":` + text + `,"apiVersion":` + text + `}}`:                                                                         true,
		`{"type":"object","properties":{"kind":` + text + `,"apiVersion":` + text + `,"metadata":{"type":"object"}}}`:                                            true,
		`{"type":"object","properties":{"kind":` + text + `,"apiVersion":` + text + `,"metadata":{"type":"object","properties":{"name":` + text + `}}}}`:         true,
		`{"type":"object","properties":{"kind":` + text + `,"apiVersion":` + text + `,"metadata":{"type":"object","properties":{"generateName":` + text + `}}}}`: true,
		`{"type":"object","properties":{"kind":` + text + `,"apiVersion":` + text + `,"metadata":` + strings.Replace(names, "object", "array", 1) + `}}`:         true,
		`{"type":"array","items":` + text + `}`: true,
	} {
		n := new(decl.Universe).Root(parse(t, schema))
		if n.Resource != adds || adds && (!n.IsObject() || n.IsPlainList() || n.Elem() != nil) {
			t.Errorf("%s: %t", schema, n.Resource)
		}
	}
	const unbounded = decl.MaxRequestBytes - 2
	for _, c := range []struct {
		declared             string
		name, generateName   int64
		sameWithoutNameSizes bool
	}{
		{``, 253 * 4, 252 * 4, false},
		{`"name":{"type":"string","maxLength":10}`, 10 * 4, 252 * 4, false},
		{`"name":{"type":"string","maxLength":252},"generateName":{"type":"string","maxLength":251}`, 252 * 4, 251 * 4, false},
		{`"name":{"type":"string","maxLength":253},"generateName":{"type":"string","maxLength":252}`, 253 * 4, 252 * 4, false},
		{`"name":{"type":"string","maxLength":999},"generateName":{"type":"string","maxLength":253}`, 253 * 4, 252 * 4, false},
		{`"name":{"type":"string","maxLength":0},"generateName":{"type":"string","maxLength":-1}`, 0, 0, false},
	} {
		s := parse(t, `{"type":"object","properties":{"metadata":{"type":"object","properties":{`+c.declared+`}}}}`)
		for variant, want := range map[decl.Variant][2]int64{
			{}: {c.name, c.generateName}, {UnboundedNames: true}: {unbounded, unbounded},
		} {
			u := decl.NewUniverse(variant)
			m := u.Root(s).Property("metadata")
			got := [2]int64{m.Property("name").MaxElements(),
				m.Property("generateName").MaxElements()}
			if got != want || m.Kind != decl.Object || !m.IsObject() || m.Schema != nil ||
				m.MinBytes() != 2 ||
				m.Property("labels") != nil || m.Property("name").Kind != decl.String ||
				m.Property("name").Schema != nil {
				t.Errorf("%s, %+v: %v, want %v", c.declared, variant, got, want)
			}
			if u.Root(parse(t, `{"type":"object"}`)).Property("kind").MaxElements() != unbounded {
				t.Error("kind is bounded")
			}
		}
	}
	u := new(decl.Universe)
	a, b := u.Root(parse(t, `{"type":"object"}`)), u.Root(parse(t, `{"type":"object","nullable":true}`))
	if a.Property("metadata") != b.Property("metadata") ||
		a.Property("kind") != b.Property("apiVersion") {
		t.Error("equal metadata is declared twice")
	}
}

// What older minors do differently; see spec/minors.md.
func TestVariantOf(t *testing.T) {
	for m := profile.Oldest; m <= profile.Newest; m++ {
		want := decl.Variant{UnboundedNames: m < 37, ListsAsItems: m < 37,
			UnboundedIntOrStrings: m < 34, NullsDiffer: m < 34, StandardBase64: m >= 38}
		if got := decl.VariantOf(profile.Of(m)); got != want {
			t.Errorf("%s: %+v", m, got)
		}
	}
	s := parse(t, `{"x-kubernetes-int-or-string":true,"maxLength":5}`)
	older := decl.NewUniverse(decl.Variant{UnboundedIntOrStrings: true}).Inner(s)
	if older.MaxElements() != decl.MaxRequestBytes-2 || older.MinBytes() != 1 {
		t.Errorf("%d, %d", older.MinBytes(), older.MaxElements())
	}
}

// MaxCardinality is how many values fit into a request (COST-014).
func TestMaxCardinality(t *testing.T) {
	for schema, want := range map[string]uint64{
		`{"type":"integer"}`: 3 << 20 / 2, `{"type":"string"}`: 3 << 20 / 3,
		`{"type":"boolean"}`: 3 << 20 / 5, `{"type":"string","format":"date"}`: 3 << 20 / 13,
		`{"x-kubernetes-preserve-unknown-fields":true}`: 3 << 20,
	} {
		if got := node(t, schema).MaxCardinality(); got != want {
			t.Errorf("%s: %d, want %d", schema, got, want)
		}
	}
}

// Shown removes what is not the same in each process.
func TestShown(t *testing.T) {
	const conflict = "incompatible type already exists for expression: &{"
	for text, want := range map[string]string{
		"": "", "plain": "plain", "selfType\xff.a\xff": "selfType.a", "\xc3\xa9\xff": "é",
		"x " + conflict + "2 0xc0001} y":                          "x " + conflict + "2} y",
		conflict + "2 0xc0001}" + conflict + "13 0xc0002 more} z": conflict + "2}" + conflict + "13} z",
	} {
		if got := decl.Shown(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A scope knows the scalars of CEL by name, and asks the base about the rest.
func TestScopeAsksBase(t *testing.T) {
	base := registry(t)
	n := node(t, `{"type":"object","properties":{"in":{"type":"string"},"__in__":{"type":"integer"}}}`)
	s := decl.NewScope(n, base)
	if s.Root() != n {
		t.Error("another root")
	}
	for name, want := range map[string]string{
		"bool": "bool", "bytes": "bytes", "double": "double", "duration": "google.protobuf.Duration", "int": "int",
		"null_type": "null_type", "string": "string", "timestamp": "google.protobuf.Timestamp", "uint": "uint",
		"list": "list(google.protobuf.Any)", "map": "map(google.protobuf.Any, google.protobuf.Any)",
		"google.protobuf.Value": "dyn", "dyn": "", "type": "", "": "",
	} {
		got, ok := s.FindStructType(name)
		if ok != (want != "") || ok && got.Parameters()[0].String() != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if names, ok := s.FindStructFieldNames(s.SelfType().TypeName()); ok || len(names) != 0 {
		t.Errorf("field names %v", names)
	}
	if f, ok := s.FindStructFieldType("google.protobuf.Struct", "fields"); !ok || f == nil {
		t.Error("a type of the base has no fields")
	}
	optional := types.OptionalType.TypeName()
	if err := base.RegisterType(types.OptionalType); err != nil {
		t.Fatal(err)
	}
	for _, hides := range []bool{false, true} {
		s.NoOptionalType = hides
		if v, ok := s.FindIdent(optional); ok == hides || ok == (v == nil) {
			t.Errorf("optional_type, hidden %t: %v", hides, v)
		}
		if v, ok := s.FindIdent("int"); !ok || v != types.IntType {
			t.Errorf("int: %v", v)
		}
	}
	for _, escaped := range []bool{false, true} {
		s.EscapedFields = escaped
		_, plain := s.FindStructFieldType(s.SelfType().TypeName(), "in")
		f, ok := s.FindStructFieldType(s.SelfType().TypeName(), "__in__")
		if plain == escaped || !ok || f.Type != cel.StringType {
			t.Errorf("escaped %t: %t, %v", escaped, plain, f)
		}
	}
	if s.NativeToValue(int64(3)) != types.Int(3) {
		t.Error("the base converts no values")
	}
	if v := decl.NewScope(n,
		struct{ types.Provider }{base}).NativeToValue("x"); v != types.String("x") {
		t.Errorf("without an adapter: %v", v)
	}
}

// Field finds declared fields by their escaped names only (CEL-030).
func TestField(t *testing.T) {
	n := node(t, `{"type":"object","properties":{"a":{"type":"integer"},"x-y":{"type":"string"},"9":{"type":"string"},
		"in":{"type":"string"},"p__q":{"type":"string"},"u":{"x-kubernetes-preserve-unknown-fields":true},
		"m":{"type":"object","additionalProperties":{"type":"string"}},"l":{"type":"array","items":{"type":"string"}}}}`)
	for identifier, name := range map[string]string{
		"a": "a", "x__dash__y": "x-y", "__in__": "in", "p__underscores__q": "p__q", "m": "m", "l": "l",
		"x-y": "", "9": "", "in": "", "p__q": "", "u": "", "z": "", "": "", "__odd__": "",
	} {
		want := n.Property(name)
		if got := n.Field(identifier); got != want {
			t.Errorf("%s: %v, want %s", identifier, got, name)
		}
	}
	var none *decl.Node
	for where, got := range map[string]*decl.Node{
		"no node": none.Field("a"), "a map": n.Property("m").Field("a"), "a list": n.Property("l").Field("a"),
		"elements of no node": none.ElemDecl(), "elements of an object": n.ElemDecl(),
	} {
		if got != nil {
			t.Errorf("%s: %v", where, got)
		}
	}
}

// at is a node of an expression with its path from a variable.
type at struct {
	celcost.AstNode
	path []string
}

func (n at) Path() []string { return n.path }

// TestEstimateSize covers COST-011.
func TestEstimateSize(t *testing.T) {
	n := node(t, `{"type":"object","properties":{"s":{"type":"string","maxLength":5},"o":{"type":"object","properties":{"x-y":
		{"type":"string","maxLength":6}}},"l":{"type":"array","maxItems":7,"items":{"type":"string","maxLength":8}},
		"m":{"type":"object","maxProperties":9,"additionalProperties":{"type":"array","maxItems":3,"items":{"type":"integer"}}}}}`)
	for path, want := range map[string]string{
		"": "none", "self": "0 to 0", "v": "0 to 0", "self s": "0 to 20", "self o": "0 to 0", "self o x__dash__y": "0 to 24",
		"self l": "0 to 7", "self l @items": "0 to 32", "self m": "0 to 9", "self m @values": "0 to 3",
		"self m @values @items": "0 to 0", "self m @keys": "0 to 0", "self m @keys @items": "none", "self z": "none", "self s @items": "none",
		"self l @keys": "none", "self @keys": "none", "self @items": "none", "self z s": "none", "self m x": "none", "self o x-y": "none",
	} {
		got := "none"
		if size := n.EstimateSize(at{path: strings.Fields(path)}); size != nil {
			got = fmt.Sprint(size.Min, " to ", size.Max)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}
