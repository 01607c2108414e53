package crdsem

import (
	"cmp"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/defaulting"
	"github.com/crdsem/crdsem/internal/belowfacade/normalize"
	"github.com/crdsem/crdsem/structural"
)

// normalize gives the object the shape of its schema (steps 3 to 6). The steps
// are one walk, which package normalize does.
func (r *request) normalize(steps ...normalize.Steps) bool {
	if r.source.isDecoded() {
		return true
	}
	var all normalize.Steps
	for _, step := range steps {
		all |= step
	}
	if r.source == fromObject && !r.exact {
		all |= normalize.Integers
	}
	if err := r.version.def.normalize(&r.decoded, all); err != nil {
		return r.refuseBody("DEF-044", err)
	}
	r.object = r.decoded.writable()
	r.result.record(&r.decoded)
	return true
}

// fillDefaults returns an object with the defaults of the version. The object
// may be changed. The error is a *[LimitError].
func (v *Version) fillDefaults(object map[string]any) (map[string]any, error) {
	merged := newDecoded(object)
	filled, _, err := merged.walk(v.schema, normalize.Default, v.def.defaultsMemory)
	return filled, err
}

// record takes over what decoding did.
func (r *Result) record(out *decoded) {
	r.Pruned, r.Provenance = out.unknown, out.changes
	r.Omitted.Changes += out.omitted.changes
	r.Omitted.Pruned += out.omitted.pruned
	r.Omitted.Defaulted += out.omitted.defaulted
	for _, c := range out.changes {
		if c.Action == Defaulted {
			r.Defaulted = append(r.Defaulted, c.Path)
		}
	}
}

// normalize does the steps to an object by the schema of the object's own
// version. An object of another kind or group stays as it is. The error has the
// server's text, without the frame of a request, or is a *[ValueError].
func (d *Definition) normalize(out *decoded, steps normalize.Steps) error {
	if !d.isKindOf(out) {
		return out.check()
	}
	schema, err := d.schemaOf(out.version)
	if err != nil {
		return cmp.Or(out.check(), err)
	}
	if d.preserveUnknownFields {
		steps &^= normalize.Prune | normalize.DropNulls
	}
	if steps&normalize.Prune != 0 {
		steps |= normalize.ResourceRoot
	}
	object, changes, err := out.walk(schema, steps, d.defaultsMemory)
	if err != nil {
		if malformed, ok := errors.AsType[*field.Error](err); ok {
			d.profile.Show(field.ErrorList{malformed})
		}
		return err
	}
	meta := schema.Child("metadata")
	if meta.Default() != nil || meta.HasDefaults() || meta.HasEmbeddedResources() {
		out.state = metaRead
	}
	out.take(object, changes)
	return nil
}

// check returns the error of values that are not JSON.
func (out *decoded) check() error {
	if !out.unchecked {
		return nil
	}
	return checkValues(out.object)
}

func (out *decoded) walk(
	schema *structural.Schema, steps normalize.Steps, limit int64,
) (object map[string]any, changes normalize.Changes, err error) {
	room := normalize.Room(limit)
	switch {
	case out.owned:
		object = out.object
		changes, err = room.InPlace(object, schema, steps)
	case out.unchecked:
		object, changes, err = room.CopyUnchecked(out.object, schema, steps)
	default:
		object, changes, err = room.Copy(out.object, schema, steps)
	}
	if err == normalize.ErrNoRoom {
		return nil, changes, &LimitError{Limit: limit}
	}
	if _, ok := err.(*field.Error); err != nil && !ok {
		err = &ValueError{err}
	}
	return object, changes, err
}

// take takes over the outcome of a walk.
func (out *decoded) take(object map[string]any, changes normalize.Changes) {
	out.object = object
	out.omitted.add(omission{changes.Omitted, changes.OmittedUnknown, changes.OmittedDefaults})
	if len(changes.List) == 0 {
		return
	}
	out.unknown = append(out.unknown, structural.Paths(changes.List, structural.Pruned)...)
	out.unknown = append(out.unknown, structural.Paths(changes.List, structural.MetadataPruned)...)
	out.changes = append(out.changes, changes.List...)
}

// writable returns the object to write to.
func (out *decoded) writable() sharedObject {
	object := newShared(out.object)
	if out.state == metaNormal {
		object = newNormalShared(out.object)
	}
	if out.owned {
		object.Own()
	}
	return object
}

// isKindOf reports whether an object claims to be of the definition.
func (d *Definition) isKindOf(out *decoded) bool {
	return out.group == d.group && out.kind == d.kind
}

// schemaOf returns the schema of a version, nil if there is no such version.
func (d *Definition) schemaOf(version string) (*structural.Schema, error) {
	for _, v := range d.versions {
		if v.name == version {
			return v.prunedSchema()
		}
	}
	return nil, nil
}

// prunedSchema returns the schema of the version with its defaults pruned
// (DEF-041).
func (v *Version) prunedSchema() (*structural.Schema, error) {
	v.pruning.Do(func() {
		v.schema = v.model.Schema()
		defer v.summarize()
		if v.schema == nil || v.def.preserveUnknownFields {
			return
		}
		if v.schema, v.schemaErr = defaulting.PruneDefaults(v.schema); v.schemaErr != nil {
			v.schemaErr = fmt.Errorf("version %q cannot be served: %w", v.name, v.schemaErr)
		}
	})
	return v.schema, v.schemaErr
}

// summarize looks for what can make a second decoding change an object:
// embedded resources, which the first may have repaired in part only, defaults
// that hold a null, and defaults in the metadata.
func (v *Version) summarize() {
	meta := v.schema.Child("metadata")
	v.settling = !v.schema.HasEmbeddedResources() && !v.schema.HasNullDefaults() &&
		meta.Default() == nil && !meta.HasDefaults()
}
