package functions

import (
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"k8s.io/apimachinery/pkg/util/validation"

	k8scel "github.com/crdsem/crdsem/celrules/internal/cel"
	"github.com/crdsem/crdsem/internal/belowfacade/library"
)

// authzBindings returns the bindings of the authorization libraries (LIB-009).
// No value of a rule is an authorizer; expressions of policies have one that
// allows everything.
func authzBindings() map[string]cel.OverloadOpt {
	out := map[string]cel.OverloadOpt{}
	for _, lib := range library.Libraries() {
		if lib.Name != library.Authz && lib.Name != library.AuthzSelectors {
			continue
		}
		for _, f := range lib.Functions() {
			for _, o := range f.Overloads {
				out[o.ID] = authzBinding(o)
			}
		}
	}
	return out
}

// authzBinding returns the binding of an overload. Its receiver is a check, and
// its arguments are strings.
func authzBinding(o library.Overload) cel.OverloadOpt {
	run := func(args ...ref.Val) ref.Val {
		receiver, ok := args[0].(*k8scel.Check)
		if !ok || receiver.Type().TypeName() != o.Receiver {
			return types.MaybeNoSuchOverloadErr(args[0])
		}
		var texts []string
		for _, arg := range args[1:] {
			text, ok := arg.(types.String)
			if !ok {
				return types.MaybeNoSuchOverloadErr(receiver)
			}
			texts = append(texts, string(text))
		}
		if fault := authzFault(o.ID, texts); fault != "" {
			return types.NewErr("%s", fault)
		}
		return authzResult(o)
	}
	switch len(o.Params) {
	case 0:
		return cel.UnaryBinding(func(arg ref.Val) ref.Val { return run(arg) })
	case 1:
		return cel.BinaryBinding(func(a, b ref.Val) ref.Val { return run(a, b) })
	}
	return cel.FunctionBinding(run)
}

// authzFault returns what is wrong with arguments.
func authzFault(overload string, args []string) string {
	switch {
	case overload == "authorizer_path" && strings.TrimSpace(args[0]) == "":
		return "path must not be empty"
	case overload == "groupcheck_resource" && strings.TrimSpace(args[0]) == "":
		return "resource must not be empty"
	case overload != "authorizer_serviceaccount":
	case len(validation.IsDNS1123Subdomain(args[1])) > 0:
		return "Invalid service account name"
	case len(validation.IsDNS1123Label(args[0])) > 0:
		return "Invalid service account namespace"
	}
	return ""
}

// authzResult returns the next check, or what is said of a decision: that it
// allows, without an error and a reason.
func authzResult(o library.Overload) ref.Val {
	for _, of := range []*types.Type{
		k8scel.AuthorizerType, k8scel.PathCheckType, k8scel.GroupCheckType,
		k8scel.ResourceCheckType, k8scel.DecisionType,
	} {
		if of.TypeName() == o.Result {
			return k8scel.NewCheck(of)
		}
	}
	if o.Result == "string" {
		return types.String("")
	}
	return types.Bool(o.ID == "decision_allowed")
}
