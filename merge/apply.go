package merge

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v4/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v4/merge"
	"sigs.k8s.io/structured-merge-diff/v4/typed"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

const (
	// maxUpdaters is how many managers that update are kept apart.
	maxUpdaters = 10

	currentOperation = "current-operation"
	firstManager     = "before-first-apply"
	ancientManager   = "ancient-changes"
	defaultManager   = "unknown"
)

// Apply does a server-side apply: it merges the applied object into the live one, removes what the manager applied before and no longer does, and gives the
// manager what it applies. A nil live object is one that does not exist yet. Neither argument is changed, and the result, with its managedFields, shares nothing
// with them. The error is a [*ConflictError] if fields of others would change and the request does not force; a [*TypeError] is wrapped in the error about an object
// that does not fit.
func (r *FieldManager) Apply(live, applied map[string]any, request Request) (map[string]any, error) {
	if err := checkValues(live, applied); err != nil {
		return nil, err
	}
	live = r.liveOrNew(live, request)
	owners, err := ManagedFields(live)
	if err != nil {
		return nil, fmt.Errorf("failed to decode managed fields: %w", err)
	}
	if stringAt(applied, "apiVersion") != request.APIVersion || stringAt(applied, "kind") != r.kind {
		return nil, fmt.Errorf("invalid object type: %s, Kind=%s", slashed(stringAt(applied, "apiVersion")), stringAt(applied, "kind"))
	}
	a := &application{resource: r, live: live, applied: applied, managed: r.managedOf(owners), request: request}
	result, err := a.run()
	if err != nil {
		var conflicts merge.Conflicts
		if errors.As(err, &conflicts) {
			return nil, conflictError(conflicts)
		}
		return nil, err
	}
	updateLastApplied(result, applied, request)
	return result, setManagedFields(result, a.managed.owners())
}

// Update keeps track of an update, or of a create with a nil live object: the manager gets the fields that the updated object changes. The updated object says in its
// own managedFields who owned what before, if it says anything; an empty list forgets everything. Neither argument is changed, and the result shares nothing with
// them. The error is about an object that does not fit its type.
func (r *FieldManager) Update(live, updated map[string]any, request Request) (map[string]any, error) {
	if err := checkValues(live, updated); err != nil {
		return nil, err
	}
	live = r.liveOrNew(live, request)
	before := r.managersBefore(live, updated, request)
	result := jsonvalue.DeepCopyMap(updated)
	removeManagedFields(result)
	metadata, _ := live["metadata"].(map[string]any)
	if len(before.fields) == 0 && stringAt(metadata, "uid") != "" {
		return result, nil
	}
	after, err := r.track(live, result, before, request)
	if err != nil {
		return nil, err
	}
	return result, setManagedFields(result, after.owners())
}

// liveOrNew is the live object, or the empty one of the kind.
func (r *FieldManager) liveOrNew(live map[string]any, request Request) map[string]any {
	if live != nil {
		return live
	}
	return map[string]any{"apiVersion": request.APIVersion, "kind": r.kind}
}

// managersBefore decides who owns what before an update; what cannot be read is nothing.
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

// track gives the request's manager, as an updater, the fields that differ between two objects.
func (r *FieldManager) track(live, updated map[string]any, before managed, request Request) (managed, error) {
	liveValue, updatedValue, err := r.versioned(live, updated, request.APIVersion)
	if err != nil {
		return managed{}, err
	}
	version := fieldpath.APIVersion(request.APIVersion)
	updater := r.updater(request)
	_, fields, err := updater.Update(liveValue, updatedValue, version, before.fields, currentOperation)
	if err != nil {
		err = firstError(err, before.fields, currentOperation, func(part fieldpath.ManagedFields) error {
			_, _, err := updater.Update(liveValue, updatedValue, version, part, currentOperation)
			return err
		})
		return managed{}, fmt.Errorf("failed to update ManagedFields (%s): %w", describe(updated), err)
	}
	after := managed{fields: fields, times: before.times}
	stripMetadata(fields, currentOperation)
	if set, ok := fields[currentOperation]; ok {
		delete(fields, currentOperation)
		key := identity{cmp.Or(request.Manager, defaultManager), OperationUpdate, request.APIVersion, request.Subresource}.key()
		if previous, ok := fields[key]; ok {
			set = fieldpath.NewVersionedSet(set.Set().Union(previous.Set()), set.APIVersion(), set.Applied())
		}
		fields[key] = set
		after.times[key] = r.now()
	}
	capUpdaters(after)
	return after, nil
}

// versioned converts two objects to a version and gives them its type; duplicates are allowed.
func (r *FieldManager) versioned(live, updated map[string]any, apiVersion string) (liveValue, updatedValue *typed.TypedValue, err error) {
	newObject, err := r.convert(updated, apiVersion)
	if err != nil {
		return nil, nil, fmt.Errorf("failed to convert new object (%s) to proper version (%s): %w", describe(updated), apiVersion, err)
	}
	liveObject, err := r.convert(live, apiVersion)
	if err != nil {
		return nil, nil, fmt.Errorf("failed to convert live object (%s) to proper version: %w", describe(live), err)
	}
	if updatedValue, err = r.typed(newObject, typed.AllowDuplicates); err != nil {
		return nil, nil, fmt.Errorf("failed to convert new object (%s) to smd typed: %w", describe(newObject), err)
	}
	if liveValue, err = r.typed(liveObject, typed.AllowDuplicates); err != nil {
		return nil, nil, fmt.Errorf("failed to convert live object (%s) to smd typed: %w", describe(liveObject), err)
	}
	return liveValue, updatedValue, nil
}

