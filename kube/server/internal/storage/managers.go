package storage

import (
	"encoding/json"
	"maps"
)

// The bounds of what objects share of their managedFields: so many values, each
// of so many bytes as JSON at most. A larger value is kept with each object.
const (
	maxManagers = 2048
	maxManager  = 8 << 10
)

// shared returns an object whose managedFields are in memory once for all
// objects with the same ones. Objects that a controller makes differ in little
// else than their names, and most of their bytes are these.
func (s *Store) shared(object map[string]any) map[string]any {
	metadata, _ := object["metadata"].(map[string]any)
	entries, _ := metadata["managedFields"].([]any)
	if len(entries) == 0 {
		return object
	}
	all := make([]any, len(entries))
	for i, entry := range entries {
		all[i] = s.sharedEntry(entry)
	}
	metadata = maps.Clone(metadata)
	metadata["managedFields"] = all
	object = maps.Clone(object)
	object["metadata"] = metadata
	return object
}

// sharedEntry returns an entry of managedFields that may be of another object.
// Entries with different times still share their fields.
func (s *Store) sharedEntry(entry any) any {
	fields, ok := entry.(map[string]any)
	if !ok {
		return entry
	}
	return s.once(fields, func() map[string]any {
		out := maps.Clone(fields)
		if of, ok := fields["fieldsV1"].(map[string]any); ok {
			out["fieldsV1"] = s.once(of, func() map[string]any { return of })
		}
		return out
	})
}

// once returns the value that is equal to another one, or makes it.
func (s *Store) once(value map[string]any, make func() map[string]any) map[string]any {
	text, err := json.Marshal(value)
	if err != nil || len(text) > maxManager {
		return value
	}
	if known, ok := s.managers.Get(string(text)); ok {
		return known.(map[string]any)
	}
	out := make()
	s.managers.Add(string(text), out)
	return out
}
