package merge

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v4/fieldpath"

	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// FieldSet is a set of field paths, e.g. .spec.replicas and .spec.tags[="a"].
// The zero value is empty. A FieldSet is immutable.
type FieldSet struct{ set *fieldpath.Set }

func (s FieldSet) orEmpty() *fieldpath.Set {
	if s.set == nil {
		return fieldpath.NewSet()
	}
	return s.set
}

// Empty reports whether the set has no path.
func (s FieldSet) Empty() bool {
	return s.set == nil || s.set.Empty()
}

// Paths returns the paths, sorted as strings.
func (s FieldSet) Paths() []string {
	if s.Empty() {
		return nil
	}
	var paths []string
	s.set.Iterate(func(p fieldpath.Path) { paths = append(paths, p.String()) })
	slices.Sort(paths)
	return paths
}

// Equal reports whether two sets have the same paths.
func (s FieldSet) Equal(t FieldSet) bool {
	return s.orEmpty().Equals(t.orEmpty())
}

// FieldsV1 returns the set in the form of managedFields, e.g. {"f:spec":
// {"f:size": {}}}.
func (s FieldSet) FieldsV1() (map[string]any, error) {
	text, err := s.orEmpty().ToJSON()
	if err != nil {
		return nil, err
	}
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, fmt.Errorf("reading back a field set: %w", err)
	}
	return fields, nil
}

// ParseFieldsV1 reads a set from a fieldsV1 of managedFields. Nil is the empty
// set. The argument is not changed.
func ParseFieldsV1(fields any) (FieldSet, error) {
	return parseFieldsV1(fields, profile.Latest())
}

// parseFieldsV1 is ParseFieldsV1 with the texts of a minor.
func parseFieldsV1(fields any, p *profile.Profile) (FieldSet, error) {
	set := fieldpath.NewSet()
	if fields == nil {
		return FieldSet{set}, nil
	}
	text, err := json.Marshal(fields)
	if err != nil {
		return FieldSet{}, fmt.Errorf("error decoding set: %w", err)
	}
	err = set.FromJSON(bytes.NewReader(text))
	if err != nil || p.WholeElements && anyIsMore(fields) {
		err = cmp.Or(refusal(text, p), err)
	}
	if err != nil {
		return FieldSet{}, fmt.Errorf("error decoding set: %w", err)
	}
	return FieldSet{set}, nil
}
