package fake

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
	clientfake "sigs.k8s.io/controller-runtime/pkg/client/fake"
)

// indexes are the fields that a cache would index, by version and kind.
type indexes struct {
	mu     sync.RWMutex
	byKind map[schema.GroupVersionKind]map[string]index
}

// index computes the values of one field of objects of one Go type.
type index struct {
	object  client.Object
	extract client.IndexerFunc
}

// add fails if the field of the kind has an index.
func (all *indexes) add(kind schema.GroupVersionKind, field string, i index) error {
	all.mu.Lock()
	defer all.mu.Unlock()
	if _, ok := all.byKind[kind][field]; ok {
		return fmt.Errorf("the index %s of %s exists", field, kind)
	}
	if all.byKind == nil {
		all.byKind = map[schema.GroupVersionKind]map[string]index{}
	}
	if all.byKind[kind] == nil {
		all.byKind[kind] = map[string]index{}
	}
	all.byKind[kind][field] = i
	return nil
}

// IndexField implements [client.FieldIndexer], as the cache of a manager does.
// Lists with [client.MatchingFields] for the field then have the objects with
// that value. For kinds without a definition it is [clientfake.AddIndex], which
// panics if base is not a fake client.
//
// IndexField fails if the field of the kind has an index.
func (c *Client) IndexField(
	_ context.Context, object client.Object, field string, extract client.IndexerFunc,
) error {
	kind, err := apiutil.GVKForObject(object, c.Scheme())
	if err != nil {
		return err
	}
	if !c.router.serves(kind.GroupKind()) {
		return clientfake.AddIndex(c.base, object, field, extract)
	}
	return c.router.indexes.add(kind, field, index{object, extract})
}

// requirement is a value that an indexed field must have.
type requirement struct {
	index
	value string
}

// indexed splits a list's options: the requirements on indexed fields, and the
// options for the server. Both are nil without such requirements.
func (all *indexes) indexed(
	kind schema.GroupVersionKind, options *client.ListOptions,
) ([]requirement, *client.ListOptions) {
	all.mu.RLock()
	defer all.mu.RUnlock()
	if options.FieldSelector == nil {
		return nil, nil
	}
	var required []requirement
	var others []fields.Selector
	for _, r := range options.FieldSelector.Requirements() {
		i, ok := all.byKind[kind][r.Field]
		switch {
		case ok && r.Operator != "!=":
			required = append(required, requirement{i, r.Value})
		case r.Operator == "!=":
			others = append(others, fields.OneTermNotEqualSelector(r.Field, r.Value))
		default:
			others = append(others, fields.OneTermEqualSelector(r.Field, r.Value))
		}
	}
	if required == nil {
		return nil, nil
	}
	rest := *options
	rest.FieldSelector, rest.Limit, rest.Continue = fields.AndSelectors(others...), 0, ""
	return required, &rest
}

// list lists the server's objects. Of an indexed list it keeps what has the
// required values, up to the limit.
func (r *router) list(
	ctx context.Context, list client.ObjectList, given []client.ListOption,
) error {
	options := (&client.ListOptions{}).ApplyOptions(given)
	kind, err := apiutil.GVKForObject(list, r.own.Scheme())
	if err != nil {
		return err
	}
	kind.Kind = itemKind(kind.Kind)
	required, rest := r.indexes.indexed(kind, options)
	if required == nil {
		return r.own.List(ctx, list, given...)
	}
	if _, ok := list.(*metav1.PartialObjectMetadataList); ok {
		return errors.New("a list of metadata cannot be chosen by an indexed field")
	}
	if err := r.own.List(ctx, list, rest); err != nil {
		return err
	}
	items, err := meta.ExtractList(list)
	if err != nil {
		return err
	}
	kept := items[:0]
	for _, item := range items {
		if ok, err := hasAll(item, required); err != nil {
			return err
		} else if ok && (options.Limit == 0 || int64(len(kept)) < options.Limit) {
			kept = append(kept, item)
		}
	}
	return meta.SetList(list, kept)
}

// hasAll reports whether an object has all required values.
func hasAll(item runtime.Object, required []requirement) (bool, error) {
	for _, r := range required {
		typed, err := converted(item, r.object)
		if err != nil {
			return false, err
		}
		if !slices.Contains(r.extract(typed), r.value) {
			return false, nil
		}
	}
	return true, nil
}

// converted returns an item of a list as an object of another Go type.
func converted(item runtime.Object, like client.Object) (client.Object, error) {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(item)
	if err != nil {
		return nil, err
	}
	out, ok := like.DeepCopyObject().(client.Object)
	if !ok {
		return nil, fmt.Errorf("the copy of a %T is no object", like)
	}
	return out, runtime.DefaultUnstructuredConverter.FromUnstructured(content, out)
}
