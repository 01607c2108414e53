package crdtest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// body returns the body of a step as JSON in Go types. What it lacks of the
// type and the name is filled in.
func (p *play) body(s *Step) (map[string]any, error) {
	object, err := p.typed(s.Object)
	if err != nil {
		return nil, err
	}
	switch {
	case s.Verb == Create, s.Verb == Convert, s.Verb == Apply && p.stored == nil:
		return s.named(object), nil
	}
	for _, key := range []string{"name", "namespace"} {
		value := jsonvalue.At(p.stored, "metadata", key)
		if value != nil && jsonvalue.At(object, "metadata", key) == nil {
			object, _ = jsonvalue.With(object, value, "metadata", key).(map[string]any)
		}
	}
	return object, nil
}

// start stores what a case says to be stored when it begins. What is stored has
// a name.
func (p *play) start(c *Case) error {
	p.stored = nil
	p.tracks = slices.ContainsFunc(c.Steps, func(s Step) bool { return s.Verb.isApply() })
	if c.Stored == nil {
		return nil
	}
	stored, err := encoded(c.Stored)
	if err != nil {
		return fmt.Errorf("stored: %w", err)
	}
	if jsonvalue.At(stored, "metadata", "name") == nil {
		stored, _ = jsonvalue.With(stored, "test", "metadata", "name").(map[string]any)
	}
	p.stored = stored
	return nil
}

// named returns the object with a name to generate if it has no name. An apply
// needs a name.
func (s *Step) named(object map[string]any) map[string]any {
	metadata := jsonvalue.At(object, "metadata")
	if jsonvalue.At(metadata, "name") != nil || jsonvalue.At(metadata, "generateName") != nil {
		return object
	}
	if _, ok := metadata.(map[string]any); !ok && metadata != nil {
		return object
	}
	key, name := "generateName", "test-"
	if s.Verb != Create {
		key, name = "name", "test"
	}
	object, _ = jsonvalue.With(object, name, "metadata", key).(map[string]any)
	return object
}

// encoded returns a value as a client sends it. A map that holds only values of
// the server's decoder is returned as it is, so that 3.0 stays a float.
func encoded(value any) (map[string]any, error) {
	if object, ok := value.(map[string]any); ok && jsonvalue.Check(object) == nil {
		return object, nil
	}
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	object, _, err := jsonvalue.DecodeObject(text)
	if err != nil {
		return nil, fmt.Errorf("%T: %w", value, err)
	}
	return object, nil
}

// typed returns a value as a client sends it. If its Go type has a name and it
// does not say its kind and apiVersion, they are those of its Go type, e.g.
// CronTab and v1 of a type v1.CronTab: clients know them from their scheme.
func (p *play) typed(value any) (map[string]any, error) {
	object, err := encoded(value)
	if err != nil || object["kind"] != nil || object["apiVersion"] != nil {
		return object, err
	}
	t := reflect.TypeOf(value)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Name() == "" {
		return object, nil
	}
	version := t.PkgPath()[strings.LastIndexByte(t.PkgPath(), '/')+1:]
	for _, crd := range p.server.crds {
		if crd.groupKind().Kind == t.Name() {
			object["kind"] = t.Name()
			object["apiVersion"] = crd.groupKind().Group + "/" + version
			return object, nil
		}
	}
	return nil, fmt.Errorf("%T: has no kind, and no definition is of kind %q", value, t.Name())
}
