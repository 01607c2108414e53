package live

import (
	"fmt"
	"net/http"
)

// mediaApply is the media type of a server-side apply.
const mediaApply = "application/apply-patch+yaml"

// applier is the identity of a client that applies.
type applier struct {
	manager string
	force   bool
}

// applies applies parts of a stored object several times, and then reads it.
func (s *session) applies(name string) error {
	if err := s.rounds(name, s.resource.size.applies, s.apply); err != nil {
		return err
	}
	return s.readAll(name)
}

// apply applies a changed part of the stored object. Every third apply goes to
// the status, if there is such a subresource. Every fourth is an apply of
// another object and is not stored.
func (s *session) apply(at *subject, turn int) error {
	managers := []string{"one", "two"}
	w, name, path, query := at.write, at.name, at.path, ""
	w.patch, w.media = true, mediaApply
	w.applier = applier{managers[s.rng.IntN(len(managers))], s.rng.IntN(3) > 0}
	switch {
	case at.version.status && turn%3 == 2:
		w.subresource = "status"
		path += "/status"
	case turn%4 == 3:
		w.old = nil
		name += "-new"
		path = s.resource.path(at.version.name, name)
		query = dryRun
	}
	w.body = s.patcher(at).applied(name, w.subresource)
	s.count(func(c *counts) { c.Applies++ })
	_, err := s.write(http.MethodPatch, path+applyQuery(query, w.applier), name, w)
	return err
}

// applyQuery adds the applier to a query.
func applyQuery(query string, a applier) string {
	separator := "?"
	if query != "" {
		separator = "&"
	}
	return fmt.Sprintf("%s%sfieldManager=%s&force=%t", query, separator, a.manager, a.force)
}

// applied returns the body of an apply: a part of the object, sometimes
// changed, with the fields that it must have.
func (p *patcher) applied(name, subresource string) []byte {
	after := copyValue(p.object).(map[string]any)
	if p.rng.IntN(3) == 0 {
		after = p.changed(subresource)
	}
	for _, key := range sortedKeys(after) {
		if p.rng.IntN(4) == 0 {
			delete(after, key)
		}
	}
	part := p.part(after).(map[string]any)
	metadata := map[string]any{"name": name}
	for _, key := range []string{"labels", "annotations", "finalizers", "ownerReferences"} {
		if value, ok := child(p.object, "metadata")[key]; ok && p.rng.IntN(2) == 0 {
			metadata[key] = value
		}
	}
	part["apiVersion"], part["kind"] = p.object["apiVersion"], p.object["kind"]
	part["metadata"] = metadata
	if p.rng.IntN(12) == 0 {
		p.misapply(part)
	}
	return encode(part)
}

// misapply changes an applied object into one of another type, or into one with
// managedFields, which must be absent.
func (p *patcher) misapply(part map[string]any) {
	served := p.resource.served()
	metadata := child(part, "metadata")
	changes := []func(){
		func() { part["kind"] = "Other" }, func() { delete(part, "kind") }, func() { delete(part, "apiVersion") },
		func() { part["apiVersion"] = p.resource.group + "/" + served[p.rng.IntN(len(served))].name }, func() { part["apiVersion"] = "v1" },
		func() { metadata["managedFields"] = child(p.object, "metadata")["managedFields"] }, func() { metadata["managedFields"] = []any{} },
		func() { metadata["managedFields"] = nil },
	}
	changes[p.rng.IntN(len(changes))]()
}

// part returns a value with some of its members left out. A list has no item
// twice.
func (p *patcher) part(value any) any {
	switch value := value.(type) {
	case duplicated:
		return p.part(value.last)
	case []any:
		items := make([]any, len(value))
		for i, item := range value {
			items[i] = p.part(item)
		}
		return items
	case map[string]any:
		kept := map[string]any{}
		for _, key := range sortedKeys(value) {
			if p.rng.IntN(6) > 0 {
				kept[key] = p.part(value[key])
			}
		}
		return kept
	}
	return value
}
