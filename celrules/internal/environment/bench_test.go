package environment_test

import (
	"context"
	"testing"

	"cel.dev/cel-go/cel"

	"github.com/crdsem/crdsem/celrules/internal/environment"
	"github.com/crdsem/crdsem/internal/belowfacade/library"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// BenchmarkBase builds a base environment. A process builds at most two for
// each minor.
func BenchmarkBase(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if err := environment.Build(profile.Latest(), library.StoredExpressions); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkScope builds the environment of a schema node.
func BenchmarkScope(b *testing.B) {
	e := base(b, library.StoredExpressions)
	variable := environment.Variable{Name: "self", Type: cel.ListType(cel.StringType)}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := e.Scope(nil, variable); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkExtend builds the environment of a schema node as cel-go does, for
// comparison.
func BenchmarkExtend(b *testing.B) {
	e := base(b, library.StoredExpressions).CEL()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := e.Extend(cel.Variable("self", cel.ListType(cel.StringType))); err != nil {
			b.Fatal(err)
		}
	}
}

const benchmarked = "self.size() > 0 && self.all(x, x.startsWith('a'))"

func BenchmarkParse(b *testing.B) {
	e := base(b, library.StoredExpressions)
	b.ReportAllocs()
	for b.Loop() {
		if _, issues := e.Parse(benchmarked); issues.Err() != nil {
			b.Fatal(issues.Err())
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	s := scope(b)
	parsed, _ := s.Env().Parse(benchmarked)
	b.ReportAllocs()
	for b.Loop() {
		if _, issues := s.Check(parsed); issues.Err() != nil {
			b.Fatal(issues.Err())
		}
	}
}

func BenchmarkEstimate(b *testing.B) {
	s := scope(b)
	checked, _ := s.Compile(benchmarked)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Env().EstimateCost(profile.Latest(), checked, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPlan(b *testing.B) {
	s := scope(b)
	checked, _ := s.Compile(benchmarked)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Env().Plan(checked); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkEval evaluates expressions that call functions of several libraries.
func BenchmarkEval(b *testing.B) {
	s := scope(b)
	for _, c := range []struct{ name, text string }{
		{"constant", "true"},
		{"comprehension", benchmarked},
		{"quantity", "quantity(self[0]).isLessThan(quantity('2Gi'))"},
		{"find", "self[0].find('[a-z]+') == ''"},
		{"cidr", "cidr('10.0.0.0/8').containsIP(ip('10.1.2.3'))"},
		{"format", "!format.dns1123Label().validate(self[0]).hasValue()"},
		{"semver", "semver('1.2.3').isLessThan(semver('1.10.0'))"},
		{"sum", "[1, 2, 3].sum() == 6"},
	} {
		b.Run(c.name, func(b *testing.B) {
			p, variables := program(b, s, c.text), self(b, "1", "ab", "abc")
			b.ReportAllocs()
			for b.Loop() {
				_, _, err := p.Eval(context.Background(), variables, serverLimits)
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
