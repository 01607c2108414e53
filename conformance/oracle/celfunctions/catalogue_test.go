package celfunctions

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/decls"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
	celapi "k8s.io/apiserver/pkg/cel/library"

	"github.com/crdsem/crdsem/internal/belowfacade/library"
)

// beyondStandard returns the overloads of an environment that are not in CEL's
// standard library, by function, in the order of declaration.
func beyondStandard(t *testing.T, env *cel.Env) map[string][]string {
	standard, err := cel.NewEnv()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, f := range standard.Functions() {
		for _, o := range f.OverloadDecls() {
			known[o.ID()] = true
		}
	}
	out := map[string][]string{}
	for name, f := range env.Functions() {
		for _, o := range f.OverloadDecls() {
			if !known[o.ID()] {
				out[name] = append(out[name], declared(name, o))
			}
		}
	}
	return out
}

// declared writes an overload of a real environment in the catalogue's form.
func declared(name string, o *decls.OverloadDecl) string {
	var args []string
	for _, a := range o.ArgTypes() {
		args = append(args, typeText(a))
	}
	shown := library.Overload{ID: o.ID(), Params: args, Result: typeText(o.ResultType())}
	if o.IsMemberFunction() {
		shown.Receiver, shown.Params = args[0], args[1:]
	}
	return o.ID() + ": " + shown.Signature(name)
}

func typeText(t *cel.Type) string {
	return strings.NewReplacer("google.protobuf.Duration", "duration", "google.protobuf.Timestamp",
		"timestamp", "<", "", ">", "").
		Replace(t.String())
}

// catalogued returns the catalogue's overloads in the same form.
func catalogued(kind library.Expressions) map[string][]string {
	out := map[string][]string{}
	for _, f := range library.Functions(library.Latest, kind) {
		for _, o := range f.Overloads {
			out[f.Name] = append(out[f.Name], o.ID+": "+o.Signature(f.Name))
		}
	}
	return out
}

func TestCatalogue(t *testing.T) {
	base := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
	for kind, real := range map[library.Expressions]*cel.Env{
		library.NewExpressions: base.NewExpressionsEnv(), library.StoredExpressions: base.StoredExpressionsEnv(),
	} {
		want, got := beyondStandard(t, real), catalogued(kind)
		if len(want) < 100 {
			t.Fatalf("only %d functions beyond the standard library: the comparison covers too few",
				len(want))
		}
		overloads := 0
		for _, of := range want {
			overloads += len(of)
		}
		t.Logf("expressions %v: %d functions, %d overloads", kind, len(want), overloads)
		compareFunctions(t, fmt.Sprintf("expressions %v", kind), want, got)
	}
}

// compareFunctions compares overloads by function, in their order.
func compareFunctions(t *testing.T, what string, want, got map[string][]string) {
	t.Helper()
	for name, of := range want {
		if !slices.Equal(of, got[name]) {
			t.Errorf("%s: %s: real %q, catalogue %q", what, name, of, got[name])
		}
	}
	for name, of := range got {
		if want[name] == nil {
			t.Errorf("%s: %s: not in the real environment: %q", what, name, of)
		}
	}
}

// TestCatalogueVersions compares the environments for new expressions that the
// real code builds for older compatibility versions. The catalogue's
// introduction versions are right if the same libraries appear and disappear.
// The optional library is left out, because cel-go does not version it.
func TestCatalogueVersions(t *testing.T) {
	for compatibility := library.Version(29); compatibility <= library.Latest; compatibility++ {
		real := environment.MustBaseEnvSet(version.MajorMinor(1, uint(compatibility))).
			NewExpressionsEnv()
		want := beyondStandard(t, real)
		got := map[string][]string{}
		for _, lib := range library.Libraries() {
			if !lib.In(compatibility+1, library.NewExpressions) {
				continue
			}
			for _, f := range lib.Functions() {
				for _, o := range f.Overloads {
					got[f.Name] = append(got[f.Name], o.ID+": "+o.Signature(f.Name))
				}
			}
		}
		compareFunctions(t, fmt.Sprintf("compatibility %v", compatibility), want, got)
		for _, behavior := range []struct {
			name    string
			real    bool
			library string
		}{
			{"literal validation", real.HasValidator("cel.validator.duration"), library.LiteralValidation},
			{"cross-type comparison", comparesAcrossTypes(real), library.CrossTypeComparison},
		} {
			if got := has(behavior.library, compatibility); got != behavior.real {
				t.Errorf("compatibility %v: %s: real %v, catalogue %v",
					compatibility, behavior.name, behavior.real, got)
			}
		}
	}
}

// has reports whether the environment for new expressions of a compatibility
// version has a library.
func has(name string, compatibility library.Version) bool {
	return slices.ContainsFunc(library.Libraries(), func(l library.Library) bool {
		return l.Name == name && l.In(compatibility+1, library.NewExpressions)
	})
}

func comparesAcrossTypes(env *cel.Env) bool {
	_, issues := env.Compile("1 < 1.5")
	return issues.Err() == nil
}

// TestLibraryNames compares the names of the libraries.
func TestLibraryNames(t *testing.T) {
	base := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
	for kind, real := range map[library.Expressions]*cel.Env{
		library.NewExpressions: base.NewExpressionsEnv(), library.StoredExpressions: base.StoredExpressionsEnv(),
	} {
		want := slices.DeleteFunc(real.Libraries(),
			func(name string) bool { return name == "cel.lib.std" })
		var got []string
		for _, lib := range library.Libraries() {
			if lib.In(library.Latest, kind) && len(lib.Functions()) > 0 {
				got = append(got, lib.Name)
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(want, got) {
			t.Errorf("expressions %v: real %v, catalogue %v", kind, want, got)
		}
	}
}

// TestNamedFormats compares the formats.
func TestNamedFormats(t *testing.T) {
	catalogue := library.NamedFormats()
	if len(catalogue) != len(celapi.ConstantFormats) {
		t.Errorf("%d formats in the catalogue, %d in the real code", len(catalogue),
			len(celapi.ConstantFormats))
	}
	for _, f := range catalogue {
		real := celapi.ConstantFormats[f.Name]
		want, got := fmt.Sprint(real.Name, real.MaxRegexSize), fmt.Sprint(f.Identity, f.RegexSize)
		if want != got {
			t.Errorf("%s: real %s, catalogue %s", f.Name, want, got)
		}
	}
}

// TestMacros compares the macros (LIB-101). This library's environment takes
// them from cel-go, and the cases use them. The list is pinned here.
func TestMacros(t *testing.T) {
	base := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
	var got []string
	for _, m := range base.StoredExpressionsEnv().Macros() {
		got = append(got, m.MacroKey())
	}
	slices.Sort(got)
	if got = slices.Compact(got); !slices.Equal(library.Macros(), got) {
		t.Errorf("catalogue %v, real %v", library.Macros(), got)
	}
}
