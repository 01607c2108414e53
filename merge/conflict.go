package merge

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v4/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v4/merge"
)

// Conflict is a field that is applied with another value than its owner gave
// it.
type Conflict struct {
	// Manager, Operation and Subresource identify the owner; APIVersion too if
	// the operation is Update.
	Manager     string
	Operation   Operation
	APIVersion  string
	Subresource string
	// Path is the field path, e.g. .spec.replicas.
	Path string
}

// String returns the server's text for one conflict.
func (c Conflict) String() string {
	text := fmt.Sprintf("conflict with %s", c.who())
	return text + ": " + c.Path
}

// who returns the server's text for the manager.
func (c Conflict) who() string {
	text := fmt.Sprintf("%q", c.Manager)
	if c.Subresource != "" {
		text += fmt.Sprintf(" with subresource %q", c.Subresource)
	}
	if c.Operation == OperationUpdate {
		text += " using " + c.APIVersion
	}
	return text
}

// ConflictError reports that an apply would change fields of other managers.
type ConflictError struct {
	// Conflicts are sorted by manager.
	Conflicts []Conflict
}

// Error returns the server's text, with all conflicts.
func (e *ConflictError) Error() string {
	if len(e.Conflicts) == 1 {
		return "Apply failed with 1 conflict: " + e.Conflicts[0].String()
	}
	var lines []string
	last := ""
	for _, c := range e.Conflicts {
		if who := c.who(); who != last {
			lines = append(lines, fmt.Sprintf("conflicts with %s:", who))
			last = who
		}
		lines = append(lines, "- "+c.Path)
	}
	return fmt.Sprintf("Apply failed with %d conflicts: %s", len(e.Conflicts),
		strings.Join(lines, "\n"))
}

// conflictError sorts the conflicts by the keys of their managers, and those of
// one manager by their paths.
func conflictError(conflicts merge.Conflicts) *ConflictError {
	paths := map[string]*fieldpath.Set{}
	for _, c := range conflicts {
		if paths[c.Manager] == nil {
			paths[c.Manager] = fieldpath.NewSet()
		}
		paths[c.Manager].Insert(bare(c.Path))
	}
	e := &ConflictError{Conflicts: make([]Conflict, 0, len(conflicts))}
	for _, key := range slices.Sorted(maps.Keys(paths)) {
		id := identityOf(key)
		paths[key].Iterate(func(p fieldpath.Path) {
			e.Conflicts = append(
				e.Conflicts,
				Conflict{
					Manager:     id.Manager,
					Operation:   id.Operation,
					APIVersion:  id.APIVersion,
					Subresource: id.Subresource,
					Path:        p.String(),
				},
			)
		})
	}
	return e
}
