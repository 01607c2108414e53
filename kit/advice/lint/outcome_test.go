package lint

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"cel.dev/cel-go/common/operators"
)

// String returns the outcomes of a set, e.g. "yes fails".
func (o outcome) String() string {
	var names []string
	for i, name := range []string{"yes", "no", "other", "fails"} {
		if o&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}

func between(low, high float64) value {
	return value{can: other, isNumber: true, low: low, high: high}
}

func among(texts ...string) value { return value{can: other, is: texts} }

// Comparisons of what two values can be: ==, !=, <, <=, > and >=.
func TestCompare(t *testing.T) {
	all := []string{
		operators.Equals, operators.NotEquals, operators.Less, operators.LessEquals,
		operators.Greater, operators.GreaterEquals,
	}
	for _, c := range []struct {
		a, b value
		want string // y is true, n false, ? either, each in the order of all
	}{
		{between(1, 2), between(3, 4), "nyyynn"},
		{between(3, 4), between(1, 2), "nynnyy"},
		{between(1, 3), between(3, 4), "???yn?"},
		{between(3, 4), between(1, 3), "??n??y"},
		{between(1, 4), between(2, 3), "??????"},
		{between(3, 3), between(3, 3), "ynnyny"},
		{between(3, 3), between(3, 4), "???yn?"},
		{between(3, 4), between(3, 3), "??n??y"},
		{between(2, 3), between(3, 3), "???yn?"},
		{between(1, 2), value{can: other}, "??????"},
		{value{can: other}, between(1, 2), "??????"},
		{between(0, 0), value{can: other}, "??????"},
		{value{can: other}, between(0, 0), "??????"},
		{among("a"), among("a"), "yn????"},
		{among("a"), among("b"), "ny????"},
		{among("a", "b"), among("b"), "??????"},
		{among("b"), among("a", "b"), "??????"},
		{among("a", "b"), among("c", "d"), "ny????"},
		{among(), among("c"), "??????"},
		{among("c"), among(), "??????"},
		{value{can: yes}, value{can: yes}, "yn????"},
		{value{can: no}, value{can: yes}, "ny????"},
		{value{can: either}, value{can: yes}, "??????"},
		{value{can: yes}, value{can: either}, "??????"},
	} {
		got := ""
		for _, operator := range all {
			o := compare(operator, c.a, c.b)
			got += map[outcome]string{yes: "y", no: "n", either: "?"}[o]
			failing := c.a
			failing.can |= fails
			if with := compare(operator, failing, c.b); with&fails == 0 || o&^with != 0 {
				t.Errorf("%v %s %v may fail: %s", failing, operator, c.b, with)
			}
			if with := compare(operator, c.b, failing); with&fails == 0 {
				t.Errorf("%v %s %v may fail: %s", c.b, operator, failing, with)
			}
		}
		if got != c.want {
			t.Errorf("%v and %v: %s, want %s", c.a, c.b, got, c.want)
		}
	}
	failed := value{can: fails}
	if a, b := compare(operators.Less, failed, among("a")),
		compare(operators.Less, among("a"), failed); a != fails || b != fails {
		t.Errorf("an error compares as %s, %s", a, b)
	}
}

// The operators ! and ||.
func TestLogic(t *testing.T) {
	for o, want := range map[outcome]outcome{
		yes: no, no: yes, either: either, fails: fails, yes | fails: no | fails,
		no | other: yes | other,
	} {
		if got := o.not(); got != want {
			t.Errorf("! of %s: %s, want %s", o, got, want)
		}
	}
	for _, c := range []struct{ a, b, want outcome }{
		{yes, yes, yes}, {yes, no, yes}, {no, no, no}, {yes, fails, yes}, {no, fails, fails},
		{fails, fails, fails}, {either, no, either}, {either, yes, yes},
		{either, fails, yes | fails}, {yes | fails, no, yes | fails}, {no | fails, no, no | fails},
		{no | fails, yes, yes},
	} {
		if got := or(c.a, c.b); got != c.want {
			t.Errorf("%s || %s: %s, want %s", c.a, c.b, got, c.want)
		}
		if got := or(c.b, c.a); got != c.want {
			t.Errorf("%s || %s: %s, want %s", c.b, c.a, got, c.want)
		}
	}
}

// Literals are known, unless a float64 cannot hold them.
func TestLiterals(t *testing.T) {
	for _, c := range []struct {
		value any
		want  string
	}{
		{true, "yes"}, {false, "no"}, {"a", "other [a]"}, {int64(3), "other 3"},
		{2.5, "other 2.5"}, {int64(1) << 53, "other 9.007199254740992e+15"},
		{int64(1)<<53 + 2, "other"}, {-int64(1)<<53 - 2, "other"}, {nil, "other"},
		{[]byte("a"), "other"}, {math.Inf(1), "other"},
	} {
		v := literal(c.value)
		got := v.can.String()
		if v.is != nil {
			got += fmt.Sprint(" ", v.is)
		}
		if v.isNumber {
			got += fmt.Sprint(" ", v.low)
			if v.low != v.high {
				got += fmt.Sprint(" to ", v.high)
			}
		}
		if got != c.want {
			t.Errorf("%v: %s, want %s", c.value, got, c.want)
		}
	}
}

// Values of enums are the same by their JSON, and bounds that meet leave a
// value out if one of them is exclusive.
func TestSameAndOutside(t *testing.T) {
	values := []any{nil, true, false, "", "a", int64(0), int64(1), 1.5}
	for i, a := range values {
		for j, b := range values {
			if got := same(a, b); got != (i == j && a != nil) {
				t.Errorf("%v and %v: %v", a, b, got)
			}
		}
	}
	for _, c := range []struct {
		low, high int64
		keyword   string
		want      bool
	}{
		{1, 2, "x", false}, {2, 2, "x", false}, {3, 2, "x", true}, {0, 0, "exclusiveMinimum", true},
		{2, 2, "exclusiveMaximum", true}, {1, 2, "exclusiveMinimum", false}, {-1, -2, "x", true},
	} {
		a, b := map[string]any{"minimum": c.low}, map[string]any{"maximum": c.high}
		if c.keyword == "exclusiveMaximum" {
			b[c.keyword] = true
		}
		if c.keyword == "exclusiveMinimum" {
			a[c.keyword] = true
		}
		if outside(a, b, "minimum", "maximum") != "" != c.want ||
			outside(b, a, "minimum", "maximum") != "" != c.want {
			t.Errorf("%v", c)
		}
	}
}

// A share of a limit is in percent, or in times where it is large.
func TestShare(t *testing.T) {
	for part, want := range map[float64]string{
		0.01: "1 % of", 0.5: "50 % of", 100: "10000 % of", 101: "101 times", 4000.4: "4000 times",
	} {
		if got := share(part); got != want {
			t.Errorf("%v: %s, want %s", part, got, want)
		}
	}
}

// The key of the items of a list, by the list's name and the items.
func TestKeyOf(t *testing.T) {
	const name = `"required":["name"],"properties":{"name":{"type":"string"}`
	const condition = `{"required":["type","status"],"properties":{"type":{"type":"string"},"status":{"type":"string"}}}`
	for _, c := range []struct{ list, items, want string }{
		{"ports", "{" + name + "}}", "name"}, {"ports", `{"properties":{"name":{"type":"string"}}}`, ""},
		{"ports", `{"required":["name"],"properties":{"name":{"type":"integer"}}}`, ""},
		{"ports", `{"required":["name"],"properties":{"name":{"type":"string","nullable":true}}}`, ""},
		{"ports", `{"required":["name"]}`, ""}, {"ports", "{" + name + `,"a":{}}}`, "name"},
		{"conditions", condition, "type"}, {"states", condition, ""}, {"conditions", "{" + name + "}}", "name"},
		{"conditions", strings.Replace(condition, `,"status"]`, "]", 1), "type"},
		{"conditions", strings.Replace(condition, `["type",`, "[", 1), "type"},
		{"httpHeaders", "{" + name + "}}", ""}, {"headersToAdd", "{" + name + "}}", ""}, {"refs", "{" + name + "}}", ""},
		{"matchers", "{" + name + "}}", ""}, {"selector", "{" + name + "}}", ""}, {"imagePullSecrets", "{" + name + "}}", ""},
		{"args", "{" + name + "}}", ""}, {"configMaps", "{" + name + "}}", ""}, {"mountsOf", "{" + name + "}}", "name"},
	} {
		if got, _ := keyOf("spec.properties["+c.list+"]", document(t, c.items)); got != c.want {
			t.Errorf("%s of %s: %q, want %q", c.list, c.items, got, c.want)
		}
	}
	for _, part := range parts {
		if got, _ := keyOf("a", document(t, "{"+name+`,"`+part+`":{}}}`)); got != "" {
			t.Errorf("with %s: %s", part, got)
		}
	}
}

// A node that may have other fields, and what is walked below a node.
func TestNode(t *testing.T) {
	for text, want := range map[string]bool{
		`{}`: false, `{"additionalProperties":false}`: false, `{"additionalProperties":true}`: true,
		`{"additionalProperties":{}}`: true, `{"x-kubernetes-preserve-unknown-fields":true}`: true,
		`{"x-kubernetes-preserve-unknown-fields":false}`: false,
	} {
		if got := (&node{doc: document(t, text)}).isOpen(); got != want {
			t.Errorf("%s is open: %t", text, got)
		}
	}
	below := document(t, `{"items":{},"additionalProperties":{},"not":{},"properties":{"b":{},"a":{},"metadata":{},"kind":{}}}`)
	for _, isRoot := range []bool{false, true} {
		var got []string
		n := &node{at: "at", doc: below, isRoot: isRoot}
		for _, child := range n.children() {
			got = append(got, fmt.Sprint(child.at, len(child.doc), child.isRoot))
		}
		metadata := map[bool]string{false: "0", true: "3"}[isRoot]
		want := "at.additionalProperties0 false at.items0 false at.properties[a]0 false " +
			"at.properties[b]0 false " +
			"at.properties[kind]0 false at.properties[metadata]" + metadata + " false"
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s, want %s", text, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	w := &walk{ctx: ctx, steps: maxSteps}
	invalid := &node{at: "at", doc: document(t, `{"type":"string","pattern":"a^","enum":["a"],"maxItems":"x"}`)}
	if w.enum(invalid); len(w.found) != 0 {
		t.Errorf("a node that is no schema: %v", w.found)
	}
	if w.visit(invalid); len(w.found) != 2 {
		t.Errorf("a pattern: %v", w.found)
	}
	cancel()
	if w.visit(invalid); len(w.found) != 2 {
		t.Errorf("after the end: %v", w.found)
	}
}
