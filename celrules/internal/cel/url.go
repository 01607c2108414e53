package cel

import (
	"net/url"
	"reflect"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

// URL is a CEL value of type kubernetes.URL. It is immutable.
type URL struct{ *url.URL }

// ConvertToNative returns the URL itself or its text.
func (u URL) ConvertToNative(target reflect.Type) (any, error) {
	return native("URL", u.URL, u.URL.String, target)
}

// ConvertToType returns the value or its type.
func (u URL) ConvertToType(target ref.Type) ref.Val { return conversion(u, URLType, target) }

// Equal compares texts (LIB-032).
func (u URL) Equal(other ref.Val) ref.Val {
	o, ok := other.(URL)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	return types.Bool(u.String() == o.String())
}

// Type returns kubernetes.URL.
func (u URL) Type() ref.Type { return URLType }

// Value returns the URL.
func (u URL) Value() any { return u.URL }
