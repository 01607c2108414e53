package compilation

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/crdsem/crdsem/celrules/internal/environment"
	"github.com/crdsem/crdsem/internal/belowfacade/library"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
	"github.com/crdsem/crdsem/structural"
)

// Expressions run with cel-go, with and without the direct form, and show the
// values of their parts.
func TestEvaluate(t *testing.T) {
	limits := environment.Limits{Cost: environment.PerCallLimit}
	vars, err := cel.NewActivation(map[string]any{"self": types.String("a"),
		"oldSelf": types.String("b")})
	if err != nil {
		t.Fatal(err)
	}
	for _, celOnly := range []bool{false, true} {
		c := &Cache{CELOnly: celOnly}
		s := scope(t, c, profile.Latest(), short)
		for _, r := range []struct {
			rule, want string
			usesOld    bool
		}{
			{"self == 'a'", "true 2 <nil>", false},
			{"oldSelf == self", "false 3 <nil>", true},
			{"self == 'b' || self == oldSelf", "false 5 <nil>", true},
			{"int(self) == 1", "type conversion error from 'string' to 'int' 3 type conversion error " +
				"from 'string' to 'int'", false},
		} {
			compiled, err := c.Rule(t.Context(), s, s, structural.Rule{Rule: r.rule})
			if err != nil {
				t.Fatal(err)
			}
			e := compiled.Expression
			if e.Text != r.rule || e.UsesOldSelf != r.usesOld ||
				compiled.UsesOldSelf != r.usesOld ||
				(e.Direct == nil) != celOnly || e.AST() == nil {
				t.Errorf("%+v", e)
			}
			value, cost, err := e.Eval(t.Context(), vars, limits)
			if got := fmt.Sprint(value, " ", cost, " ", err); r.want != "" && got != r.want {
				t.Errorf("%s: %s, want %s", r.rule, got, r.want)
			}
			traced, err := e.Trace(t.Context(), vars)
			if err != nil || len(traced) < 2 ||
				fmt.Sprint(traced[e.AST().Expr().ID()]) != fmt.Sprint(value) {
				t.Errorf("%s: %v, %v", r.rule, traced, err)
			}
			seen := map[int64]ref.Val{}
			err = e.Watch(t.Context(), vars, func(id int64, v ref.Val) { seen[id] = v })
			if err != nil || len(seen) != len(traced) {
				t.Errorf("%s: %v, %v", r.rule, seen, err)
			}
		}
		for _, other := range []string{" ", "x", "self.matches('[')"} {
			if _, err := c.Rule(t.Context(), s, s, structural.Rule{Rule: other}); err != nil {
				t.Fatal(err)
			}
		}
		c.rules[ruleKey{rule: "never"}] = new(flight[*Rule])
		want := [2]int{4, 4}
		if celOnly {
			want[0] = 0
		}
		if direct, all := c.CountDirect(); [2]int{direct, all} != want {
			t.Errorf("%d of %d are evaluated directly", direct, all)
		}
	}
}

// A rule of an older minor waits for the newest one's, and the wait ends with
// the context.
func TestRuleWaits(t *testing.T) {
	c := &Cache{}
	newest, older := scope(t, c, profile.Latest(), short), scope(t, c, profile.Of(33), short)
	never := &flight[*Rule]{done: make(chan struct{})}
	c.rules = map[ruleKey]*flight[*Rule]{{scope: newest, messageScope: newest,
		rule: "self == 'a'"}: never}
	cause := errors.New("ended")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	r, err := c.Rule(ctx, older, older, structural.Rule{Rule: "self == 'a'"})
	if r != nil || !errors.Is(err, cause) {
		t.Errorf("%v, %v", r, err)
	}
	prepared := &Rule{messageText: "self", message: flight[message]{done: make(chan struct{})}}
	if err := prepared.PrepareMessage(ctx); !errors.Is(err, cause) {
		t.Errorf("the message: %v", err)
	}
	prepared.messageText = ""
	if err := prepared.PrepareMessage(ctx); err != nil {
		t.Errorf("no message: %v", err)
	}
}

// What a rule may use depends on its minor, the kind of expressions and
// optionalOldSelf, also if the newest minor rejects it.
func TestScopes(t *testing.T) {
	const object = `{"type":"object","properties":{"namespace":{"type":"string"}}}`
	const stored, added = library.StoredExpressions, library.NewExpressions
	c := &Cache{}
	for _, r := range []struct {
		rule, message string
		minor         profile.Minor
		kind          library.Expressions
		optional      bool
		compiles      string
	}{
		{"true", "'a'", 37, stored, false, "true true"},
		{"true", "", 37, stored, false, "true false"},
		{" ", "'a'", 37, stored, false, "false false"},
		{"self.namespace == 'a'", "self.namespace", 37, stored, false, "true true"},
		{"self.namespace == 'a'", "self.namespace", 31, stored, false, "true true"},
		{"self.namespace == 'a'", "", 31, added, false, "false false"},
		{"self.namespace == 'a'", "", 30, stored, false, "false false"},
		{"self.__namespace__ == 'a'", "self.namespace", 30, stored, false, "true false"},
		{"self.__namespace__ == 'a'", "self.__namespace__", 30, added, false, "true true"},
		{"oldSelf.hasValue()", "", 37, stored, true, "true false"},
		{"oldSelf.hasValue()", "", 37, stored, false, "false false"},
		{"oldSelf == self", "", 37, stored, false, "true false"},
		{"type(self) == optional_type", "", 31, stored, false, "true false"},
		{"type(self) == optional_type", "", 30, stored, false, "false false"},
		{"duration(1 + 0) == duration('1s')", "", 36, stored, false, "true false"},
		{"duration(1 + 0) == duration('1s')", "", 37, stored, false, "false false"},
		{"true", "string(duration(1 + 0))", 36, stored, false, "true true"},
		{"true", "string(duration(1 + 0))", 37, stored, false, "true false"},
	} {
		schema, err := structural.Parse([]byte(object))
		if err != nil {
			t.Fatal(err)
		}
		p := profile.Of(r.minor)
		s := c.Scope(ScopeKey{Node: c.Universe(p).Inner(schema), Profile: p,
			Expressions: r.kind, OptionalOldSelf: r.optional})
		compiled, err := c.Rule(t.Context(), s, s,
			structural.Rule{Rule: r.rule, MessageExpression: r.message})
		if err != nil {
			t.Fatal(err)
		}
		message, _ := compiled.MessageExpression()
		if got := fmt.Sprint(compiled.Expression != nil, " ", message != nil); got != r.compiles {
			t.Errorf("%s, %s in 1.%d: %s, want %s (%v)",
				r.rule, r.message, r.minor, got, r.compiles, compiled.Err)
		}
	}
}

func TestOptionalOldSelf(t *testing.T) {
	yes, no := true, false
	for name, c := range map[string]struct {
		set  *bool
		want bool
	}{"missing": {nil, false}, "true": {&yes, true}, "false": {&no, false}} {
		if got := OptionalOldSelf(&structural.Rule{OptionalOldSelf: c.set}); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

func TestErrorText(t *testing.T) {
	if got := (&Error{Detail: "a", Rule: "b"}).Error(); got != "a" {
		t.Error(got)
	}
}
