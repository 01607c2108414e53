package merge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v4/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v4/merge"
	"sigs.k8s.io/structured-merge-diff/v4/typed"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowstructural/metadata"
)

const (
	// maxUpdaters is how many managers with the operation Update are kept
	// apart.
	maxUpdaters = 10

	currentOperation = "current-operation"
	firstManager     = "before-first-apply"
	ancientManager   = "ancient-changes"
	defaultManager   = "unknown"
)

// Apply does a server-side apply. It merges the applied object into the live
// object, removes the fields that the manager applied before and no longer
// does, and makes the manager an owner of the fields that it applies. The
// result has managedFields.
//
// A nil live object does not exist yet. Neither argument is changed, and the
// result shares nothing with them.
//
// The error is a [*ConflictError] if fields of other managers would change and
// the request does not force, and a [*RequestError] if no request may apply the
// object. If an object does not fit its type, the error wraps a [*TypeError].
// If the context ends first, the error is its cause; the merge library, which
// cannot be stopped, may go on in the background for a while.
func (r *FieldManager) Apply(
	ctx context.Context, live, applied map[string]any, request Request,
) (map[string]any, error) {
	if err := checkValues(live, applied); err != nil {
		return nil, err
	}
	return within(ctx, live, applied, func(live, applied map[string]any) (map[string]any, error) {
		return r.apply(live, applied, request)
	})
}

func (r *FieldManager) apply(
	live, applied map[string]any, request Request,
) (map[string]any, error) {
	live = r.liveOrNew(live, request)
	owners, err := managedFieldsOf(live, r.profile(request.APIVersion))
	if err != nil {
		return nil, fmt.Errorf("failed to decode managed fields: %w", err)
	}
	if stringAt(applied, "apiVersion") != request.APIVersion ||
		stringAt(applied, "kind") != r.kind {
		return nil, &RequestError{"invalid object type: " + typeOf(applied)}
	}
	a := &application{
		manager: r,
		live:    live,
		applied: applied,
		managed: r.managedOf(owners),
		request: request,
	}
	result, err := a.run()
	if err != nil {
		var conflicts merge.Conflicts
		if errors.As(err, &conflicts) {
			return nil, conflictError(conflicts)
		}
		return nil, err
	}
	updateLastApplied(result, applied, request)
	return result, r.setManagedFields(result, a.managed.entries(), request.APIVersion)
}

// Update tracks the owners of an update, or of a create if the live object is
// nil. The manager becomes the owner of the fields that the updated object
// changes. If the updated object has managedFields, they are the owners before
// the update; an empty list removes all owners.
//
// Neither argument is changed, and the result shares nothing with them. If an
// object does not fit its type, the error wraps a [*TypeError]. Update ends
// with its context, as Apply does.
func (r *FieldManager) Update(
	ctx context.Context, live, updated map[string]any, request Request,
) (map[string]any, error) {
	if err := checkValues(live, updated); err != nil {
		return nil, err
	}
	return within(ctx, live, updated, func(live, updated map[string]any) (map[string]any, error) {
		return r.update(live, updated, request)
	})
}

func (r *FieldManager) update(
	live, updated map[string]any, request Request,
) (map[string]any, error) {
	live = r.liveOrNew(live, request)
	before := r.managersBefore(live, updated, request)
	result := jsonvalue.DeepCopyMap(updated)
	removeManagedFields(result)
	meta, _ := live["metadata"].(map[string]any)
	if len(before.fields) == 0 && stringAt(meta, "uid") != "" {
		return result, nil
	}
	after, err := r.track(live, result, before, request)
	if err != nil {
		return nil, err
	}
	return result, r.setManagedFields(result, after.entries(), request.APIVersion)
}

// Untracked returns an updated object whose owners cannot be told, because
// Update fails, as the server goes on with it: with the managedFields of the
// live object, up to Kubernetes 1.36 without any. Neither argument is changed,
// and the result shares nothing with them.
func (r *FieldManager) Untracked(
	live, updated map[string]any, request Request,
) map[string]any {
	out := jsonvalue.DeepCopyMap(updated)
	removeManagedFields(out)
	before := jsonvalue.At(live, "metadata", "managedFields")
	metadata, ok := out["metadata"].(map[string]any)
	if ok && before != nil && r.profile(request.APIVersion).KeepsManagers {
		metadata["managedFields"] = jsonvalue.DeepCopy(before)
	}
	return out
}

