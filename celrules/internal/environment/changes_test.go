package environment_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/crdsem/crdsem/celrules/internal/celtable"
	"github.com/crdsem/crdsem/celrules/internal/environment"
	"github.com/crdsem/crdsem/internal/belowfacade/library"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// TestChangesOf covers changes.txt of package profile: the minors that change
// an expression, as a stored and as a new one. A library is new one minor later
// in new expressions.
func TestChangesOf(t *testing.T) {
	for _, c := range []struct{ expression, stored, added string }{
		{"self.size() < 2 && d.a == d.b", "", ""},
		{"'a' + 'b' == 'ab' && 1 + 2 == 3", "", ""},
		{"d.`x-y` == 1", "33 37", "33 37"},
		{"'a'.startsWith('b')", "37", "37"},
		{"'a'.endsWith('b')", "37", "37"},
		{"lists.range(2)", "34 37 38", "35 37 38"},
		{"'%s'.format(['a'])", "31 33", "31 33"},
		{"[[1]].flatten()", "34 37 38", "35 37 38"},
		{"[2, 1].sort()", "34", "35"},
		{"cidr('10.0.0.0/8').containsCIDR('10.0.0.0/8')", "32", "31 32"},
		{"ip('1.2.3.4') == ip('1.2.3.4')", "32", "31 32"},
		{"ip('1.2.3.4') != ip('1.2.3.4')", "32", "31 32"},
		{"cidr('10.0.0.0/8') == cidr('10.0.0.0/8')", "32", "31 32"},
		{"ip('1.2.3.4').family()", "", "31"},
		{"d.?inside.hasValue()", "31 37", "31 37"},
		{"{'a': d.size() > 0, 'b': matches('a', 'b')}.size() == 1", "37", "37"},
		{"type(d) == net.IP", "", "31"},
		{"type(d) == net.CIDR", "", "31"},
		{"type(d) == optional_type", "31 38", "31 38"},
		{"type(d) == type([])", "38", "38"},
		{"d < 1.5", "38", "38"},
		{"d < 1", "38", "38"},
		{"1 < 2", "", ""},
		{"{'a': 1}[dyn([1])] == 1", "38", "38"},
		{"[1].slice(0, 1)", "34 38", "35 38"},
		{"quantity('1').isInteger()", "38", "38"},
		{"'a'.indexOf('b')", "32 34 37 38", "32 34 37 38"},
		{"'a'.lastIndexOf('b')", "32 34 37 38", "32 34 37 38"},
		{"quantity('1') == quantity('1')", "32 38", "32 38"},
		{"isQuantity('1')", "38", "38"},
		{"url('https://a') == url('https://a')", "32", "32"},
		{"isURL('https://a')", "", ""},
		{"format.dns1123Label().validate('a') == optional.none()", "31 32 33 35 37 38", "31 32 33 35 37 38"},
		{"optional.of(1).orValue(2)", "31 37", "31 37"},
		{"optional.of(1).or(optional.of(2)).hasValue()", "31 37", "31 37"},
		{"optional.of(1).hasValue()", "31 37", "31 37"},
		{"optional.of(1) == optional.of(1)", "31 33 37 38", "31 33 37 38"},
		{"d.?a.hasValue()", "31 37", "31 37"},
		{"d.?namespace.hasValue()", "31 37", "31 32 37"},
		{"d.namespace == 1", "31", "32"},
		{"optional.of(1).optMap(x, x).hasValue()", "31 32 37", "31 32 37"},
		{"optional.of(1).optFlatMap(x, optional.of(x)).hasValue()", "31 32 37", "31 32 37"},
		{"self.all(x, true)", "", ""},
		{"self.all(i, x, true)", "32 33", "33"},
		{"self.transformList(i, x, x).size() == 1", "32 33 37", "33 37"},
		{"matches('a', 'b')", "37", "37"},
		{"'a'.matches('b')", "", ""},
		{"duration('1s') < duration('2s')", "", ""},
		{"duration(d) == d", "37", "37"},
		{"[1] + [2]", "37", "37"},
		{"sets.contains([1], [1])", "38", "38"},
		{"semver('1.2.3').major() == 1", "32 33", "32 34"},
		{"isSemver('1')", "33", "34"},
		{"[1].sum() == 1", "", ""},
		{"[1].first().hasValue()", "31 33 37 38", "31 33 37 38"},
		{"optional.unwrap([optional.of(1)])", "31 33 37 38", "31 33 37 38"},
	} {
		for kind, want := range map[library.Expressions]string{
			library.StoredExpressions: c.stored, library.NewExpressions: c.added,
		} {
			s, err := base(t, kind).Scope(nil, environment.Variable{Name: "d", Type: cel.DynType},
				environment.Variable{Name: "self", Type: cel.ListType(cel.StringType)})
			if err != nil {
				t.Fatal(err)
			}
			checked, issues := s.Compile(c.expression)
			if issues.Err() != nil {
				t.Fatal(issues.Err())
			}
			if got := minors(s.Env().ChangesOf(checked, c.expression)); got != want {
				t.Errorf("%s, %v: %q, want %q", c.expression, kind, got, want)
			}
		}
	}
}

