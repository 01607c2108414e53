package policy_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/celrules/policy"
	"github.com/crdsem/crdsem/minors"
)

var request = policy.Request{
	Request: map[string]any{
		"operation": "CREATE", "name": "a", "namespace": "default", "dryRun": false,
		"resource": map[string]any{"group": "", "version": "v1", "resource": "pods"},
		"userInfo": map[string]any{"username": "u", "groups": []any{"g", "h"}},
	},
	Object:    map[string]any{"spec": map[string]any{"size": int64(3)}},
	Namespace: map[string]any{"metadata": map[string]any{"labels": map[string]any{"a": "b"}}},
}

// compiler returns a compiler with some variables.
func compiler(t *testing.T, options ...policy.Option) *policy.Compiler {
	t.Helper()
	c, err := policy.NewCompiler(minors.Newest(), options...)
	if err != nil {
		t.Fatal(err)
	}
	c.Define("size", "object.spec.size")
	c.Define("list", "[variables.size]")
	c.Define("wrong", "object.none")
	c.Define("early", "variables.late")
	c.Define("late", "1")
	c.Define("text", "'a'")
	return c
}

func TestMatch(t *testing.T) {
	c := compiler(t)
	for _, test := range []struct{ expressions, want string }{
		{"true", "true <nil>"},
		{"object.spec.size == 3", "true <nil>"},
		{"oldObject == null", "true <nil>"},
		{"namespaceObject.metadata.labels.a == 'b'", "true <nil>"},
		{"request.operation == 'CREATE' && request.resource.resource == 'pods'", "true <nil>"},
		{"'g' in request.userInfo.groups", "true <nil>"},
		{"!request.dryRun", "true <nil>"},
		{"object.spec.other == 1", "false expression 'object.spec.other == 1' resulted in error: no such key: other"},
		{"object.spec.other == 1;false", "false <nil>"},
		{"object.spec.size", "false compilation error: must evaluate to bool but got dyn"},
		{"request.other == 1", "false compilation error: compilation failed: ERROR: <input>:1:8: undefined field 'other'"},
		{"1 +", "false compilation error: compilation failed: ERROR: <input>:1:4: Syntax error"},
		{"size", "false compilation error: compilation failed: ERROR: <input>:1:1: undeclared reference to 'size'"},
		{"params == null", "false compilation error: compilation failed: ERROR: <input>:1:1: undeclared reference to 'params'"},
		{"Object{} == Object{}", "false compilation error: compilation failed: ERROR: <input>:1:7: undeclared reference to 'Object'"},
		{"variables.size == 3", "false compilation error: compilation failed: ERROR: <input>:1:1: undeclared reference to 'variables'"},
	} {
		var all []*policy.Expression
		for expression := range strings.SplitSeq(test.expressions, ";") {
			all = append(all, c.Compile(expression, policy.Condition))
		}
		matches, err := c.Start(request, policy.ConditionsBudget).Match(t.Context(), all)
		if got := fmt.Sprint(matches, " ", err); !strings.HasPrefix(got, test.want) {
			t.Errorf("%s: %s, want %s", test.expressions, got, test.want)
		}
	}
}

