package functions

import (
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"github.com/crdsem/crdsem/celrules/library"
)

// authzBindings returns the bindings of the authorization libraries (LIB-009).
// No value of a rule is an authorizer, so no call of these functions has a
// receiver of a type that they take.
func authzBindings() map[string]cel.OverloadOpt {
	out := map[string]cel.OverloadOpt{}
	for _, lib := range library.Libraries() {
		if lib.Name != library.Authz && lib.Name != library.AuthzSelectors {
			continue
		}
		for _, f := range lib.Functions() {
			for _, o := range f.Overloads {
				out[o.ID] = noAuthorizer(len(o.Params) + 1)
			}
		}
	}
	return out
}

// noAuthorizer returns a binding that fails for any arguments. args is their
// number, the receiver included.
func noAuthorizer(args int) cel.OverloadOpt {
	switch args {
	case 1:
		return cel.UnaryBinding(types.MaybeNoSuchOverloadErr)
	case 2:
		return cel.BinaryBinding(func(receiver, _ ref.Val) ref.Val {
			return types.MaybeNoSuchOverloadErr(receiver)
		})
	}
	return cel.FunctionBinding(func(args ...ref.Val) ref.Val { return types.NoSuchOverloadErr() })
}
