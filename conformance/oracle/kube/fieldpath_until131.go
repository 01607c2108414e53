//go:build until1.31

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

// filters returns the sets of fields that are left out, which need no filters
// yet.
func filters(reset map[apiVersion]*fieldSet) map[apiVersion]*fieldSet { return reset }
