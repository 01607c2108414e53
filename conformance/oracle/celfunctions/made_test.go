package celfunctions

import (
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types/ref"
	"k8s.io/apimachinery/pkg/util/version"
	apicel "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/cel/environment"
	celapi "k8s.io/apiserver/pkg/cel/library"
	"k8s.io/apiserver/pkg/cel/mutation"

	"github.com/crdsem/crdsem/conformance/oracle/formercel/mutations"
)

// What expressions of mutations make is that of the real types.
func TestMade(t *testing.T) {
	base := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
	extended, err := base.Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions: []cel.EnvOption{
			common.ResolverEnvOption(&mutation.DynamicTypeResolver{}),
			environment.UnversionedLib(celapi.JSONPatch),
			cel.Variable("d", cel.DynType), cel.Variable("o", cel.DynType),
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	env := extended.StoredExpressionsEnv()
	const file = "../../../celrules/internal/celtable/testdata/patches.txt"
	mutations.Test(t, file, func(text string) (ref.Val, error) {
		ast, issues := env.Compile(text)
		if issues.Err() != nil {
			return nil, issues.Err()
		}
		program, err := env.Program(ast, cel.CostLimit(apicel.PerCallLimit))
		if err != nil {
			return nil, err
		}
		value, _, err := program.Eval(mutations.Variables())
		return value, err
	})
}
