package cel

import (
	"reflect"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"github.com/blang/semver/v4"
)

// Semver is a CEL value of type kubernetes.Semver. It is immutable.
type Semver struct{ semver.Version }

// ConvertToNative returns the version itself or its text.
func (v Semver) ConvertToNative(target reflect.Type) (any, error) {
	return native("Semver", v.Version, v.Version.String, target)
}

// ConvertToType returns the value or its type.
func (v Semver) ConvertToType(target ref.Type) ref.Val { return conversion(v, SemverType, target) }

// Equal compares precedence, which ignores build metadata (LIB-072).
func (v Semver) Equal(other ref.Val) ref.Val {
	o, ok := other.(Semver)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	return types.Bool(v.EQ(o.Version))
}

// Type returns kubernetes.Semver.
func (v Semver) Type() ref.Type { return SemverType }

// Value returns the version.
func (v Semver) Value() any { return v.Version }
