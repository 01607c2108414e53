package live

import (
	"context"
	"errors"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowfacade/normalize"
	"github.com/crdsem/crdsem/internal/belowstructural/metadata"
	"github.com/crdsem/crdsem/structural"
)

// The server decodes the embedded resources of an object in the order of its
// maps and stops at the first malformed one. If there are several, it reports
// any one of them. The functions below return all that it may report.

// requestFaults returns them for a refused request. The object is in the body
// or, for a patch, in the error. An apply has others.
func (f *facadeResource) requestFaults(v *crdsem.Version, w *write, refusal error) []string {
	if w.media == mediaApply {
		return f.mergeFaults(v, w)
	}
	body, decode := w.body, jsonvalue.DecodeJSON
	if w.media == mediaYAML {
		decode = jsonvalue.DecodeYAML
	}
	if bad := (*field.Error)(nil); errors.As(refusal, &bad) {
		patched, _ := bad.BadValue.(string)
		body = []byte(patched)
	}
	value, _, _ := decode(body)
	object, _ := value.(map[string]any)
	return f.faults(object)
}

// readFaults returns them for a stored object that is read in a version.
func (f *facadeResource) readFaults(v *crdsem.Version, stored map[string]any) []string {
	if own, err := f.definition.Version(versionName(stored)); err == nil {
		if read := own.Read(context.Background(), stored); read.Err() == nil {
			stored = read.Object
		}
	}
	return f.convertedFaults(stored, v.APIVersion())
}

// storeFaults returns them for an admitted object that is stored.
func (f *facadeResource) storeFaults(object map[string]any) []string {
	model := f.definition.Model()
	return f.convertedFaults(object, model.Group()+"/"+model.StorageVersion().Name)
}

// convertedFaults returns them for an object that is converted.
func (f *facadeResource) convertedFaults(object map[string]any, apiVersion string) []string {
	converted, err := f.definition.Convert(context.Background(), object, apiVersion)
	if err != nil {
		return nil
	}
	return f.faults(converted)
}

// faults returns them for an object that is decoded in its own version.
func (f *facadeResource) faults(object map[string]any) []string {
	v, err := f.definition.Version(versionName(object))
	if err != nil || object == nil {
		return nil
	}
	pruned, _, _ := normalize.Unlimited.Copy(object, v.Schema(),
		normalize.Prune|normalize.ResourceRoot|normalize.DropNulls)
	return faultsBelow(nil, pruned, v.Schema())
}

// versionName returns the version in an object's apiVersion.
func versionName(object map[string]any) string {
	_, name, _ := strings.Cut(text(object, "apiVersion"), "/")
	return name
}

// faultsBelow returns them for a value: of a map, those of all its members; of
// a list, those of the first item that has any.
func faultsBelow(at *field.Path, value any, schema *structural.Schema) []string {
	var all []string
	switch value := value.(type) {
	case map[string]any:
		for _, key := range sortedKeys(value) {
			below := at.Key(key)
			if schema.Property(key) != nil {
				below = at.Child(key)
			}
			fault := ownFault(at.Child(key), key, value[key])
			if schema.EmbeddedResource() && fault != nil {
				all = append(all, fault.Error())
			} else if child := schema.Child(key); child != nil {
				all = append(all, faultsBelow(below, value[key], child)...)
			}
		}
	case []any:
		for i, item := range value {
			all = faultsBelow(at.Index(i), item, schema.Items())
			if len(all) > 0 || schema.Items() == nil {
				break
			}
		}
	}
	return all
}

// ownFault returns the fault of a member of an embedded resource.
func ownFault(at *field.Path, key string, value any) *field.Error {
	switch _, isString := value.(string); {
	case key == "metadata":
		if _, err := metadata.Coerce(value, metadata.Strict); err != nil {
			return field.Invalid(at, value, err.Error())
		}
	case (key == "apiVersion" || key == "kind") && !isString:
		return field.Invalid(at, value, "must be a string")
	}
	return nil
}

// alternatives returns the verdict and, for each other fault that the server
// may report instead, a verdict with that fault.
func (v *verdict) alternatives() []*verdict {
	var all []*verdict
	for _, told := range v.faults {
		if !endsWith(v.message, told) {
			continue
		}
		for _, other := range v.faults {
			if other != told {
				all = append(all, v.with(told, other))
			}
		}
	}
	return all
}

// with returns a copy of a verdict with another fault at the end of its message
// and of its errors.
func (v *verdict) with(told, other string) *verdict {
	c := *v
	c.message = strings.TrimSuffix(v.message, told) + other
	c.errors = nil
	for _, f := range v.errors {
		if endsWith(f.Message, told) {
			f.Message = strings.TrimSuffix(f.Message, told) + other
		}
		c.errors = append(c.errors, f)
	}
	return &c
}

// endsWith reports whether a message is an error, or ends in it after a colon.
func endsWith(message, told string) bool {
	return message == told || strings.HasSuffix(message, ": "+told)
}