func minors(set environment.Minors) string {
	var out []string
	for m := profile.Oldest; m <= profile.Newest; m++ {
		if set&(1<<(m-profile.Oldest)) != 0 {
			out = append(out, fmt.Sprint(int(m)))
		}
	}
	return strings.Join(out, " ")
}

// Before returns the first minor that is like a minor, or the newest.
func TestBefore(t *testing.T) {
	for set, want := range map[string]string{
		"":         "37 37 37 37 37 37 37 37 37",
		"31":       "30 37 37 37 37 37 37 37 37",
		"37":       "30 30 30 30 30 30 30 37 37",
		"38":       "37 37 37 37 37 37 37 37 38",
		"31 37":    "30 31 31 31 31 31 31 37 37",
		"31 33 36": "30 31 31 33 33 33 37 37 37",
		"36 38":    "30 30 30 30 30 30 37 37 38",
	} {
		var m environment.Minors
		for _, minor := range strings.Fields(set) {
			var n int
			if _, err := fmt.Sscan(minor, &n); err != nil {
				t.Fatal(err)
			}
			m |= 1 << (n - int(profile.Oldest))
		}
		var got []string
		for minor := profile.Oldest; minor <= profile.Newest; minor++ {
			got = append(got, fmt.Sprint(int(m.Before(profile.Of(minor)).Minor)))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", set, got, want)
		}
	}
}

// TestParseType parses the types of the catalogue.
func TestParseType(t *testing.T) {
	for text, want := range map[string]string{
		"int": "int", "uint": "uint", "double": "double", "bool": "bool", "string": "string", "bytes": "bytes", "dyn": "dyn",
		"duration": "google.protobuf.Duration", "timestamp": "google.protobuf.Timestamp", "A": "<A>", "Z": "<Z>",
		"kubernetes.URL": "kubernetes.URL", "kubernetes.Quantity": "kubernetes.Quantity", "kubernetes.Semver": "kubernetes.Semver",
		"net.IP": "net.IP", "net.CIDR": "net.CIDR", "kubernetes.NamedFormat": "kubernetes.NamedFormat",
		"kubernetes.authorization.Authorizer": "kubernetes.authorization.Authorizer",
		"kubernetes.authorization.PathCheck":  "kubernetes.authorization.PathCheck",
		"list(T)":                             "list(<T>)", "optional_type(V)": "optional_type(<V>)", "map(K, V)": "map(<K>, <V>)",
		"map(string,list(map(K, V)))": "map(string, list(map(<K>, <V>)))", "list( int )": "list(int)",
		"list(map(string, list(int)))": "list(map(string, list(int)))",
		"":                             `unknown type ""`, "a": `unknown type "a"`, "AB": `unknown type "AB"`, "9": `unknown type "9"`, "[": `unknown type "["`,
		"list": `unknown type "list"`, "list(int": `type "list(int" has no closing parenthesis`, "list()": `unknown type ""`,
		"list(int, int)": `unknown type "list(int, int)"`, "map(int)": `unknown type "map(int)"`, "int(int)": `unknown type "int(int)"`,
		"optional_type(int, int)": `unknown type "optional_type(int, int)"`, "map(int, odd)": `unknown type "odd"`, "odd(int)": `unknown type "odd(int)"`,
		"map(int, int, int)": `unknown type "map(int, int, int)"`,
	} {
		got, err := environment.ParseType(text)
		if (err == nil) != (got != nil) || err == nil && got.String() != want || err != nil &&
			err.Error() != want {
			t.Errorf("%s: %v, %v, want %s", text, got, err, want)
		}
	}
}