func TestEval(t *testing.T) {
	c := compiler(t, policy.Composed(), policy.Params())
	for _, test := range []struct {
		expression string
		role       policy.Role
		want       string
	}{
		{"variables.size == 3 && variables.list[0] == 3", policy.Condition, "true <nil>"},
		{"has(variables.size)", policy.Condition, "true <nil>"},
		{"variables.none == 3", policy.Condition,
			"<nil> compilation error: compilation failed: ERROR: <input>:1:10: undefined field 'none'"},
		{"variables.wrong == 3", policy.Condition, "<nil> expression 'variables.wrong == 3' resulted in error: " +
			`composited variable "wrong" fails to evaluate: no such key: none`},
		{"variables.early == 1", policy.Condition, "<nil> expression 'variables.early == 1' resulted in error: " +
			`composited variable "early" fails to compile: compilation failed: ERROR: <input>:1:10: undefined field 'late'`},
		{"variables.text + 1", policy.Message,
			"<nil> compilation error: compilation failed: ERROR: <input>:1:16: found no matching overload for '_+_'"},
		{"params == null", policy.Condition, "true <nil>"},
		{"'size ' + string(variables.size)", policy.Message, "size 3 <nil>"},
		{"authorizer.path('/a').check('get').allowed() ? 'a' : 'b'", policy.Message,
			"<nil> compilation error: compilation failed: ERROR: <input>:1:1: undeclared reference to 'authorizer'"},
		{"authorizer.path('/a').check('get').allowed()", policy.Condition, "true <nil>"},
		{"authorizer.requestResource.check('get').errored()", policy.Condition, "false <nil>"},
		{"authorizer.serviceAccount('a', 'b').group('').resource('pods').namespace('a').name('b')." +
			"subresource('c').fieldSelector('a=b').check('get').reason() == ''", policy.Condition, "true <nil>"},
		{"authorizer.path('').check('get').allowed()", policy.Condition,
			"<nil> expression 'authorizer.path('').check('get').allowed()' resulted in error: path must not be empty"},
		{"authorizer.serviceAccount('a', '!') == authorizer", policy.Condition,
			"<nil> expression 'authorizer.serviceAccount('a', '!') == authorizer' resulted in error: Invalid service account name"},
		{"null", policy.Annotation, "<nil> <nil>"}, {"'a'", policy.Annotation, "a <nil>"},
		{"'a' + string(1)", policy.Annotation, "a1 <nil>"},
		{"params == null ? object : object", policy.Variable, "map[spec:map[size:3]] <nil>"},
		{"variables", policy.Variable, "no such overload <nil>"},
		{"'a'.matches(string('('))", policy.Condition,
			"<nil> compilation error: program instantiation failed: error parsing regexp: missing closing ): `(`"},
		{"'a'", policy.Condition, "<nil> compilation error: must evaluate to bool but got string"},
		{"true", policy.Message, "<nil> compilation error: must evaluate to string but got bool"},
		{"1", policy.Annotation, "<nil> compilation error: must evaluate to one of [string null_type] but got int"},
	} {
		e := c.Compile(test.expression, test.role)
		value, err := c.Start(request, policy.Budget).Eval(t.Context(), e)
		if got := fmt.Sprint(value, " ", err); !strings.HasPrefix(got, test.want) {
			t.Errorf("%s: %s, want %s", test.expression, got, test.want)
		}
	}
}

// The budget of a run does not raise the limit of one expression. An authorizer
// that is declared need not have a value.
func TestLimits(t *testing.T) {
	c := compiler(t, policy.Composed())
	c.Define("long", "object.text == object.text")
	request := policy.Request{WithoutAuthorizer: true,
		Object: map[string]any{"text": strings.Repeat("a", 16<<20)}}
	for expression, want := range map[string]string{
		"variables.long": `composited variable "long" fails to evaluate: ` +
			"operation cancelled: actual cost limit exceeded",
		"authorizer.path('/').check('get').allowed()": "no such attribute(s): authorizer",
	} {
		e := c.Compile(expression, policy.Variable)
		_, err := c.Start(request, policy.Budget).Eval(t.Context(), e)
		if got := fmt.Sprint(err); !strings.HasSuffix(got, "' resulted in error: "+want) {
			t.Errorf("%s: %s, want %s", expression, got, want)
		}
	}
}

// A new object may use what its minor stores, and what the minor before had.
func TestUnstored(t *testing.T) {
	for minor, want := range map[minors.Minor]string{
		"1.30": "true false", "1.31": "true true",
	} {
		got := ""
		for _, options := range [][]policy.Option{nil, {policy.Unstored()}} {
			c, err := policy.NewCompiler(minor, options...)
			if err != nil {
				t.Fatal(err)
			}
			e := c.Compile("ip('1.2.3.4').family() == 4", policy.Condition)
			got += fmt.Sprint(" ", e.Err() == nil)
		}
		if got != " "+want {
			t.Errorf("networks in %s:%s, want %s", minor, got, want)
		}
	}
}

