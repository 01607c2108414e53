//go:build !until1.33

package kube

import "sigs.k8s.io/structured-merge-diff/v6/fieldpath"

// The release of structured-merge-diff that the field manager uses.
type (
	fieldSet   = fieldpath.Set
	apiVersion = fieldpath.APIVersion
)

// newFieldSet returns the set of the paths given.
func newFieldSet(paths ...fieldpath.Path) *fieldSet { return fieldpath.NewSet(paths...) }

// fieldOf returns the path of a field of the root.
func fieldOf(name string) fieldpath.Path { return fieldpath.MakePathOrDie(name) }

// excluding returns filters for all fields but those of the sets.
func excluding(sets map[apiVersion]*fieldSet) map[apiVersion]fieldpath.Filter {
	return fieldpath.NewExcludeFilterSetMap(sets)
}
