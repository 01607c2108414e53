package env

import (
	"fmt"
	"net/url"
	"reflect"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/kube-openapi/pkg/validation/strfmt"

	"github.com/crdsem/crdsem/celrules/library"
)

// Format is a CEL value of type kubernetes.NamedFormat. It is immutable.
type Format struct {
	library.NamedFormat
	check func(string) []string
}

// ConvertToNative fails: a format has no Go form.
func (f Format) ConvertToNative(target reflect.Type) (any, error) {
	return nil, fmt.Errorf("type conversion error from 'Format' to '%v'", target)
}

// ConvertToType returns the value or its type.
func (f Format) ConvertToType(target ref.Type) ref.Val { return conversion(f, formatType, target) }

// Equal compares identities.
func (f Format) Equal(other ref.Val) ref.Val {
	o, ok := other.(Format)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	return types.Bool(f.Identity == o.Identity)
}

// Type returns kubernetes.NamedFormat.
func (f Format) Type() ref.Type { return formatType }

// Value returns the format.
func (f Format) Value() any { return f }

// formatBindings implements LIB-060.
func formatBindings() map[string]cel.OverloadOpt {
	byName := map[string]Format{}
	out := map[string]cel.OverloadOpt{}
	for _, n := range library.NamedFormats() {
		f := Format{NamedFormat: n, check: formatCheck(n.Name)}
		byName[n.Name] = f
		out["format."+n.Name] = cel.FunctionBinding(func(...ref.Val) ref.Val { return f })
	}
	out["format-named"] = unary(func(name types.String) ref.Val {
		if f, found := byName[string(name)]; found {
			return types.OptionalOf(f)
		}
		return types.OptionalNone
	})
	out["format-validate"] = binary(func(f Format, text types.String) ref.Val {
		if problems := f.check(string(text)); len(problems) > 0 {
			return types.OptionalOf(stringList(problems))
		}
		return types.OptionalNone
	})
	return out
}

// formatCheck returns what tells the problems of a string that should have the format.
func formatCheck(name string) func(string) []string {
	switch name {
	case "dns1123Label":
		return validation.IsDNS1123Label
	case "dns1123LabelPrefix":
		return prefix(validation.IsDNS1123Label)
	case "dns1123Subdomain":
		return validation.IsDNS1123Subdomain
	case "dns1123SubdomainPrefix":
		return prefix(validation.IsDNS1123Subdomain)
	case "dns1035Label":
		return validation.IsDNS1035Label
	case "dns1035LabelPrefix":
		return prefix(validation.IsDNS1035Label)
	case "qualifiedName":
		return validation.IsQualifiedName
	case "labelValue":
		return validation.IsValidLabelValue
	case "uri":
		return uriProblems
	case "uuid":
		return orElse(strfmt.IsUUID, "does not match the UUID format")
	case "byte":
		return orElse(func(s string) bool { return strfmt.Default.Validates("byte", s) }, "invalid base64")
	case "date":
		return orElse(strfmt.IsDate, "invalid date")
	case "datetime":
		return orElse(strfmt.IsDateTime, "invalid datetime")
	}
	return nil
}

// prefix makes a check of names one of their beginnings: something follows a last dash, so that it may stand there.
func prefix(check func(string) []string) func(string) []string {
	return func(s string) []string {
		if len(s) > 1 && strings.HasSuffix(s, "-") {
			s = s[:len(s)-2] + "a"
		}
		return check(s)
	}
}

// orElse makes a test a check with one problem to tell.
func orElse(test func(string) bool, problem string) func(string) []string {
	return func(s string) []string {
		if test(s) {
			return nil
		}
		return []string{problem}
	}
}

// uriProblems tells what Go's parser tells.
func uriProblems(s string) []string {
	if _, err := url.ParseRequestURI(s); err != nil {
		return []string{err.Error()}
	}
	return nil
}
