package compilation

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/crdsem/crdsem/celrules/internal/decl"
	"github.com/crdsem/crdsem/internal/belowfacade/library"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
	"github.com/crdsem/crdsem/structural"
)

// A value is computed once. The wait for it ends with the context.
func TestFlight(t *testing.T) {
	var f flight[int]
	if v, ok := f.known(); ok || v != 0 {
		t.Errorf("%d is known", v)
	}
	begun, goOn := make(chan bool), make(chan bool)
	cause := errors.New("ended")
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		<-begun
		cancel(cause)
	}()
	v, err := f.get(ctx, func() int {
		close(begun)
		<-goOn
		return 7
	})
	if !errors.Is(err, cause) || v != 0 {
		t.Errorf("%d, %v", v, err)
	}
	close(goOn)
	for range 2 {
		v, err = f.get(context.Background(), func() int { return 8 })
		if v != 7 || err != nil {
			t.Errorf("%d, %v", v, err)
		}
	}
	for range 64 {
		if v, err = f.get(ctx, func() int { return 8 }); v != 7 || err != nil {
			t.Errorf("%d, %v for a context that ended after the value was known", v, err)
		}
	}
	if v, ok := f.known(); !ok || v != 7 {
		t.Errorf("%d, %t", v, ok)
	}
}

// A panic is repeated in each call, with and without a context that can end.
func TestFlightPanics(t *testing.T) {
	for name, ctx := range map[string]context.Context{
		"background": context.Background(), "can end": t.Context(),
	} {
		var f flight[int]
		for range 2 {
			func() {
				defer func() {
					if got := recover(); got != "oops" {
						t.Errorf("%s: panics with %v", name, got)
					}
				}()
				v, err := f.get(ctx, func() int { panic("oops") })
				t.Errorf("%s: %d, %v", name, v, err)
			}()
		}
		if _, ok := f.known(); ok {
			t.Errorf("%s: a value is known", name)
		}
	}
}

// scope returns the scope of a string in a minor.
func scope(t *testing.T, c *Cache, p *profile.Profile, text string) *Scope {
	t.Helper()
	schema, err := structural.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return c.Scope(ScopeKey{Node: c.Universe(profile.Latest()).Inner(schema), Profile: p,
		Expressions: library.StoredExpressions})
}

const (
	short = `{"type":"string","maxLength":10}`
	long  = `{"type":"string","maxLength":20}`
)

// Rules are shared by nodes that look the same, and by minors in which an
// expression means and costs the same.
func TestShared(t *testing.T) {
	latest, older := profile.Latest(), profile.Of(33)
	rule := func(c *Cache, p *profile.Profile, schema string, r structural.Rule) *Rule {
		t.Helper()
		s := scope(t, c, p, schema)
		compiled, err := c.Rule(t.Context(), s, s, r)
		if err != nil {
			t.Fatal(err)
		}
		return compiled
	}
	plain := structural.Rule{Rule: "self == 'a'"}
	const range37 = "lists.range(2).size() == 2" // has a limit since 1.37
	c := &Cache{}
	first := rule(c, latest, short, plain)
	for name, want := range map[string]struct {
		got  *Rule
		same bool
	}{
		"again":          {rule(c, latest, short, plain), true},
		"another schema": {rule(c, latest, long, plain), false},
		"an older minor": {rule(c, older, short, plain), true},
		"another rule":   {rule(c, latest, short, structural.Rule{Rule: "self == 'b'"}), false},
		"with a message": {rule(c, latest, short,
			structural.Rule{Rule: plain.Rule, MessageExpression: "self"}), false},
		"blank, older":      {rule(c, older, short, structural.Rule{Rule: " "}), false},
		"a cache of others": {rule(&Cache{}, latest, short, plain), false},
	} {
		if (want.got == first) != want.same {
			t.Errorf("%s: shared: %t", name, !want.same)
		}
	}
	for name, r := range map[string]structural.Rule{
		"of a rule":    {Rule: range37},
		"of a message": {Rule: plain.Rule, MessageExpression: range37 + " ? 'a' : 'b'"},
	} {
		if rule(c, latest, short, r) == rule(c, profile.Of(36), short, r) {
			t.Errorf("%s that changed is shared", name)
		}
	}
	blank := structural.Rule{Rule: " "}
	if rule(c, latest, short, blank) != rule(c, older, short, blank) {
		t.Error("a blank rule is not shared")
	}
	schema, err := structural.Parse([]byte(short))
	if err != nil {
		t.Fatal(err)
	}
	parts := func() [4]any {
		s := c.Scope(ScopeKey{Node: new(decl.Universe).Inner(schema), Profile: latest})
		return [4]any{rule(c, latest, short, plain), s, c.Universe(profile.Of(30)),
			c.Universe(latest).Inner(schema)}
	}
	before := parts()
	if before != parts() || before[0] != first {
		t.Error("parts are not shared")
	}
	c.Drop()
	if direct, all := c.CountDirect(); direct+all != 0 {
		t.Errorf("%d rules after Drop", all)
	}
	for i, part := range parts() {
		if part == before[i] {
			t.Errorf("%T is shared after Drop", part)
		}
	}
}

// Minors with the same declarations share a universe.
func TestUniverse(t *testing.T) {
	c := &Cache{}
	known := map[decl.Variant]*decl.Universe{}
	for range 2 {
		for minor := profile.Newest; minor >= profile.Oldest; minor-- {
			v, got := decl.VariantOf(profile.Of(minor)), c.Universe(profile.Of(minor))
			if of, ok := known[v]; ok && of != got {
				t.Errorf("1.%d: another universe of %+v", minor, v)
			}
			for other, of := range known {
				if other != v && of == got {
					t.Errorf("1.%d: the universe of %+v for %+v", minor, other, v)
				}
			}
			known[v] = got
		}
	}
	if len(known) < 3 {
		t.Errorf("%d universes", len(known))
	}
}

