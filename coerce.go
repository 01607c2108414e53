package crdsem

import (
	"cmp"
	"maps"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/metadata"
	"github.com/crdsem/crdsem/internal/normalize"
)

// origin says where an object comes from, and with that how it is decoded.
type origin uint8

const (
	fromRequest    origin = iota
	fromStorage           // malformed metadata is repaired
	fromConversion        // defaults are not filled in (PIPE-022)
)

// decoded is an object that went through the decode step.
type decoded struct {
	typeMeta
	before  map[string]any // its metadata read, the schema not applied
	object  map[string]any
	unknown []string
	changes []Change
	normal  bool   // the metadata is known to be in normal form
	asTwin  bool   // all but the metadata is known to be as in the twin
	unlike  string // otherwise a field in which the two may differ
}

// coerce does what the server does to every object that it decodes (PIPE-010): metadata read, unknown fields and nulls removed,
// embedded metadata read, defaults filled in, all by the schema of the object's own version. The object is not changed; the outcome
// shares with it what is the same. The error has the server's text, without the envelope of a request.
func (d *Definition) coerce(object map[string]any, from origin) (decoded, error) {
	mode := metadata.Strict
	if from == fromStorage {
		mode = metadata.Drop
	}
	root, err := metadata.CoerceRoot(object, mode)
	if err != nil {
		return decoded{}, err
	}
	out := newDecoded(&root, object)
	if root.Metadata.Changed {
		out.before = maps.Clone(object)
		out.before["metadata"] = root.Metadata.Metadata
		out.object = out.before
		out.changes = rootChanges(&root)
		out.normal = metadata.IsNormal(root.Metadata.Metadata)
	}
	if root.Group != d.group || root.Kind != d.kind {
		return out, nil
	}
	if err := d.applySchema(&out, from); err != nil {
		return decoded{}, err
	}
	d.finish(&out, from)
	return out, nil
}

// coerceUnchecked is coerce for an object that may hold anything and whose root is known to be normal. It is done beside a twin, the object before and
// after coerce by the same schema; the changes that both have in common are not told. The error of an object that holds what it must not is a
// *[ValueError].
func (d *Definition) coerceUnchecked(root *metadata.Root, object map[string]any, from origin, twin normalize.Twin) (decoded, error) {
	out := newDecoded(root, object)
	if root.Group != d.group || root.Kind != d.kind {
		return out, checkValues(object)
	}
	schema, err := d.schemaOf(out.version)
	if err != nil {
		return decoded{}, cmp.Or(checkValues(object), err)
	}
	outcome, err := normalize.CopyUnchecked(object, twin, schema, d.steps(from))
	if err != nil {
		if _, ok := err.(*field.Error); !ok {
			err = &ValueError{err}
		}
		return decoded{}, err
	}
	out.asTwin, out.unlike = outcome.LikeTwin, outcome.Unlike
	out.take(outcome.Object, outcome.Changes)
	d.finish(&out, from)
	return out, nil
}

// checkValues returns the error of an object that holds what it must not, a *[ValueError].
func checkValues(object map[string]any) error {
	if err := jsonvalue.Check(object); err != nil {
		return &ValueError{err}
	}
	return nil
}

func newDecoded(root *metadata.Root, object map[string]any) decoded {
	return decoded{
		typeMeta: typeMeta{root.Group, root.Version, root.Kind}, before: object, object: object, unknown: root.Unknown, normal: true,
	}
}

// finish does what comes after the schema.
func (d *Definition) finish(out *decoded, from origin) {
	metadata, hadMetadata := out.before["metadata"]
	out.normal = out.normal && jsonvalue.Identical(metadata, out.object["metadata"])
	if repaired := newDraft(out.object, out.normal); from == fromStorage && hadMetadata && repaired.generation() == 0 {
		repaired.setMeta("generation", int64(1))
		out.object = repaired.object
	}
}

// rootChanges tells what was done to the resource's own metadata.
func rootChanges(root *metadata.Root) []Change {
	const node = "openAPIV3Schema"
	changes := []Change{{Action: MetadataCoerced, Path: "metadata", Schema: node}}
	for _, path := range root.Unknown {
		changes = append(changes, Change{Action: MetadataPruned, Path: path, Schema: node})
	}
	return changes
}

func (d *Definition) applySchema(out *decoded, from origin) error {
	schema, err := d.schemaOf(out.version)
	if err != nil {
		return err
	}
	object, changes, bad := normalize.Copy(out.object, schema, d.steps(from))
	if bad != nil {
		return bad
	}
	out.take(object, changes)
	return nil
}

func (out *decoded) take(object map[string]any, changes []Change) {
	out.object = object
	if len(changes) == 0 {
		return
	}
	out.unknown = append(out.unknown, normalize.Paths(changes, Pruned)...)
	out.unknown = append(out.unknown, normalize.Paths(changes, MetadataPruned)...)
	if out.changes == nil {
		out.changes = changes
		return
	}
	out.changes = append(out.changes, changes...)
}

func (d *Definition) steps(from origin) normalize.Steps {
	steps := normalize.CoerceMetadata | normalize.Default
	switch from {
	case fromStorage:
		steps = normalize.RepairMetadata | normalize.Default
	case fromConversion:
		steps = normalize.CoerceMetadata
	}
	if !d.preserveUnknownFields {
		steps |= normalize.Prune | normalize.ResourceRoot | normalize.DropNulls
	}
	return steps
}