// A variable is charged to the expression that first asks for it.
func TestBudget(t *testing.T) {
	c := compiler(t, policy.Composed())
	e := c.Compile("variables.size == 3", policy.Condition)
	run := c.Start(request, policy.Budget)
	spent := func() uint64 {
		before := run.Left()
		if value, err := run.Eval(t.Context(), e); value != true || err != nil {
			t.Fatal(value, err)
		}
		return before - run.Left()
	}
	// Each name and each field is 1, as is ==.
	if first, second, third := spent(), spent(),
		spent(); first != 3+3 || second != 3 || third != 3 {
		t.Errorf("the first time %d, then %d and %d", first, second, third)
	}
	for budget, want := range map[uint64]string{
		5: "<nil> " + policy.ErrBudget.Error() + " 5", 6: "true <nil> 0",
	} {
		run = c.Start(request, budget)
		value, err := run.Eval(t.Context(), e)
		if got := fmt.Sprint(value, " ", err, " ", run.Left()); got != want {
			t.Errorf("a budget of %d: %s, want %s", budget, got, want)
		}
	}
}

// All conditions of a webhook share a budget.
func TestConditionsBudget(t *testing.T) {
	request := policy.Request{Object: map[string]any{"text": strings.Repeat("a", 8<<20)}}
	c := compiler(t)
	costly := []*policy.Expression{c.Compile("object.text == object.text", policy.Condition)}
	for n, want := range map[int]string{
		1: "true <nil>",
		4: "false validation failed due to running out of cost budget, " +
			"no further validation rules will be run",
	} {
		run := c.Start(request, policy.ConditionsBudget)
		matches, err := run.Match(t.Context(), slices.Repeat(costly, n))
		if got := fmt.Sprint(matches, " ", err); got != want {
			t.Errorf("%d conditions: %s, want %s", n, got, want)
		}
	}
}

// misnamed is the error of an Object.x where another type was expected.
func misnamed(expected string) string {
	return `unexpected type name "Object.x", expected "` + expected +
		`", which matches field name path from root Object type`
}

// A list without items has no slice, as a server writes it as null.
func TestConfigurationOfNoItems(t *testing.T) {
	c := compiler(t)
	expression := "Object{a: [], b: object.spec.?x.orValue([]), c: [1].filter(i, i > 1), d: {}}"
	object, err := c.Start(request, policy.Budget).Configuration(t.Context(),
		c.Compile(expression, policy.Configuration))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(object)
	if err != nil || string(text) != `{"a":null,"b":null,"c":null,"d":{}}` {
		t.Errorf("%s, %v", text, err)
	}
}

