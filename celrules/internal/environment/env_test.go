package environment_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/interpreter"

	"github.com/crdsem/crdsem/celrules/internal/environment"
	"github.com/crdsem/crdsem/celrules/internal/meter"
	"github.com/crdsem/crdsem/internal/belowfacade/library"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// serverLimits are the limits of one evaluation on a server.
var serverLimits = environment.Limits{Cost: environment.PerCallLimit}

// base returns the environment for expressions of a kind.
func base(t testing.TB, kind library.Expressions) *environment.Env {
	t.Helper()
	e, err := environment.For(profile.Latest(), kind)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// scope returns a scope for stored expressions with self, a list of strings.
func scope(t testing.TB) *environment.Scope {
	t.Helper()
	variable := environment.Variable{Name: "self", Type: cel.ListType(cel.StringType)}
	s, err := base(t, library.StoredExpressions).Scope(nil, variable)
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
	list := types.NewStringList(types.DefaultTypeAdapter, of)
	a, err := interpreter.NewActivation(map[string]any{"self": list})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestDeclaresCatalogue compares the functions that the environments declare
// beyond the standard library with the catalogue, in every minor.
func TestDeclaresCatalogue(t *testing.T) {
	standard, err := cel.NewEnv()
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 * int(profile.Newest-profile.Oldest+1) {
		kind, p := library.Expressions(i%2), profile.Of(profile.Oldest+profile.Minor(i/2))
		var want, got []string
		for _, f := range library.Functions(library.Version(p.Minor), kind) {
			for _, o := range f.Overloads {
				want = append(want, f.Name+" "+o.ID)
			}
		}
		if !p.DurationArguments { // then of the standard library
			want = append(want, "duration int64_to_duration")
		}
		env, err := environment.For(p, kind)
		if err != nil {
			t.Fatal(err)
		}
		for name, f := range env.CEL().Functions() {
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
			t.Errorf("%v, expressions %v: catalogue\n%q\nenvironment\n%q", p.Minor, kind, want, got)
		}
	}
}

// TestNewAndStored compiles the only expression that the two environments treat
// differently in 1.37 (CEL-005).
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
	const want = "undeclared reference to 'includes' (in container '')"
	if err := issues.Err(); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v", err)
	}
}

// TestCheckLeavesParse checks one parsed expression in two environments. The
// type checker rewrites the name sets.contains in place.
func TestCheckLeavesParse(t *testing.T) {
	parsed, issues := base(t, library.NewExpressions).Parse("sets.contains(['a'], ['a'])")
	if err := issues.Err(); err != nil {
		t.Fatal(err)
	}
	const added, stored = library.NewExpressions, library.StoredExpressions
	for _, kind := range []library.Expressions{added, stored, stored} {
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
	_, cost, err := p.Eval(context.Background(), variables, serverLimits)
	if err != nil {
		t.Fatal(err)
	}
	value, same, err := p.Eval(context.Background(), variables, environment.Limits{Cost: cost})
	if err != nil || value != types.True || same != cost {
		t.Errorf("a limit of just the cost %d: %v, cost %d, %v", cost, value, same, err)
	}
	_, spent, err := p.Eval(context.Background(), variables, environment.Limits{Cost: cost - 1})
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
	p := program(t, scope(t), "self.all(x, x == '')")
	_, _, err := p.Eval(ctx, self(t, many...), serverLimits)
	if err == nil || err.Error() != "operation interrupted: context canceled" {
		t.Errorf("got %v", err)
	}
	value, _, err := p.Eval(ctx, self(t, "", ""), serverLimits)
	if err != nil || value != types.True {
		t.Errorf("a short run: %v, %v", value, err)
	}
}

// TestPanics plans and evaluates expressions for which cel-go panics: that is
// an error.
func TestPanics(t *testing.T) {
	s := scope(t)
	checked, issues := s.Compile("{b'a': 1}.size() == 1")
	if err := issues.Err(); err != nil {
		t.Fatal(err)
	}
	_, err := s.Env().Plan(checked)
	if err == nil || !strings.HasPrefix(err.Error(), "internal error: ") {
		t.Errorf("plan: %v", err)
	}
	const internal = "ERROR: <input>:1:1: internal error: "
	if checked, issues := s.Compile("[1, ?dyn(2)]"); checked != nil || issues.Err() == nil ||
		!strings.HasPrefix(issues.Err().Error(), internal) {
		t.Errorf("check: %v", issues.Err())
	}
	p := program(t, s, "{bytes(self[0]): 1}.size() == 1")
	value, _, err := p.Eval(context.Background(), self(t, "a"), serverLimits)
	if err == nil || !strings.HasPrefix(err.Error(), "internal error: ") {
		t.Errorf("evaluation: %v, %v", value, err)
	}
}

// TestConcurrentUse compiles, plans and evaluates expressions of one
// environment in many goroutines.
func TestConcurrentUse(t *testing.T) {
	const exists = "self.exists(x, quantity(x) == quantity('1').add(0) || x.find('[a-z]+') == x)"
	const all = "self.all(x, x in ['a', 'b'] && " +
		"format.dns1123Label().validate(x) == optional.none())"
	ctx := context.Background()
	shared := program(t, scope(t), exists)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			s := scope(t)
			for range 20 {
				own := program(t, s, all)
				value, _, err := own.Eval(ctx, self(t, "a", "b"), serverLimits)
				if value != types.True {
					t.Errorf("own: %v, %v", value, err)
				}
				value, _, err = shared.Eval(ctx, self(t, "7", "x"), serverLimits)
				if value != types.True {
					t.Errorf("shared: %v, %v", value, err)
				}
			}
		})
	}
	group.Wait()
}