// liveOrNew returns the live object, or an empty object of the kind for nil.
func (r *FieldManager) liveOrNew(live map[string]any, request Request) map[string]any {
	if live != nil {
		return live
	}
	return map[string]any{"apiVersion": request.APIVersion, "kind": r.kind}
}

// managersBefore returns the owners before an update. Managed fields that
// cannot be read count as none.
func (r *FieldManager) managersBefore(live, updated map[string]any, request Request) managed {
	if request.Subresource == "" {
		entries, found := entriesOf(updated)
		if found && (len(entries) == 0 || len(entries) == 1 && entries[0].isEmpty()) {
			return noManagers()
		}
		if owners, err := ManagedFields(updated); err == nil && len(owners) > 0 {
			return r.managedOf(owners)
		}
	}
	owners, err := ManagedFields(live)
	if err != nil {
		return noManagers()
	}
	return r.managedOf(owners)
}

// track makes the request's manager, with the operation Update, the owner of
// the fields that differ between two objects.
func (r *FieldManager) track(
	live, updated map[string]any, before managed, request Request,
) (managed, error) {
	liveValue, updatedValue, err := r.versioned(live, updated, request.APIVersion)
	if err != nil {
		return managed{}, err
	}
	version := fieldpath.APIVersion(request.APIVersion)
	updater, failed := r.updater(request)
	_, fields, err := updater.Update(liveValue, updatedValue, version, before.fields,
		currentOperation)
	if err != nil {
		orders := &orders{before.fields, currentOperation, failed,
			func(part fieldpath.ManagedFields) error {
				_, _, err := updater.Update(liveValue, updatedValue, version, part,
					currentOperation)
				return err
			}}
		return managed{}, fmt.Errorf("failed to update ManagedFields (%s): %w",
			describe(updated), orders.firstError(err))
	}
	after := managed{fields: fields, times: before.times}
	stripMetadata(fields, currentOperation)
	if set, ok := fields[currentOperation]; ok {
		delete(fields, currentOperation)
		key := identity{
			cmp.Or(request.Manager, defaultManager),
			OperationUpdate,
			request.APIVersion,
			request.Subresource,
		}.key()
		if previous, ok := fields[key]; ok {
			set = fieldpath.NewVersionedSet(set.Set().Union(previous.Set()), set.APIVersion(),
				set.Applied())
		}
		fields[key] = set
		after.times[key] = r.now()
	}
	capUpdaters(after)
	return after, nil
}

// versioned converts two objects to a version and gives them its type.
// Duplicates are allowed.
func (r *FieldManager) versioned(
	live, updated map[string]any, apiVersion string,
) (liveValue, updatedValue *typed.TypedValue, err error) {
	newObject, err := r.convert(updated, apiVersion)
	if err != nil {
		return nil, nil, fmt.Errorf("failed to convert new object (%s) to proper version (%s): %w",
			describe(updated), apiVersion, err)
	}
	liveObject, err := r.convert(live, apiVersion)
	if err != nil {
		return nil, nil, fmt.Errorf("failed to convert live object (%s) to proper version: %w",
			describe(live), err)
	}
	if updatedValue, err = r.typed(newObject, typed.AllowDuplicates); err != nil {
		return nil, nil, fmt.Errorf("failed to convert new object (%s) to smd typed: %w",
			describe(newObject), err)
	}
	if liveValue, err = r.typed(liveObject, typed.AllowDuplicates); err != nil {
		return nil, nil, fmt.Errorf("failed to convert live object (%s) to smd typed: %w",
			describe(liveObject), err)
	}
	return liveValue, updatedValue, nil
}