// Mutations make objects, whose types are named by their paths, and patches.
func TestMutations(t *testing.T) {
	c := compiler(t, policy.Composed())
	for expression, want := range map[string]string{
		"Object{spec: Object.spec{size: variables.size, l: [dyn(1), dyn(null)]}}": "map[spec:map[l:[1 NULL_VALUE] size:3]] <nil>",
		"Object{spec: Object.other{}}": `map[] type mismatch: unexpected type name "Object.other", expected ` +
			`"Object.spec", which matches field name path from root Object type`,
		`Object{l: [Object.x{}], m: {"k": Object.x{}}, x: Object.x{y: Object.x{}}}`: "map[] type mismatch: " +
			misnamed("Object.l") + "\n" + misnamed("Object.m") + "\n" + misnamed("Object.x.y"),
		`Object{m: {"k": 1.5}, x: Object.x{}, s: "a"}`: "map[m:map[k:1.5] s:a x:map[]] <nil>",
		`Object{m: {1: 2}}`:                            `map[] invalid return type: *dynamic.ObjectVal`,
		`Object{o: Object.o{m: {1: 2}}, l: [[1]]}`: `map[l:[[1]] o:fail to convert field "m": map key '\x01' ` +
			`is of type types.Int, not string] <nil>`,
		`Object{l: [dyn(Object{}) == dyn(Object{}), Object{} == Object{x: 1}, Object{x: 1} == Object{x: 1},
			dyn(Object.x{}) == dyn(Object.y{}), dyn(Object{}) == dyn(1)]}`: "map[l:[true false true false false]] <nil>",
		`Object{l: [optional.ofNonZeroValue(Object{}).hasValue(),
			optional.ofNonZeroValue(Object{x: 1}).hasValue()]}`: "map[l:[false true]] <nil>",
		"Object{spec: object.none}": "map[] expression 'Object{spec: object.none}' resulted in error: no such key: none",
		"1":                         "map[] must evaluate to Object but got int",
	} {
		run := c.Start(request, policy.Budget)
		object, err := run.Configuration(t.Context(), c.Compile(expression, policy.Configuration))
		if got := fmt.Sprint(object, " ", err); got != want {
			t.Errorf("%s: %s, want %s", expression, got, want)
		}
	}
	for expression, want := range map[string]string{
		"[JSONPatch{op: 'add', path: '/' + jsonpatch.escapeKey('a/b~'), value: Object.spec{size: 1}}]": `[{"op":"add","path":"/a~1b~0",` +
			`"value":{"size":1}}] <nil>`,
		"[JSONPatch{op: 'move', from: '/a', path: '/b'}]": `[{"from":"/a","op":"move","path":"/b"}] <nil>`,
		"[JSONPatch{op: 'add', path: '', value: variables}]": " JSONPath valueExpression evaluated to a type that could not marshal to JSON: " +
			`disallowed conversion from "kubernetes.variables" to ""`,
		"[JSONPatch{op: 'add', path: '', value: authorizer}]":   " JSONPath valueExpression evaluated to a type that could not marshal to JSON: ",
		"[JSONPatch{op: 'add', path: '/a', value: b'a' + b''}]": `[{"op":"add","path":"/a","value":"YQ=="}] <nil>`,
		`[JSONPatch{op: 'add', path: '/a', value: Object.x{y: Object.z{}}}]`: " type mismatch: " +
			strings.ReplaceAll(misnamed("Object.x.y"), `"Object.x",`, `"Object.z",`),
		`[JSONPatch{op: JSONPatch{op: 'add'}.op, path: JSONPatch{}.path + '/b', value: JSONPatch{value: 1}.value}]`: `[{"op":"add",` +
			`"path":"/b","value":1}] <nil>`,
		`[JSONPatch{op: 'remove', path: '/a', from: ''}, JSONPatch{}]`: `[{"op":"remove","path":"/a"},{"op":"","path":""}] <nil>`,
		"[JSONPatch{op: 'add', path: '', value: double('NaN')}]": " JSONPath valueExpression evaluated to a type that " +
			"could not marshal to JSON: json: error calling MarshalJSON for type *structpb.Value: ",
		"[JSONPatch{op: 'add', path: ''}, JSONPatch{op: object.none}]": " expression '[JSONPatch{op: 'add', path: ''}, " +
			"JSONPatch{op: object.none}]' resulted in error: no such key: none",
		"[1]": " must evaluate to list(JSONPatch) but got list(int)",
	} {
		run := c.Start(request, policy.Budget)
		patch, err := run.Patch(t.Context(), c.Compile(expression, policy.Patch))
		if got := fmt.Sprint(string(patch), " ", err); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", expression, got, want)
		}
	}
}

// An expression that was compiled for something else makes nothing.
func TestMutationsOfOtherRoles(t *testing.T) {
	c := compiler(t)
	for expression, want := range map[string]string{
		"1":   "unsupported return type from ApplyConfiguration expression: int array",
		"[1]": "unsupported return type from ApplyConfiguration expression: list(dyn) array of JSONPatch",
	} {
		run, e := c.Start(request, policy.Budget), c.Compile(expression, policy.Variable)
		object, err := run.Configuration(t.Context(), e)
		patch, failed := run.Patch(t.Context(), e)
		_, text, _ := strings.Cut(fmt.Sprint(failed), "evaluate to ")
		if got := fmt.Sprint(err, " ", text); object != nil || patch != nil || got != want {
			t.Errorf("%s: %v, %s, %s, want %s", expression, object, patch, got, want)
		}
	}
}
