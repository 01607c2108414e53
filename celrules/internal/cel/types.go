package cel

import (
	"fmt"
	"reflect"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

// The types of the values. CEL compares types by name, but the estimated cost
// of `==` depends on the identity of these variables. Every declaration must
// use them instead of types of its own.
var (
	URLType      = types.NewObjectType("kubernetes.URL")
	QuantityType = types.NewObjectType("kubernetes.Quantity")
	SemverType   = types.NewObjectType("kubernetes.Semver")
	FormatType   = types.NewObjectType("kubernetes.NamedFormat")
	IPType       = types.NewOpaqueType("net.IP")
	CIDRType     = types.NewOpaqueType("net.CIDR")
)

// The types of the authorization library. No value of a rule has them.
var (
	AuthorizerType    = types.NewObjectType("kubernetes.authorization.Authorizer")
	PathCheckType     = types.NewObjectType("kubernetes.authorization.PathCheck")
	GroupCheckType    = types.NewObjectType("kubernetes.authorization.GroupCheck")
	ResourceCheckType = types.NewObjectType("kubernetes.authorization.ResourceCheck")
	DecisionType      = types.NewObjectType("kubernetes.authorization.Decision")
)

// native converts a value of a Kubernetes type to the Go value that it wraps,
// or to a string.
func native[T any](name string, value T, text func() string, target reflect.Type) (any, error) {
	switch {
	case reflect.TypeFor[T]().AssignableTo(target):
		return value, nil
	case reflect.TypeFor[string]().AssignableTo(target):
		return text(), nil
	}
	return nil, fmt.Errorf("type conversion error from '%s' to '%v'", name, target)
}

// conversion returns the result of converting a value of a Kubernetes type: it
// converts to itself and to its type.
func conversion(value ref.Val, own *types.Type, target ref.Type) ref.Val {
	switch target {
	case own:
		return value
	case types.TypeType:
		return own
	}
	return types.NewErr("type conversion error from '%s' to '%s'", own, target)
}