// typeOf returns the type of an object as error texts write it. Where the
// apiVersion is malformed, there is no kind either.
func typeOf(object map[string]any) string {
	apiVersion, kind := stringAt(object, "apiVersion"), stringAt(object, "kind")
	if _, _, err := metadata.ParseGroupVersion(apiVersion); err != nil {
		kind = ""
	}
	return fmt.Sprintf("%s, Kind=%s", slashed(apiVersion), kind)
}

// describe names an object in errors, e.g. "ns/a; /example.com/v1,
// Kind=Widget".
func describe(object map[string]any) string {
	meta, _ := object["metadata"].(map[string]any)
	return fmt.Sprintf("%s/%s; %s", stringAt(meta, "namespace"), stringAt(meta, "name"),
		typeOf(object))
}

// application is one server-side apply. Its managed is replaced by the outcome.
type application struct {
	manager       *FieldManager
	live, applied map[string]any
	managed       managed
	request       Request
}

// run applies. For the manager kubectl, fields that kubectl applied on the
// client before are no conflict.
func (a *application) run() (map[string]any, error) {
	start := a.managed
	result, err := a.apply()
	var conflicts merge.Conflicts
	if a.request.Manager != kubectlManager || !errors.As(err, &conflicts) {
		return result, err
	}
	allowed, failure := a.manager.lastAppliedFields(a.live, a.request)
	if failure != nil {
		return nil, err
	}
	left := slices.DeleteFunc(slices.Clone(conflicts),
		func(c merge.Conflict) bool { return allowed.Has(c.Path) })
	if len(left) > 0 {
		return nil, left
	}
	a.managed = start
	a.request.Force = true
	return a.apply()
}

// apply merges the objects and tracks the owners.
func (a *application) apply() (map[string]any, error) {
	r, request := a.manager, a.request
	if len(a.managed.fields) == 0 {
		first := request
		first.Manager = firstManager
		empty := map[string]any{"apiVersion": request.APIVersion, "kind": r.kind}
		var err error
		if a.managed, err = r.track(empty, a.live, a.managed, first); err != nil {
			return nil, fmt.Errorf("failed to create manager for existing fields: %w", err)
		}
	}
	live, applied, err := a.values()
	if err != nil {
		return nil, err
	}
	key := identity{
		cmp.Or(request.Manager, defaultManager),
		OperationApply,
		request.APIVersion,
		request.Subresource,
	}.key()
	updater, failed := r.updater(request)
	version := fieldpath.APIVersion(request.APIVersion)
	merged, fields, err := updater.Apply(live, applied, version, a.managed.fields, key,
		request.Force)
	orders := &orders{a.managed.fields, key, failed, func(part fieldpath.ManagedFields) error {
		_, _, err := updater.Apply(live, applied, version, part, key, request.Force)
		return err
	}}
	if err := orders.firstError(err); err != nil {
		return nil, err
	}
	stripMetadata(fields, key)
	a.managed.fields = fields
	if merged == nil {
		unchanged := jsonvalue.DeepCopyMap(a.live)
		removeManagedFields(unchanged)
		return unchanged, nil
	}
	a.managed.times[key] = r.now()
	result, err := r.convert(objectOf(merged), request.APIVersion)
	if err != nil {
		return nil, fmt.Errorf("failed to convert new object (%s) to proper version: %w",
			describe(a.applied), err)
	}
	if r.hooks.Default == nil {
		return result, nil
	}
	return r.hooks.Default(result)
}

// orders are the orders in which a merge can visit the versions of managers.
// The merge library visits them in the order of a map, and stops at the first
// whose version the objects do not fit. Fields that are added back for one
// version can make the objects fit the next, therefore a merge can fail in one
// order and pass in another.
type orders struct {
	fields  fieldpath.ManagedFields
	key     string // the manager that merges
	failed  *fieldpath.APIVersion
	merging func(fieldpath.ManagedFields) error
}

