package environment_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/interpreter"

	"github.com/crdsem/crdsem/celrules/internal/environment"
	"github.com/crdsem/crdsem/celrules/library"
	"github.com/crdsem/crdsem/internal/test/allocs"
)

// base returns the environment for expressions of that kind.
func base(t testing.TB, kind library.Expressions) *environment.Env {
	t.Helper()
	set, err := environment.For(library.Latest)
	if err != nil {
		t.Fatal(err)
	}
	e, err := set.Env(kind)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// scope returns a scope for stored expressions over self, a list of strings.
func scope(t testing.TB) *environment.Scope {
	t.Helper()
	s, err := base(t, library.StoredExpressions).Scope(nil, environment.Variable{Name: "self", Type: cel.ListType(cel.StringType)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// program compiles and plans an expression.
func program(t testing.TB, s *environment.Scope, text string) *environment.Program {
	t.Helper()
	checked, issues := s.Compile(text)
	if err := issues.Err(); err != nil {
		t.Fatal(err)
	}
	p, err := s.Env().Plan(checked)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// self binds self to strings.
func self(t testing.TB, of ...string) cel.Activation {
	t.Helper()
	a, err := interpreter.NewActivation(map[string]any{"self": types.NewStringList(types.DefaultTypeAdapter, of)})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestForUnknownVersion(t *testing.T) {
	for _, v := range []library.Version{0, library.Latest - 1, library.Latest + 1} {
		if _, err := environment.For(v); err == nil {
			t.Errorf("Kubernetes %v has an environment", v)
		}
	}
}

// TestDeclaresCatalogue compares what the environments declare beyond the standard library with the catalogue.
func TestDeclaresCatalogue(t *testing.T) {
	standard, err := cel.NewEnv()
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []library.Expressions{library.NewExpressions, library.StoredExpressions} {
		var want, got []string
		for _, f := range library.Functions(library.Latest, kind) {
			for _, o := range f.Overloads {
				want = append(want, f.Name+" "+o.ID)
			}
		}
		for name, f := range base(t, kind).CEL().Functions() {
			known := map[string]bool{}
			if s := standard.Functions()[name]; s != nil {
				for _, o := range s.OverloadDecls() {
					known[o.ID()] = true
				}
			}
			for _, o := range f.OverloadDecls() {
				if !known[o.ID()] {
					got = append(got, name+" "+o.ID())
				}
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(want, got) {
			t.Errorf("expressions %v: catalogue\n%q\nenvironment\n%q", kind, want, got)
		}
	}
}

// TestNewAndStored shows all that differs between the environments in 1.37 (CEL-005).
func TestNewAndStored(t *testing.T) {
	const expression = "[1].includes(1)"
	added, err := base(t, library.NewExpressions).Scope(nil)
	if err != nil {
		t.Fatal(err)
	}
	stored, err := base(t, library.StoredExpressions).Scope(nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, issues := stored.Compile(expression); issues.Err() != nil {
		t.Error(issues.Err())
	}
	_, issues := added.Compile(expression)
	if err := issues.Err(); err == nil || !strings.Contains(err.Error(), "undeclared reference to 'includes' (in container '')") {
		t.Errorf("got %v", err)
	}
}

// TestCheckLeavesParse checks one parse in two environments; the type checker rewrites the name sets.contains where it finds it.
func TestCheckLeavesParse(t *testing.T) {
	parsed, issues := base(t, library.NewExpressions).Parse("sets.contains(['a'], ['a'])")
	if err := issues.Err(); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []library.Expressions{library.NewExpressions, library.StoredExpressions, library.StoredExpressions} {
		s, err := base(t, kind).Scope(nil)
		if err != nil {
			t.Fatal(err)
		}
		checked, issues := s.Check(parsed)
		if err := issues.Err(); err != nil {
			t.Fatalf("expressions %v: %v", kind, err)
		}
		if got := checked.GetType(checked.Expr().ID()); got != cel.BoolType {
			t.Errorf("type %v", got)
		}
		if parsed.IsChecked() {
			t.Error("the parse was changed")
		}
	}
}

func TestScopeErrors(t *testing.T) {
	e := base(t, library.StoredExpressions)
	twice := environment.Variable{Name: "self", Type: cel.IntType}
	other := environment.Variable{Name: "self", Type: cel.StringType}
	if _, err := e.Scope(nil, twice, other); err == nil {
		t.Error("two variables of one name and different types are accepted")
	}
	if _, issues := scope(t).Compile("other == 1"); issues.Err() == nil {
		t.Error("a variable that is not declared is accepted")
	}
}

func TestEvalLimit(t *testing.T) {
	p := program(t, scope(t), "self.all(x, x.startsWith('a'))")
	variables := self(t, "a", "ab", "abc")
	_, cost, err := p.Eval(context.Background(), variables, environment.PerCallLimit)
	if err != nil {
		t.Fatal(err)
	}
	value, same, err := p.Eval(context.Background(), variables, cost)
	if err != nil || value != types.True || same != cost {
		t.Errorf("a limit of just the cost %d: %v, cost %d, %v", cost, value, same, err)
	}
	_, spent, err := p.Eval(context.Background(), variables, cost-1)
	if err == nil || err.Error() != "operation cancelled: actual cost limit exceeded" {
		t.Errorf("a limit of one less: %v", err)
	}
	if spent < cost {
		t.Errorf("spent %d of %d when the limit stopped it", spent, cost)
	}
}

func TestEvalCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	many := make([]string, 300)
	_, _, err := program(t, scope(t), "self.all(x, x == '')").Eval(ctx, self(t, many...), environment.PerCallLimit)
	if err == nil || err.Error() != "operation interrupted: context canceled" {
		t.Errorf("got %v", err)
	}
	value, _, err := program(t, scope(t), "self.all(x, x == '')").Eval(ctx, self(t, "", ""), environment.PerCallLimit)
	if err != nil || value != types.True {
		t.Errorf("a short run: %v, %v", value, err)
	}
}

// TestPanics shows that what panics in a plan or in an evaluation is an error.
func TestPanics(t *testing.T) {
	s := scope(t)
	checked, issues := s.Compile("{b'a': 1}.size() == 1")
	if err := issues.Err(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Env().Plan(checked); err == nil || !strings.HasPrefix(err.Error(), "internal error: ") {
		t.Errorf("plan: %v", err)
	}
	value, _, err := program(t, s, "{bytes(self[0]): 1}.size() == 1").Eval(context.Background(), self(t, "a"), environment.PerCallLimit)
	if err == nil || !strings.HasPrefix(err.Error(), "internal error: ") {
		t.Errorf("evaluation: %v, %v", value, err)
	}
}

// TestConcurrentUse compiles, plans and evaluates one environment's expressions from many goroutines.
func TestConcurrentUse(t *testing.T) {
	shared := program(t, scope(t), "self.exists(x, quantity(x) == quantity('1').add(0) || x.find('[a-z]+') == x)")
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			s := scope(t)
			for range 20 {
				own := program(t, s, "self.all(x, x in ['a', 'b'] && format.dns1123Label().validate(x) == optional.none())")
				if value, _, err := own.Eval(context.Background(), self(t, "a", "b"), environment.PerCallLimit); value != types.True {
					t.Errorf("%v, %v", value, err)
				}
				if value, _, err := shared.Eval(context.Background(), self(t, "7", "x"), environment.PerCallLimit); value != types.True {
					t.Errorf("%v, %v", value, err)
				}
			}
		})
	}
	group.Wait()
}

// TestEvalAllocations holds what evaluating allocates on its own: a cost tracker.
func TestEvalAllocations(t *testing.T) {
	p, variables := program(t, scope(t), "true"), self(t)
	ctx := context.Background()
	allocs.AtMost(t, 2, "Eval", func() {
		if value, _, err := p.Eval(ctx, variables, environment.PerCallLimit); value != types.True || err != nil {
			t.Fatalf("%v, %v", value, err)
		}
	})
}

// TestManyMacros compiles macros that double their receiver, many of them beside each other, in texts for either parser: none doubles another.
func TestManyMacros(t *testing.T) {
	s := scope(t)
	for _, start := range []string{"1", "r'é'"} {
		text := strings.Repeat("optional.of("+start+").optMap(x, x).hasValue() && ", 40) + "'optMap' != 'optFlatMap'"
		if _, issues := s.Compile(text); issues.Err() != nil {
			t.Errorf("%s: %v", start, issues.Err())
		}
	}
}

// TestDoubles counts the macros that double their receiver.
func TestDoubles(t *testing.T) {
	for n, want := range map[int]bool{0: false, 1: false, 8: false, 9: true, 30: true, 90: true} {
		text := "optional.of(1)" + strings.Repeat(".optMap(x, x)", n)
		if got := environment.Doubles(text); got != want {
			t.Errorf("%d calls: %v", n, got)
		}
	}
}

// TestTooLarge compiles chains of macros that double their receiver, in texts for either parser.
func TestTooLarge(t *testing.T) {
	s := scope(t)
	for _, start := range []string{"optional.of(1)", "optional.of(r'a')"} {
		for n, fails := range map[int]bool{4: false, 12: true, 40: true} {
			_, issues := s.Compile(start + strings.Repeat(".optMap(x, x)", n) + ".hasValue()")
			err := issues.Err()
			if fails != (err != nil) || fails && !strings.Contains(err.Error(), "expression is too large") {
				t.Errorf("%s, %d: %v", start, n, err)
			}
		}
	}
}