// TestManyMacros compiles many macros that double their receiver, none of which
// is the receiver of another. The texts are for either parser.
func TestManyMacros(t *testing.T) {
	s := scope(t)
	for _, start := range []string{"1", "r'é'"} {
		one := "optional.of(" + start + ").optMap(x, x).hasValue() && "
		text := strings.Repeat(one, 40) + "'optMap' != 'optFlatMap'"
		if _, issues := s.Compile(text); issues.Err() != nil {
			t.Errorf("%s: %v", start, issues.Err())
		}
	}
}

// An evaluation ends where its functions make or read too much (package meter).
func TestMemory(t *testing.T) {
	if got := (environment.Limits{}).Memory(); got != meter.DefaultLimit {
		t.Errorf("%d bytes", got)
	}
	s, text := scope(t), strings.Repeat("a", 500)
	for _, e := range []string{
		"self[0].replace('a', 'bb')", "self[0].find(self[0])", "self[0].matches(self[0])",
		"self[0].findAll('a')", "self[0].findAll(self[0])", "[self[0], self[0]].join('')",
	} {
		limits := environment.Limits{Cost: environment.PerCallLimit, Bytes: 1}
		_, _, err := program(t, s, e).Eval(t.Context(), self(t, text), limits)
		if _, ok := errors.AsType[*meter.ExceededError](err); !ok {
			t.Errorf("%s: %v", e, err)
		}
	}
	p := program(t, s, "(self[0] + self[0]).size() > 0")
	for bytes, ends := range map[uint64]bool{0: false, 10: true, 4000: false} {
		limits := environment.Limits{Cost: environment.PerCallLimit, Bytes: bytes}
		for range 20 { // each evaluation begins with nothing
			value, _, err := p.Eval(t.Context(), self(t, text), limits)
			_, exceeded := errors.AsType[*meter.ExceededError](err)
			if exceeded != ends || ends == (value == types.True) {
				t.Fatalf("%d bytes: %v, %v", bytes, value, err)
			}
		}
	}
}

// An environment is not built with options that fail.
func TestBuildErrors(t *testing.T) {
	bad := errors.New("bad")
	err := environment.BuildWith(func(*cel.Env) (*cel.Env, error) { return nil, bad })
	if !errors.Is(err, bad) {
		t.Errorf("an option that fails: %v", err)
	}
	if err := environment.BuildWith(cel.Variable("more", cel.IntType)); err != nil {
		t.Error(err)
	}
	const want = "kubernetes.urls: string_to_url: the overload has no implementation"
	if err := environment.Declare(library.Libraries()[0]); err == nil || err.Error() != want {
		t.Errorf("a library without implementations: %v", err)
	}
	set := map[string]any{"a": 1}
	if environment.Setting(set, "a", 2) != 1 || environment.Setting(set, "b", 2) != 2 {
		t.Error("settings of validators")
	}
}

// Before 1.32 the receiver is shared, and too large a one is an error as well.
func TestTooLargeFormerly(t *testing.T) {
	e, err := environment.For(profile.Of(31), library.StoredExpressions)
	if err != nil {
		t.Fatal(err)
	}
	for n, fails := range map[int]bool{3: false, 40: true} {
		text := "optional.of(1)" + strings.Repeat(".optMap(x, x)", n) + ".hasValue()"
		if _, issues := e.Parse(text); (issues.Err() != nil) != fails {
			t.Errorf("%d: %v", n, issues.Err())
		}
	}
}

// TestTooLarge compiles chains of macros that double their receiver.
func TestTooLarge(t *testing.T) {
	s := scope(t)
	want := "ERROR: <input>:-1:0: " + environment.ErrTooLarge.Error()
	for _, start := range []string{"optional.of(1)", "optional.of(r'a')"} {
		for n, fails := range map[int]bool{4: false, 12: true, 40: true} {
			_, issues := s.Compile(start + strings.Repeat(".optMap(x, x)", n) + ".hasValue()")
			err := issues.Err()
			if fails != (err != nil) || fails && err.Error() != want {
				t.Errorf("%s, %d: %v", start, n, err)
			}
		}
	}
}
