package conversion

import (
	"fmt"
	"slices"
)

// CheckFieldLabel checks a field label that a client selects objects of a version by: metadata.name, metadata.namespace where the resource is
// namespaced, and the version's selectable fields, without the leading dot. The error has the server's text (CONV-007).
func (c *Converter) CheckFieldLabel(version, label string) error {
	switch {
	case label == "metadata.name",
		label == "metadata.namespace" && !c.spec.ClusterScoped,
		slices.Contains(c.spec.SelectableFields[version], label):
		return nil
	}
	return fmt.Errorf("field label not supported: %s", label)
}