// firstError returns the error of a merge that fails in some order, the same
// one each time. err is its error in one order. firstError merges again: with
// the managers of one version at a time, and with those of the merging
// manager's version, which come first in any order. The versions are in byte
// order.
func (o *orders) firstError(err error) error {
	if conflicts := (merge.Conflicts)(nil); errors.As(err, &conflicts) {
		return err
	}
	versions := map[fieldpath.APIVersion]bool{}
	for _, set := range o.fields {
		versions[set.APIVersion()] = true
	}
	own := o.fields[o.key]
	if err == nil && (own == nil || len(versions) < 3) {
		return nil
	}
	for _, version := range slices.Sorted(maps.Keys(versions)) {
		part := fieldpath.ManagedFields{}
		for manager, set := range o.fields {
			if set.APIVersion() == version || own != nil && set.APIVersion() == own.APIVersion() {
				part[manager] = set
			}
		}
		*o.failed = ""
		failure := o.merging(part)
		if failure != nil && *o.failed == version {
			return failure
		}
	}
	return err
}

// values gives both objects the type of the request's version.
func (a *application) values() (live, applied *typed.TypedValue, err error) {
	if _, found := entriesOf(a.applied); found {
		return nil, nil, &RequestError{"metadata.managedFields must be nil"}
	}
	converted, err := a.manager.convert(a.live, a.request.APIVersion)
	if err != nil {
		return nil, nil, fmt.Errorf("failed to convert live object (%s) to proper version: %w",
			describe(a.live), err)
	}
	if applied, err = a.manager.typed(a.applied); err != nil {
		return nil, nil, fmt.Errorf("failed to create typed patch object (%s): %w",
			describe(a.applied), err)
	}
	if live, err = a.manager.typed(converted, typed.AllowDuplicates); err != nil {
		return nil, nil, fmt.Errorf("failed to create typed live object (%s): %w",
			describe(converted), err)
	}
	return live, applied, nil
}

// unownedMetadata are the fields of metadata that no manager owns.
var unownedMetadata = []string{
	"name", "namespace", "creationTimestamp", "selfLink", "uid", "clusterName", "generation",
	"managedFields", "resourceVersion",
}

// stripMetadata removes the fields that no manager can own from the set of a
// manager, e.g. metadata.uid.
func stripMetadata(fields fieldpath.ManagedFields, key string) {
	set, ok := fields[key]
	if !ok {
		return
	}
	unowned := fieldpath.NewSet(fieldpath.MakePathOrDie("apiVersion"),
		fieldpath.MakePathOrDie("kind"), fieldpath.MakePathOrDie("metadata"))
	for _, name := range unownedMetadata {
		unowned.Insert(fieldpath.MakePathOrDie("metadata", name))
	}
	rest := set.Set().Difference(unowned)
	if rest.Empty() {
		delete(fields, key)
		return
	}
	fields[key] = fieldpath.NewVersionedSet(rest, set.APIVersion(), set.Applied())
}

// capUpdaters merges the oldest updaters of each version into one, named
// ancient-changes, as long as there are too many.
func capUpdaters(m managed) {
	var updaters []ManagedFieldsEntry
	for key, set := range m.fields {
		if !set.Applied() {
			updaters = append(updaters, ManagedFieldsEntry{Manager: key, Time: m.times[key]})
		}
	}
	slices.SortFunc(updaters, func(a, b ManagedFieldsEntry) int {
		return cmp.Or(cmp.Compare(a.seconds(), b.seconds()), strings.Compare(a.Manager, b.Manager))
	})
	first := map[fieldpath.APIVersion]string{}
	left := len(updaters)
	for _, u := range updaters {
		if left <= maxUpdaters {
			return
		}
		set := m.fields[u.Manager]
		oldest, again := first[set.APIVersion()]
		if !again {
			first[set.APIVersion()] = u.Manager
			continue
		}
		bucket := identity{
			Manager:    ancientManager,
			Operation:  OperationUpdate,
			APIVersion: string(set.APIVersion()),
		}.key()
		if _, ok := m.fields[bucket]; !ok {
			m.fields[bucket] = m.fields[oldest]
			delete(m.fields, oldest)
		}
		m.fields[bucket] = fieldpath.NewVersionedSet(set.Set().Union(m.fields[bucket].Set()),
			set.APIVersion(), set.Applied())
		delete(m.fields, u.Manager)
		m.times[bucket] = u.Time
		left--
	}
}
