package environment

import (
	"fmt"

	celcost "cel.dev/cel-go/common/cost"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/ext"

	k8scel "github.com/crdsem/crdsem/celrules/internal/cel"
	"github.com/crdsem/crdsem/celrules/internal/functions"
	"github.com/crdsem/crdsem/internal/belowfacade/library"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// options returns the options of a base environment: the libraries of the
// catalogue in the catalogue's order (CEL-004).
func options(p *profile.Profile, kind library.Expressions) ([]cel.EnvOption, error) {
	out := []cel.EnvOption{
		cel.DefaultUTCTimeZone(true),
		cel.EagerlyValidateDeclarations(true),
		cel.CostEstimatorOptions(celcost.PresenceTestHasCost(false)),
		cel.CostModelVersion(0), cel.StrictTimestampParsing(false),
	}
	if !p.DurationArguments {
		out = append(out, functions.IntegerDurations())
	}
	bound := functions.Bindings(p)
	for _, lib := range library.Libraries() {
		if !lib.In(library.Version(p.Minor), kind) {
			continue
		}
		if native := celLibrary(lib, p); native != nil {
			out = append(out, native...)
			continue
		}
		declared, err := declare(lib, bound)
		if err != nil {
			return nil, err
		}
		out = append(out, declared...)
	}
	return out, nil
}

// celLibrary returns the options of a library or language option that comes
// with cel-go, nil for a library of Kubernetes. Reserved field names need no
// option: the type provider of a schema escapes them.
func celLibrary(lib library.Library, p *profile.Profile) []cel.EnvOption {
	switch lib.Name {
	case library.CrossTypeComparison:
		return []cel.EnvOption{cel.CrossTypeNumericComparisons(true)}
	case library.Optionals:
		return []cel.EnvOption{cel.OptionalTypes(cel.OptionalTypesVersion(optionalEdition(p)))}
	case library.LiteralValidation:
		return []cel.EnvOption{cel.ExtendedValidations()}
	case library.ExtStrings:
		return []cel.EnvOption{ext.Strings(ext.StringsVersion(lib.Edition))}
	case library.ExtSets:
		return []cel.EnvOption{ext.Sets()}
	case library.TwoVarComprehension:
		return []cel.EnvOption{ext.TwoVarComprehensions()}
	case library.ExtLists:
		return []cel.EnvOption{ext.Lists(ext.ListsVersion(lib.Edition))}
	case library.ReservedFieldNames:
		return []cel.EnvOption{}
	}
	return nil
}

// optionalEdition returns the version of the optional library, which came with
// releases of cel-go.
func optionalEdition(p *profile.Profile) uint32 {
	const firstAndLast = 33
	if p.Minor < firstAndLast {
		return 1
	}
	return 2
}

// declare returns the options of a Kubernetes library: its overloads with their
// bindings, and the types that rules may name.
func declare(lib library.Library, bound map[string]cel.OverloadOpt) ([]cel.EnvOption, error) {
	var out []cel.EnvOption
	switch lib.Name { // only these types of libraries are identifiers (LIB-007)
	case library.IP:
		out = append(out, cel.Types(k8scel.IPType))
	case library.CIDR:
		out = append(out, cel.Types(k8scel.CIDRType))
	}
	for _, f := range lib.Functions() {
		overloads := make([]cel.FunctionOpt, len(f.Overloads))
		for i, o := range f.Overloads {
			option, err := overload(o, bound[o.ID])
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", lib.Name, o.ID, err)
			}
			overloads[i] = option
		}
		out = append(out, cel.Function(f.Name, overloads...))
	}
	return out, nil
}

// overload declares one overload of the catalogue.
func overload(o library.Overload, binding cel.OverloadOpt) (cel.FunctionOpt, error) {
	if binding == nil {
		return nil, fmt.Errorf("the overload has no implementation")
	}
	result, err := parseType(o.Result)
	if err != nil {
		return nil, err
	}
	params, err := parseTypes(o.Params)
	if err != nil {
		return nil, err
	}
	if !o.IsMember() {
		return cel.Overload(o.ID, params, result, binding), nil
	}
	receiver, err := parseType(o.Receiver)
	if err != nil {
		return nil, err
	}
	return cel.MemberOverload(o.ID, append([]*cel.Type{receiver}, params...), result, binding), nil
}
