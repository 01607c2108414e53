package policy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/celrules/policy"
	"github.com/crdsem/crdsem/minors"
)

// Variables are a map that is evaluated step by step.
func TestVariables(t *testing.T) {
	const failed = "<nil> expression resulted in error: "
	c := compiler(t, policy.Composed(), nil)
	for expression, want := range map[string]string{
		"dyn(variables).map(v, v)": failed +
			`composited variable "early" fails to compile: compilation failed: ` +
			"ERROR: <input>:1:10: undefined field 'late'\n | variables.late\n | .........^",
		"type(variables)":            "kubernetes.variables <nil>",
		"dyn(variables)['size']":     "3 <nil>",
		"has(variables.size)":        "true <nil>",
		"has(dyn(variables).none)":   "false <nil>",
		"variables == variables":     "true <nil>",
		"type(variables) == type(1)": "false <nil>",
		"dyn(variables)['none']":     failed + "no such key: none",
		"dyn(variables)[1]":          failed + "no such overload",
		"'size' in dyn(variables)":   failed + "no such overload",
		"has(variables.wrong)": failed +
			`composited variable "wrong" fails to evaluate: no such key: none`,
		"size(dyn(variables))":            failed + "no such overload: size",
		"dyn(variables) == dyn(1)":        failed + "no such overload",
		"dyn(variables) == dyn({'a': 1})": failed + "no such overload",
		"string(dyn(variables))":          failed + "no such overload: string(kubernetes.variables)",
	} {
		e := c.Compile(expression, policy.Variable)
		value, err := c.Start(request, policy.Budget).Eval(t.Context(), e)
		got := strings.Replace(fmt.Sprint(value, " ", err), " '"+expression+"'", "", 1)
		if got != want {
			t.Errorf("%s: %s, want %s", expression, got, want)
		}
	}
}

// Macros go over the values of variables. A name with an escape sequence stands
// for another one, so that its variable is not found.
func TestVariablesInMacros(t *testing.T) {
	const missing = "<nil> expression resulted in error: no such key: a__dash__b"
	plain := []string{"b", "a", "a__b", "__x"}
	for _, test := range []struct {
		names            []string
		expression, want string
	}{
		{plain, "dyn(variables).map(v, v)", "[3 1 2 0] <nil>"},
		{plain, "dyn(variables).exists(v, v == 2)", "true <nil>"},
		{plain, "dyn(variables).exists(v, v == 'a')", "false <nil>"},
		{plain, "dyn(variables).filter(v, v > 1)", "[3 2] <nil>"},
		{plain, "dyn(variables).transformList(i, v, v)",
			"<nil> expression resulted in error: no such overload"},
		{plain, "{'a': 1, 'b': 0, 'a__b': 2, '__x': 3} == dyn(variables)", "true <nil>"},
		{plain, "{'a': 1, 'b': 0, 'a__b': 2} == dyn(variables)", "false <nil>"},
		{plain, "{'a': 1, 'b': 0, 'a__b': 2, '__y': 3} == dyn(variables)", "false <nil>"},
		{plain, "variables.a__b + variables.__x", "5 <nil>"},
		{[]string{"a__dash__b"}, "variables.a__dash__b", missing},
		{[]string{"a__dash__b"}, "has(variables.a__dash__b)", "false <nil>"},
		{[]string{"a__dash__b"}, "dyn(variables).map(v, v)", missing},
		{[]string{"__if__"}, "has(variables.__if__)", "false <nil>"},
	} {
		c, err := policy.NewCompiler(minors.Newest(), policy.Composed())
		if err != nil {
			t.Fatal(err)
		}
		for i, name := range test.names {
			c.Define(name, fmt.Sprint(i))
		}
		e := c.Compile(test.expression, policy.Variable)
		value, err := c.Start(request, policy.Budget).Eval(t.Context(), e)
		got := strings.Replace(fmt.Sprint(value, " ", err), " '"+test.expression+"'", "", 1)
		if got != test.want {
			t.Errorf("%q: %s: %s, want %s", test.names, test.expression, got, test.want)
		}
	}
}

// A variable has the type of its expression if that is simple, a list or a map,
// otherwise any.
func TestTypesOfVariables(t *testing.T) {
	c, err := policy.NewCompiler(minors.Newest(), policy.Composed())
	if err != nil {
		t.Fatal(err)
	}
	for expression, want := range map[string]string{
		"true": "bool", "b''": "bytes", "1.5": "double", "1": "int", "null": "null_type",
		"1u": "uint", "''": "string",
		"duration('1s')":                    "google.protobuf.Duration",
		"timestamp('2026-01-01T00:00:00Z')": "google.protobuf.Timestamp",
		"[1]":                               "list(int)", "[[1u]]": "list(list(uint))",
		"{'a': [1]}":         "map(string, list(int))",
		"{1: quantity('1')}": "map(int, dyn)", "[optional.of(1)]": "list(dyn)",
		"object": "dyn", "request": "dyn", "type(1)": "dyn", "quantity('1')": "dyn",
		"optional.of(1)": "dyn", "request.userInfo.groups": "list(string)",
		"request.userInfo.extra": "map(string, list(string))",
		"1 +":                    "dyn", "unknown": "dyn", "'a'.matches('(')": "dyn",
	} {
		c.Define("v", expression)
		e := c.Compile("[variables.v]", policy.Condition)
		got := fmt.Sprint(e.Err())
		if want := "must evaluate to bool but got list(" + want + ")"; got != want {
			t.Errorf("%s: %s, want %s", expression, got, want)
		}
	}
}

// A request, its namespace and its user have the fields that a server declares.
func TestTypesOfRequests(t *testing.T) {
	c := compiler(t)
	for expression, want := range map[string]string{
		"request.kind.kind": "string", "request.requestKind.version": "string",
		"request.requestResource.resource": "string", "request.subResource": "string",
		"request.dryRun": "bool", "request.options": "dyn",
		"request.userInfo.extra":                                  "map(string, list(string))",
		"namespaceObject.metadata.UID":                            "string",
		"namespaceObject.metadata.generation":                     "int",
		"namespaceObject.metadata.creationTimestamp":              "google.protobuf.Timestamp",
		"namespaceObject.spec.finalizers":                         "list(string)",
		"namespaceObject.status.conditions[0].reason":             "string",
		"namespaceObject.status.conditions[0].lastTransitionTime": "google.protobuf.Timestamp",
	} {
		e := c.Compile("["+expression+"]", policy.Condition)
		if got := fmt.Sprint(e.Err()); got != "must evaluate to bool but got list("+want+")" {
			t.Errorf("%s: %s, want %s", expression, got, want)
		}
	}
}
