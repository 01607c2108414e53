package meter_test

import (
	"testing"

	"github.com/crdsem/crdsem/celrules/internal/environment"
	"github.com/crdsem/crdsem/celrules/internal/meter"
	"github.com/crdsem/crdsem/internal/belowfacade/library"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// Reasons why a function needs no bound. The per-call limit is 1,000,000.
const (
	isSmall   = "the result is of a fixed size, and the arguments are scalars"
	isPart    = "the result is an argument or a part of it, without a copy"
	isCharged = "each character or item of the result is charged"
	isPaid    = "the cost is checked before the call, and charges each pair of items"
	isMacro   = "a macro makes the call, and is charged for each"
	isLiteral = "the name is a constant of the library"
	isNever   = "no rule of a definition has an authorizer"
)

// unbounded has the reason for each function without a bound.
var unbounded = func() map[string]string {
	out := map[string]string{}
	for reason, names := range map[string][]string{
		isSmall: {
			"!_", "-_", "@not_strictly_false", "_%_", "_&&_", "_*_", "_-_", "_/_", "_<=_", "_<_", "_>=_", "_>_", "_||_",
			"__not_strictly_false__", "bool", "double", "duration", "int", "timestamp", "uint", "type", "size",
			"contains", "startsWith", "endsWith", "charAt", "hasValue",
			"getDate", "getDayOfMonth", "getDayOfWeek", "getDayOfYear", "getFullYear", "getHours", "getMilliseconds",
			"getMinutes", "getMonth", "getSeconds",
			"semver", "isSemver", "major", "minor", "patch", "compareTo", "isGreaterThan", "isLessThan",
			"quantity", "isQuantity", "add", "sub", "sign", "asApproximateFloat", "asInteger", "isInteger",
			"ip", "isIP", "ip.isCanonical", "family", "isUnspecified", "isLoopback", "isLinkLocalMulticast",
			"isLinkLocalUnicast", "isGlobalUnicast", "cidr", "isCIDR", "containsIP", "containsCIDR", "prefixLength", "masked", "isMask",
			"isURL", "getPort",
		},
		isPart: {
			"_?_:_", "_?._", "_[?_]", "_[_]", "dyn", "first", "last", "value", "or", "orValue", "optional.none", "optional.of",
			"optional.ofNonZeroValue", "trim", "max", "min", "getScheme", "getHost", "getHostname",
		},
		isCharged: {
			"string", "bytes", "substring", "lowerAscii", "upperAscii", "strings.quote", "reverse", "slice", "url", "validate",
			"sum", "isSorted",
		},
		isPaid:  {"sort", "@sortByAssociatedKeys"},
		isMacro: {"cel.@mapInsert"},
		isLiteral: {
			"format.byte", "format.date", "format.datetime", "format.dns1035Label", "format.dns1035LabelPrefix",
			"format.dns1123Label", "format.dns1123LabelPrefix", "format.dns1123Subdomain", "format.dns1123SubdomainPrefix",
			"format.labelValue", "format.named", "format.qualifiedName", "format.uri", "format.uuid",
		},
		isNever: {
			"allowed", "check", "error", "errored", "group", "name", "namespace", "path", "reason", "resource",
			"serviceAccount", "subresource", "fieldSelector", "labelSelector",
		},
	} {
		for _, name := range names {
			out[name] = reason
		}
	}
	return out
}()

// Every function of every minor has a bound, or a reason why it needs none.
func TestFunctionsAreBounded(t *testing.T) {
	names := map[string]bool{}
	for minor := profile.Oldest; minor <= profile.Newest; minor++ {
		env, err := environment.For(profile.Of(minor), library.StoredExpressions)
		if err != nil {
			t.Fatal(err)
		}
		for name := range env.CEL().Functions() {
			names[name] = true
		}
	}
	for _, lib := range library.Libraries() {
		for _, f := range lib.Functions() {
			names[f.Name] = true
		}
	}
	for name := range names {
		isOldName := name == "_in_" || name == "in" // of @in
		bounded := meter.BoundOf(profile.Latest(), name, "") != nil || isOldName
		switch reason := unbounded[name]; {
		case bounded && reason != "":
			t.Errorf("%s has a bound, and the reason why it has none: %s", name, reason)
		case !bounded && reason == "":
			t.Errorf("%s has no bound: give it one, or the reason why it needs none", name)
		}
	}
	for name := range unbounded {
		if !names[name] {
			t.Errorf("there is no function %s", name)
		}
	}
}