// describe names an object in errors.
func describe(object map[string]any) string {
	metadata, _ := object["metadata"].(map[string]any)
	return fmt.Sprintf("%s/%s; %s, Kind=%s", stringAt(metadata, "namespace"), stringAt(metadata, "name"), slashed(stringAt(object, "apiVersion")), stringAt(object, "kind"))
}

// application is one server-side apply; managed is replaced by its outcome.
type application struct {
	resource      *FieldManager
	live, applied map[string]any
	managed       managed
	request       Request
}

// run applies. What kubectl has applied before the old way, on the client, is no conflict for kubectl.
func (a *application) run() (map[string]any, error) {
	start := a.managed
	result, err := a.apply()
	var conflicts merge.Conflicts
	if a.request.Manager != kubectlManager || !errors.As(err, &conflicts) {
		return result, err
	}
	allowed, failure := a.resource.lastAppliedFields(a.live, a.request)
	if failure != nil {
		return nil, err
	}
	left := slices.DeleteFunc(slices.Clone(conflicts), func(c merge.Conflict) bool { return allowed.Has(c.Path) })
	if len(left) > 0 {
		return nil, left
	}
	a.managed = start
	a.request.Force = true
	return a.apply()
}

// apply merges and keeps track.
func (a *application) apply() (map[string]any, error) {
	r, request := a.resource, a.request
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
	key := identity{cmp.Or(request.Manager, defaultManager), OperationApply, request.APIVersion, request.Subresource}.key()
	updater, version := r.updater(request), fieldpath.APIVersion(request.APIVersion)
	merged, fields, err := updater.Apply(live, applied, version, a.managed.fields, key, request.Force)
	if err != nil {
		return nil, firstError(err, a.managed.fields, key, func(part fieldpath.ManagedFields) error {
			_, _, err := updater.Apply(live, applied, version, part, key, request.Force)
			return err
		})
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
		return nil, fmt.Errorf("failed to convert new object (%s) to proper version: %w", describe(a.applied), err)
	}
	if r.hooks.Default != nil {
		r.hooks.Default(result)
	}
	return result, nil
}

// firstError is the error of a merge that fails. The merge library takes the managers in the order of a map and stops at the first whose version the
// objects do not fit; this takes the versions in byte order, the managers of each by themselves, with the one that merges.
func firstError(err error, fields fieldpath.ManagedFields, key string, merging func(fieldpath.ManagedFields) error) error {
	if conflicts := (merge.Conflicts)(nil); errors.As(err, &conflicts) {
		return err
	}
	versions := map[fieldpath.APIVersion]fieldpath.ManagedFields{}
	for manager, set := range fields {
		part, ok := versions[set.APIVersion()]
		if !ok {
			part = fieldpath.ManagedFields{}
			versions[set.APIVersion()] = part
		}
		part[manager] = set
	}
	for _, version := range slices.Sorted(maps.Keys(versions)) {
		part := versions[version]
		if own, ok := fields[key]; ok {
			part[key] = own
		}
		failure := merging(part)
		if conflicts := (merge.Conflicts)(nil); failure != nil && !errors.As(failure, &conflicts) {
			return failure
		}
	}
	return err
}

// values gives both objects their types.
func (a *application) values() (live, applied *typed.TypedValue, err error) {
	if _, found := entriesOf(a.applied); found {
		return nil, nil, errors.New("metadata.managedFields must be nil")
	}
	converted, err := a.resource.convert(a.live, a.request.APIVersion)
	if err != nil {
		return nil, nil, fmt.Errorf("failed to convert live object (%s) to proper version: %w", describe(a.live), err)
	}
	if applied, err = a.resource.typed(a.applied); err != nil {
		return nil, nil, fmt.Errorf("failed to create typed patch object (%s): %w", describe(a.applied), err)
	}
	if live, err = a.resource.typed(converted, typed.AllowDuplicates); err != nil {
		return nil, nil, fmt.Errorf("failed to create typed live object (%s): %w", describe(converted), err)
	}
	return live, applied, nil
}

// stripMetadata takes the fields that nobody owns from a manager.
func stripMetadata(fields fieldpath.ManagedFields, key string) {
	set, ok := fields[key]
	if !ok {
		return
	}
	unowned := fieldpath.NewSet(fieldpath.MakePathOrDie("apiVersion"), fieldpath.MakePathOrDie("kind"), fieldpath.MakePathOrDie("metadata"))
	for _, name := range []string{"name", "namespace", "creationTimestamp", "selfLink", "uid", "clusterName", "generation", "managedFields", "resourceVersion"} {
		unowned.Insert(fieldpath.MakePathOrDie("metadata", name))
	}
	rest := set.Set().Difference(unowned)
	if rest.Empty() {
		delete(fields, key)
		return
	}
	fields[key] = fieldpath.NewVersionedSet(rest, set.APIVersion(), set.Applied())
}

// capUpdaters lumps the oldest updaters of each version together while there are too many.
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
		bucket := identity{Manager: ancientManager, Operation: OperationUpdate, APIVersion: string(set.APIVersion())}.key()
		if _, ok := m.fields[bucket]; !ok {
			m.fields[bucket] = m.fields[oldest]
			delete(m.fields, oldest)
		}
		m.fields[bucket] = fieldpath.NewVersionedSet(set.Set().Union(m.fields[bucket].Set()), set.APIVersion(), set.Applied())
		delete(m.fields, u.Manager)
		m.times[bucket] = u.Time
		left--
	}
}
