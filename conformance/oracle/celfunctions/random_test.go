package celfunctions

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

// Most random rules compile, and every function of the environment is called.
func TestRandom(t *testing.T) {
	base := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
	env, err := base.StoredExpressionsEnv().Extend(cel.Variable("self", cel.DynType),
		cel.Variable("oldSelf", cel.DynType))
	if err != nil {
		t.Fatal(err)
	}
	w, r := NewRandom(env), rand.New(rand.NewPCG(1, 1))
	const total = 1500
	compiled, called := 0, map[string]bool{}
	for range total {
		rule, message := w.Rule(r)
		if _, issues := env.Compile(rule); issues.Err() == nil {
			compiled++
		}
		for _, c := range w.overloads {
			if strings.Contains(rule+message, c.Name+"(") {
				called[c.Name] = true
			}
		}
	}
	if compiled < total/3 {
		t.Errorf("%d of %d rules compile", compiled, total)
	}
	for _, c := range w.overloads {
		if !strings.ContainsAny(c.Name, "_@!") && !called[c.Name] && len(c.Args) > 0 &&
			!strings.HasPrefix(c.Args[0].TypeName(), "kubernetes.authorization") {
			t.Errorf("no rule calls %s", c.Name)
		}
	}
	t.Logf("%d of %d rules compile, %d functions are called", compiled, total, len(called))
}
