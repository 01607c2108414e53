//go:build until1.33 && !until1.31

package kube

import "sigs.k8s.io/structured-merge-diff/v4/fieldpath"

type (
	apiVersion = fieldpath.APIVersion
	fieldSet   = fieldpath.Set
)

// newFieldSet returns a set of fields of an object.
func newFieldSet(names ...string) *fieldSet {
	set := fieldpath.NewSet()
	for _, name := range names {
		set.Insert(fieldpath.MakePathOrDie(name))
	}
	return set
}

// filters returns the filters that leave out sets of fields.
func filters(reset map[apiVersion]*fieldSet) map[apiVersion]fieldpath.Filter {
	return fieldpath.NewExcludeFilterSetMap(reset)
}