// TestOverload declares overloads that the catalogue does not have.
func TestOverload(t *testing.T) {
	binding := cel.FunctionBinding(nil)
	for _, c := range []struct {
		overload library.Overload
		binding  cel.OverloadOpt
		want     string
	}{
		{library.Overload{ID: "f", Params: []string{"int"}, Result: "int"}, binding, "<nil>"},
		{library.Overload{ID: "f", Receiver: "string", Result: "int"}, binding, "<nil>"},
		{library.Overload{ID: "f", Result: "int"}, nil, "the overload has no implementation"},
		{library.Overload{ID: "f", Result: "odd"}, binding, `unknown type "odd"`},
		{library.Overload{ID: "f", Params: []string{"int", "odd"}, Result: "int"}, binding, `unknown type "odd"`},
		{library.Overload{ID: "f", Receiver: "odd", Result: "int"}, binding, `unknown type "odd"`},
	} {
		option, err := environment.Overload(c.overload, c.binding)
		if fmt.Sprint(err) != c.want || (option == nil) != (err != nil) {
			t.Errorf("%+v: %v", c.overload, err)
		}
	}
}

// The environments of mutations make objects and patches, and escape keys. The
// real code comes to what the file has.
func TestForPatches(t *testing.T) {
	for _, minor := range []profile.Minor{profile.Oldest, profile.Default} {
		for _, kind := range []library.Expressions{library.StoredExpressions,
			library.NewExpressions} {
			e, err := environment.ForPatches(profile.Of(minor), kind)
			if err != nil {
				t.Fatal(err)
			}
			if again, _ := environment.ForPatches(profile.Of(minor), kind); again != e {
				t.Error("an environment is built twice")
			}
			if e.Profile().Minor != minor {
				t.Errorf("an environment of %s", e.Profile().Minor)
			}
			celtable.CheckMutations(t, e)
		}
	}
}

// TestTrace has the last value of each sub-expression that was evaluated, by
// the ids that the parser gives in the order of the text, and those before a
// panic. Watch sees each step of a loop.
func TestTrace(t *testing.T) {
	s := scope(t)
	for text, want := range map[string]string{
		"self[0] == 'a'":                  "[2:a 4:true 5:a]",
		"self[1] == 'a' && self[9] == ''": "[2:b 4:false 5:a 11:false]",
		"self[0] == '' || self[9] == ''": "[2:a 4:false 5: 7:index out of bounds: 9 " +
			"9:index out of bounds: 9 11:index out of bounds: 9]",
		"{bytes(self[0]): self[1]}.size() == 1": "[3:[97] 5:a 8:b]",
	} {
		checked, issues := s.Compile(text)
		if issues.Err() != nil {
			t.Fatal(issues.Err())
		}
		values, err := s.Env().Trace(t.Context(), checked, self(t, "a", "b"))
		var got []string
		for id := range int64(20) {
			if v, ok := values[id]; ok {
				got = append(got, fmt.Sprintf("%d:%v", id, v))
			}
		}
		if err != nil || fmt.Sprint(got) != want {
			t.Errorf("%s: %v, %v, want %s", text, got, err, want)
		}
	}
	checked, issues := s.Compile("self.all(x, x == 'a')")
	if issues.Err() != nil {
		t.Fatal(issues.Err())
	}
	var got []string
	err := s.Env().Watch(t.Context(), checked, self(t, "a", "b"), func(_ int64, v ref.Val) {
		if text, ok := v.(types.String); ok && text != "a" {
			got = append(got, string(text))
		}
	})
	if err != nil || fmt.Sprint(got) != "[b]" {
		t.Errorf("%v, %v", got, err)
	}
}

// A context that is done ends a trace.
func TestTraceCancelled(t *testing.T) {
	s := scope(t)
	checked, issues := s.Compile("self.all(x, x == '')")
	if issues.Err() != nil {
		t.Fatal(issues.Err())
	}
	seen := func(ctx context.Context) (values int) {
		err := s.Env().Watch(ctx, checked, self(t, make([]string, 1000)...),
			func(int64, ref.Val) { values++ })
		if err != nil {
			t.Error(err)
		}
		return values
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if whole, part := seen(t.Context()), seen(ended); whole < 3000 || part > 1000 {
		t.Errorf("%d values, %d of an ended context", whole, part)
	}
}

// An expression of another environment is an error where its types are unknown.
func TestTraceOfUnknownTypes(t *testing.T) {
	made, err := environment.ForPatches(profile.Latest(), library.StoredExpressions)
	if err != nil {
		t.Fatal(err)
	}
	s, err := made.Scope(nil)
	if err != nil {
		t.Fatal(err)
	}
	checked, issues := s.Compile("Object{}")
	if issues.Err() != nil {
		t.Fatal(issues.Err())
	}
	e := base(t, library.StoredExpressions)
	const want = "unknown type: Object"
	values, err := e.Trace(t.Context(), checked, self(t))
	if values != nil || fmt.Sprint(err) != want {
		t.Errorf("trace: %v, %v", values, err)
	}
	if p, err := e.Plan(checked); p != nil || fmt.Sprint(err) != want {
		t.Errorf("plan: %v, %v", p, err)
	}
}
