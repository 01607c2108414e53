package cel

import (
	"fmt"
	"reflect"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

// Check is a value of a type of the authorization library, e.g. an authorizer
// or a decision. Everything is allowed, so that it is nothing but its type.
type Check struct{ of *types.Type }

// NewCheck returns a value of a type.
func NewCheck(of *types.Type) *Check { return &Check{of} }

// ConvertToNative implements ref.Val: there is no such value in Go.
func (c *Check) ConvertToNative(target reflect.Type) (any, error) {
	return nil, fmt.Errorf("type conversion error from '%s' to '%v'", c.of, target)
}

// ConvertToType implements ref.Val.
func (c *Check) ConvertToType(target ref.Type) ref.Val { return conversion(c, c.of, target) }

// Equal implements ref.Val: two checks are not compared.
func (c *Check) Equal(other ref.Val) ref.Val { return types.MaybeNoSuchOverloadErr(other) }

// Type implements ref.Val.
func (c *Check) Type() ref.Type { return c.of }

// Value implements ref.Val.
func (c *Check) Value() any { return types.NoSuchOverloadErr() }