// The errors are those of the server; see CRD-210 to CRD-212.
func TestErrors(t *testing.T) {
	c := &Cache{}
	s := scope(t, c, profile.Latest(), short)
	const unknown = "ERROR: <input>:1:1: undeclared reference to 'x' (in container '')\n" +
		" | x\n | ^"
	const number = "type conversion error from 'string' to 'int'"
	for _, r := range []struct {
		rule, message string
		want          Error
		ofMessage     bool
		usesOldSelf   bool
	}{
		{"x", "", Error{"compilation failed: " + unknown, "CRD-210"}, false, false},
		{"self", "", Error{"cel expression must evaluate to a bool", "CRD-211"}, false, false},
		{"oldSelf == self && int('x') == 1", "", Error{"program instantiation failed: " + number, "CRD-211"}, false, true},
		{"int('x') == 1", "'a'", Error{"program instantiation failed: " + number, "CRD-211"}, false, false},
		{"true", "string(int('x'))",
			Error{"messageExpression instantiation failed: " + number, "CRD-212"}, true, false},
		{"true", "x",
			Error{"messageExpression compilation failed: " + unknown, "CRD-212"}, true, false},
		{"self == oldSelf", "self == ''",
			Error{"messageExpression must evaluate to a string", "CRD-212"}, true, true},
	} {
		compiled, err := c.Rule(t.Context(), s, s,
			structural.Rule{Rule: r.rule, MessageExpression: r.message})
		if err != nil {
			t.Fatal(err)
		}
		message, got := compiled.MessageExpression()
		most, cost := compiled.Cost(profile.Latest(), s.key.Node)
		messageMost, messageCost := compiled.MessageCost(profile.Latest(), s.key.Node)
		if messageMost != 0 || cost != nil && most != 0 {
			t.Errorf("%s: costs %d and %d with an error", r.rule, most, messageMost)
		}
		if r.ofMessage {
			if compiled.Err != nil || cost != nil || messageCost != got || message != nil {
				t.Errorf("%s: %v, %v", r.rule, compiled.Err, messageCost)
			}
		} else {
			if got != nil || cost != compiled.Err || messageCost != nil ||
				compiled.Expression != nil {
				t.Errorf("%s: %v, %v", r.rule, got, cost)
			}
			got = compiled.Err
		}
		if got == nil || *got != r.want || compiled.UsesOldSelf != r.usesOldSelf {
			t.Errorf("%s: %v, want %v", r.rule, got, r.want)
		}
	}
}

// Estimates are computed once for each variant of sizes; those of a string
// depend on its maxLength.
func TestEstimates(t *testing.T) {
	c := &Cache{}
	s := scope(t, c, profile.Latest(), long)
	r, err := c.Rule(t.Context(), s, s, structural.Rule{
		Rule: "self.find('[a-z]+') != ''", MessageExpression: "self + self"})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.PrepareMessage(t.Context()); err != nil {
		t.Fatal(err)
	}
	known := func(e *Expression) (n int) {
		for at := e.estimates.Load(); at != nil; at = at.next {
			n++
		}
		return n
	}
	// A character counts as 4: ⌈0.1·81⌉ · ⌈0.25·6⌉ for find, and 1 for self.
	latest, oldest := profile.Latest(), profile.Of(profile.Oldest)
	for i, p := range []*profile.Profile{latest, latest, oldest, oldest} {
		cost, failed := r.Cost(p, c.Universe(p).Like(s.key.Node))
		if want := 1 + i/2; failed != nil || cost != 19 || known(r.Expression) != want {
			t.Errorf("%s: %d, %v; %d estimates, want %d",
				p.Minor, cost, failed, known(r.Expression), want)
		}
	}
	type way struct {
		variant decl.Variant
		walk    [4]bool
	}
	ways := map[way]uint64{}
	twice, err := c.Rule(t.Context(), s, s, structural.Rule{Rule: "[self, self].map(x, x)" +
		".exists(x, dyn(self).contains(x))"})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		for minor := profile.Oldest; minor <= profile.Newest; minor++ {
			p := profile.Of(minor)
			n := c.Universe(p).Like(s.key.Node)
			cost, failed := twice.Cost(p, n)
			at := way{n.Variant(), walkOf(p)}
			ways[at] = cost
			if want := twice.Expression.EstimateWith(p, n); failed != nil || cost != want ||
				known(twice.Expression) != len(ways) {
				t.Errorf("%s: %d, %v, want %d; %d estimates, want %d",
					p.Minor, cost, failed, want, known(twice.Expression), len(ways))
			}
		}
	}
	if costs := slices.Compact(slices.Sorted(maps.Values(ways))); len(costs) < 2 {
		t.Errorf("all minors estimate %d", costs)
	}
	plain, err := c.Rule(t.Context(), s, s, structural.Rule{Rule: "true"})
	if err != nil {
		t.Fatal(err)
	}
	if cost, failed := plain.MessageCost(latest, s.key.Node); cost != 0 || failed != nil {
		t.Errorf("no message: %d, %v", cost, failed)
	}
	if cost, failed := r.MessageCost(latest, s.key.Node); cost != 2+16 || failed != nil {
		t.Errorf("the message: %d, %v", cost, failed)
	}
}
