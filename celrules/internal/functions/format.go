package functions

import (
	"net/url"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/kube-openapi/pkg/validation/strfmt"

	k8scel "github.com/crdsem/crdsem/celrules/internal/cel"
	"github.com/crdsem/crdsem/internal/base/names"
	"github.com/crdsem/crdsem/internal/belowfacade/library"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// formatBindings returns the bindings of named formats, e.g.
// `format.dns1123Label().validate(self.name)` (LIB-060), with the messages of a
// minor.
func formatBindings(p *profile.Profile) map[string]cel.OverloadOpt {
	byName := map[string]k8scel.Format{}
	out := map[string]cel.OverloadOpt{}
	for _, n := range library.NamedFormats() {
		f := k8scel.Format{NamedFormat: n, Check: formatCheck(n.Name)}
		byName[n.Name] = f
		out["format."+n.Name] = cel.FunctionBinding(func(...ref.Val) ref.Val { return f })
	}
	out["format-named"] = unary(func(name types.String) ref.Val {
		if f, found := byName[string(name)]; found {
			return types.OptionalOf(f)
		}
		return types.OptionalNone
	})
	out["format-validate"] = binary(func(f k8scel.Format, text types.String) ref.Val {
		if problems := f.Check(string(text)); len(problems) > 0 {
			return types.OptionalOf(stringList(p.NameReasons(problems)))
		}
		return types.OptionalNone
	})
	return out
}

// formatCheck returns the function that lists the problems of a string in a
// format.
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
		return names.QualifiedName
	case "labelValue":
		return names.LabelValue
	case "uri":
		return uriProblems
	case "uuid":
		return orElse(strfmt.IsUUID, "does not match the UUID format")
	case "byte":
		return orElse(isBase64, "invalid base64")
	case "date":
		return orElse(strfmt.IsDate, "invalid date")
	}
	return orElse(strfmt.IsDateTime, "invalid datetime")
}

// prefix returns a check of prefixes of names from a check of names. A prefix
// may end with a dash, because something follows it.
func prefix(check func(string) []string) func(string) []string {
	return func(s string) []string {
		if len(s) > 1 && strings.HasSuffix(s, "-") {
			s = s[:len(s)-2] + "a"
		}
		return check(s)
	}
}

// orElse returns a check from a test. It lists one problem if the test fails.
func orElse(test func(string) bool, problem string) func(string) []string {
	return func(s string) []string {
		if test(s) {
			return nil
		}
		return []string{problem}
	}
}

// isBase64 reports whether a string has the format byte.
func isBase64(s string) bool { return strfmt.Default.Validates("byte", s) }

// uriProblems returns the error of Go's URL parser.
func uriProblems(s string) []string {
	if _, err := url.ParseRequestURI(s); err != nil {
		return []string{err.Error()}
	}
	return nil
}
