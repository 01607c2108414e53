package cel

import (
	"fmt"
	"reflect"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/crdsem/crdsem/internal/belowfacade/library"
)

// Format is a CEL value of type kubernetes.NamedFormat. It is immutable.
type Format struct {
	library.NamedFormat
	// Check returns the problems of a string in the format.
	Check func(string) []string
}

// ConvertToNative fails: a format has no Go form.
func (f Format) ConvertToNative(target reflect.Type) (any, error) {
	return nil, fmt.Errorf("type conversion error from 'Format' to '%v'", target)
}

// ConvertToType returns the value or its type.
func (f Format) ConvertToType(target ref.Type) ref.Val { return conversion(f, FormatType, target) }

// Equal compares identities.
func (f Format) Equal(other ref.Val) ref.Val {
	o, ok := other.(Format)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	return types.Bool(f.Identity == o.Identity)
}

// Type returns kubernetes.NamedFormat.
func (f Format) Type() ref.Type { return FormatType }

// Value returns the format.
func (f Format) Value() any { return f }
