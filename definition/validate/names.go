package validate

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/belowstructural/crd"
)

// requiredNames checks the names that a spec must have (CRD-050).
func (c *checker) requiredNames(names *crd.CustomResourceDefinitionNames, path *field.Path) {
	for _, n := range [...]struct{ name, value string }{
		{"plural", names.Plural}, {"singular", names.Singular}, {"kind", names.Kind}, {"listKind", names.ListKind},
	} {
		if n.value == "" {
			c.required("CRD-050", path.Child(n.name), "")
		}
	}
}

// names checks the form of the names that are there (CRD-051).
func (c *checker) names(names *crd.CustomResourceDefinitionNames, path *field.Path) {
	label := func(path *field.Path, name string) {
		if reasons := validation.IsDNS1035Label(name); len(reasons) > 0 {
			c.invalid("CRD-051", path, name, strings.Join(reasons, ","))
		}
	}
	kind := func(path *field.Path, name string) {
		if reasons := validation.IsDNS1035Label(strings.ToLower(name)); len(reasons) > 0 {
			c.invalid("CRD-051", path, name,
				"may have mixed case, but should otherwise match: "+strings.Join(reasons, ","))
		}
	}
	for _, n := range [...]struct {
		name, value string
		check       func(*field.Path, string)
	}{
		{"plural", names.Plural, label}, {"singular", names.Singular, label}, {"kind", names.Kind, kind}, {"listKind", names.ListKind, kind},
	} {
		if n.value != "" {
			n.check(path.Child(n.name), n.value)
		}
	}
	for i, short := range names.ShortNames {
		label(path.Child("shortNames").Index(i), short)
	}
	if names.Kind != "" && names.Kind == names.ListKind {
		c.invalid("CRD-051", path.Child("listKind"), names.ListKind,
			"kind and listKind may not be the same")
	}
	for i, category := range names.Categories {
		label(path.Child("categories").Index(i), category)
	}
}
