package environment_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	"cel.dev/cel-go/interpreter"

	"github.com/crdsem/crdsem/celrules/internal/environment"
	"github.com/crdsem/crdsem/celrules/internal/meter"
	"github.com/crdsem/crdsem/internal/belowfacade/library"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// scopeOf returns a scope of a minor with dynamic variables.
func scopeOf(
	t *testing.T, minor profile.Minor, kind library.Expressions, names ...string,
) *environment.Scope {
	t.Helper()
	e, err := environment.For(profile.Of(minor), kind)
	if err != nil {
		t.Fatal(err)
	}
	var variables []environment.Variable
	for _, name := range names {
		variables = append(variables, environment.Variable{Name: name, Type: cel.DynType})
	}
	s, err := e.Scope(nil, variables...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// evaluate returns the value of an expression, or its error, and its cost.
func evaluate(
	t *testing.T, s *environment.Scope, text string, charging *profile.Profile,
	values map[string]any,
) (string, uint64) {
	t.Helper()
	variables, err := interpreter.NewActivation(values)
	if err != nil {
		t.Fatal(err)
	}
	limits := serverLimits
	limits.Profile = charging
	value, cost, err := program(t, s, text).Eval(context.Background(), variables, limits)
	if err != nil {
		return err.Error(), cost
	}
	return types.Format(value), cost
}

// The first selection from a variable that is an error is charged up to
// Kubernetes 1.30 (CEL-041, CEL-064).
func TestSelectionsFromErrors(t *testing.T) {
	s := scopeOf(t, profile.Newest, library.StoredExpressions, "e", "m", "k")
	values := map[string]any{
		"e": types.NewErr("bad"), "k": "z",
		"m": map[string]any{"a": map[string]any{"b": 1}},
	}
	for text, want := range map[string]struct {
		value string
		more  uint64
	}{
		"e.a":         {"bad", 1},
		"e.a.b":       {"bad", 1},
		"e[0]":        {"bad", 1},
		"e['a'][0].b": {"bad", 1},
		"e == 1":      {"bad", 0},
		"e":           {"bad", 0},
		"e.?a":        {"bad", 0},
		"e.?a.b":      {"bad", 0},
		"m.a.b":       {"1", 0},
		"m.z.b":       {"no such key: z", 0},
		"m[k]":        {"no such key: z", 0},
		"m.a[e]":      {"bad", 0},
		"m[e.a]":      {"bad", 1},
	} {
		newest, least := evaluate(t, s, text, nil, values)
		former, cost := evaluate(t, s, text, profile.Of(30), values)
		same, charged := evaluate(t, s, text, profile.Of(31), values)
		if newest != want.value || former != newest || same != newest ||
			cost != least+want.more || charged != least {
			t.Errorf("%s: %s of %d, %s of %d, %s of %d", text, newest, least, former, cost, same,
				charged)
		}
	}
}

// Up to Kubernetes 1.37 a call is charged whose last argument was evaluated
// after one that is an error. A pattern that is no string is as any argument
// (CEL-064).
func TestCallsAfterErrors(t *testing.T) {
	s := scopeOf(t, profile.Default, library.StoredExpressions)
	for text, want := range map[string]uint64{
		`url('').getPort().matches(dyn(1))`:         2,
		`url('').getPort().matches('a')`:            1,
		`[url('').getPort().matches(dyn(1))]`:       12,
		`url('').getPort().startsWith(dyn(1))`:      2,
		`[url('').getPort().startsWith(string(1))]`: 12,
	} {
		if _, got := evaluate(t, s, text, profile.Of(profile.Default), nil); got != want {
			t.Errorf("%s: costs %d, want %d", text, got, want)
		}
	}
}

// twoFaced is a map that holds other texts in Go.
type twoFaced struct{ traits.Mapper }

func (twoFaced) Value() any {
	return map[string]any{
		"a": "in Go", "m": map[string]any{"b": "deep"}, "l": []any{"x"}, "n": 1,
	}
}

// Up to Kubernetes 1.36 what is read of an optional value is its value in Go
// (CEL-096, CEL-100).
func TestContentsOfOptionals(t *testing.T) {
	declared := types.DefaultTypeAdapter.NativeToValue(map[string]any{
		"a": "declared", "m": map[string]any{"b": "shallow"}, "l": []any{"y"}, "n": 1,
	}).(traits.Mapper)
	values := map[string]any{
		"o": types.OptionalOf(twoFaced{declared}), "n": types.OptionalNone, "k": "a",
		"m": twoFaced{declared},
	}
	for text, want := range map[string][2]string{
		"o.?a.value()":                              {"in Go", "declared"},
		"o.a.value()":                               {"in Go", "declared"},
		"o['a'].value()":                            {"in Go", "declared"},
		"o[?k].value()":                             {"in Go", "declared"},
		"o[k].value()":                              {"in Go", "declared"},
		"o.?m.?b.value()":                           {"deep", "shallow"},
		"o.m.b.value()":                             {"deep", "shallow"},
		"o.?m.value().b":                            {"deep", "shallow"},
		"o.?l[?0].value()":                          {"x", "y"},
		"o.value().a":                               {"in Go", "declared"},
		"optional.of(m).?a.value()":                 {"in Go", "declared"},
		"optional.of(m).m.b.value()":                {"deep", "shallow"},
		"(true ? o : n).?a.value()":                 {"in Go", "declared"},
		"optional.of(m.a).value()":                  {"declared", "declared"},
		"m.a":                                       {"declared", "declared"},
		"m[k]":                                      {"declared", "declared"},
		"m.?a.value()":                              {"declared", "declared"},
		"o.?z.hasValue() ? '1' : '0'":               {"0", "0"},
		"o.z.b.hasValue() ? '1' : '0'":              {"0", "0"},
		"n.?a.hasValue() ? '1' : '0'":               {"0", "0"},
		"n.hasValue() ? '1' : '0'":                  {"0", "0"},
		"o.hasValue() ? '1' : '0'":                  {"1", "1"},
		"optional.none().?a.hasValue() ? '1' : '0'": {"0", "0"},
	} {
		for i, minor := range []profile.Minor{36, 37} {
			s := scopeOf(t, minor, library.StoredExpressions, "o", "n", "m", "k")
			got, _ := evaluate(t, s, text, nil, values)
			if got = strings.Trim(got, `"`); got != want[i] {
				t.Errorf("%s in %s: %s, want %s", text, minor, got, want[i])
			}
		}
	}
}

// In Kubernetes 1.32 the second variable of a macro over a dynamic value has no
// type (CEL-100).
func TestSecondVariables(t *testing.T) {
	for text, valid := range map[string]bool{
		"d.all(i, w, w == 'a')":                                 false,
		"d.all(i, w, has(w.a))":                                 false,
		"d.all(i, w, optional.of(w).optMap(w, true).value())":   false,
		"d.all(i, w, i == 0)":                                   true,
		"[].all(i, w, w == 'a')":                                true,
		"['b'].all(i, w, w == 'a')":                             true,
		"d.all(i, w, ['b'].all(w, w == 'a'))":                   true,
		"d.all(i, w, ['b'].all(j, w, w == 'a'))":                true,
		"d.all(i, w, ['b'].all(w, k, w == 0))":                  true,
		"d.all(i, w, optional.of(1).optMap(w, w == 1).value())": true,
	} {
		for minor, want := range map[profile.Minor]bool{32: valid, 33: true} {
			s := scopeOf(t, minor, library.StoredExpressions, "d")
			if _, issues := s.Compile(text); (issues.Err() == nil) != want {
				t.Errorf("%s in %s: %v", text, minor, issues.Err())
			}
		}
	}
}

// An environment has the libraries of its minor and kind, and the model of
// costs.
func TestHas(t *testing.T) {
	for _, c := range []struct {
		name          string
		minor         profile.Minor
		added, stored bool
	}{
		{library.URLs, 30, true, true},
		{library.Format, 30, false, false},
		{library.Format, 31, false, true},
		{library.Format, 32, true, true},
		{library.Lists, 36, true, true},
		{library.Lists, 37, true, true},
		{library.LiteralValidation, 30, true, true},
		{library.IP, 30, false, true},
		{"unknown", 37, false, false},
	} {
		for kind, want := range map[library.Expressions]bool{
			library.NewExpressions: c.added, library.StoredExpressions: c.stored,
		} {
			e := scopeOf(t, c.minor, kind).Env()
			if got := e.Has(c.name); got != want || e.Profile().Minor != c.minor {
				t.Errorf("%s in %s, expressions %v: %t", c.name, c.minor, kind, got)
			}
		}
	}
	e := base(t, library.StoredExpressions)
	text := types.String(strings.Repeat("a", 25))
	if got := e.CallCost("lowerAscii", "string_lower_ascii", []ref.Val{text}, text); got != 3 {
		t.Errorf("costs %d", got)
	}
	if e.NeedsResult("lowerAscii", "string_lower_ascii") || !e.NeedsResult("join", "list_join") {
		t.Error("costs by results")
	}
}

// Call finds what cel-go would run for a call.
func TestCall(t *testing.T) {
	e := base(t, library.StoredExpressions)
	text := func(s string) ref.Val { return types.String(s) }
	list := types.NewStringList(types.DefaultTypeAdapter, []string{"a", "b"})
	for _, c := range []struct {
		function, overload string
		args               []ref.Val
		want               string
	}{
		{"_==_", "equals", []ref.Val{text("a"), text("a")}, "true"},
		{"_!=_", "not_equals", []ref.Val{text("a"), text("a")}, "false"},
		{"_!=_", "", []ref.Val{text("a"), types.Int(1)}, "true"},
		{"lowerAscii", "string_lower_ascii", []ref.Val{text("A")}, `"a"`},
		{"lowerAscii", "", []ref.Val{text("A")}, `"a"`},
		{"size", "size_string", []ref.Val{text("abc")}, "3"},
		{"size", "", []ref.Val{types.Int(1)}, "no such overload: size"},
		{"_+_", "add_string", []ref.Val{text("a"), text("b")}, `"ab"`},
		{"_+_", "", []ref.Val{types.NullValue, text("b")}, "no such overload: _+_"},
		{"replace", "string_replace_string_string", []ref.Val{text("a"), text("a"), text("b")}, `"b"`},
		{"join", "list_join_string", []ref.Val{list, text("-")}, `"a-b"`},
		{"unknown", "unknown", []ref.Val{text("a")}, "none"},
		{"unknown", "", []ref.Val{text("a")}, "none"},
		{"lowerAscii", "string_lower_ascii", nil, "none"},
		{"@not_strictly_false", "not_strictly_false", []ref.Val{types.True}, "none"},
	} {
		got := "none"
		if call := e.Call(c.function, c.overload, len(c.args)); call != nil {
			value := call(&meter.Meter{Limit: meter.DefaultLimit}, c.args)
			if got = fmt.Sprint(value); !types.IsError(value) {
				got = types.Format(value)
			}
		}
		if got != c.want {
			t.Errorf("%s %s: %s, want %s", c.function, c.overload, got, c.want)
		}
	}
}

// The errors of syntax of 1.32, as its own code reports them: a backtick is no
// token, and what follows a percent sign is a verb without a value (CEL-090).
func TestFormerSyntax(t *testing.T) {
	const token = "Syntax error: token recognition error at: '`'"
	s := scopeOf(t, 32, library.StoredExpressions)
	for text, want := range map[string][]string{
		"X'%s'":     {"Syntax error: extraneous input ''%!s(MISSING)'' expecting <EOF>"},
		"X'100%!'":  {"Syntax error: extraneous input ''100%!!(MISSING)'' expecting <EOF>"},
		"`a%b`.c X": {token, token, "Syntax error: extraneous input 'X' expecting <EOF>"},
		"x.`a` X":   {token, token, "Syntax error: extraneous input 'X' expecting <EOF>"},
		"'%s' == 1": nil,
	} {
		_, issues := s.Env().Parse(text)
		var got []string
		for _, err := range issues.Errors() {
			got = append(got, err.Message)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
