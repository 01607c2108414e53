package crdsem

import (
	"maps"

	"github.com/crdsem/crdsem/internal/objectmeta"
	"github.com/crdsem/crdsem/structural/normalize"
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
	object  map[string]any
	unknown []string
	changes []Change
}

// coerce does what the server does to every object that it decodes (PIPE-010): metadata read, unknown fields and nulls removed,
// embedded metadata read, defaults filled in, all by the schema of the object's own version. The object is not changed; the outcome
// shares with it what is the same. The error has the server's text, without the envelope of a request.
func (d *Definition) coerce(object map[string]any, from origin) (decoded, error) {
	mode := objectmeta.Strict
	if from == fromStorage {
		mode = objectmeta.Drop
	}
	root, err := objectmeta.CoerceRoot(object, mode)
	if err != nil {
		return decoded{}, err
	}
	out := decoded{typeMeta: typeMeta{root.Group, root.Version, root.Kind}, object: object, unknown: root.Unknown}
	if root.Metadata.Changed {
		out.object = maps.Clone(object)
		out.object["metadata"] = root.Metadata.Metadata
		out.changes = rootChanges(&root)
	}
	if root.Group != d.group || root.Kind != d.kind {
		return out, nil
	}
	if err := d.applySchema(&out, from); err != nil {
		return decoded{}, err
	}
	if from == fromStorage && root.HasMetadata && generationOf(out.object) == 0 {
		repaired := draft{object: out.object}
		repaired.setMeta("generation", int64(1))
		out.object = repaired.object
	}
	return out, nil
}

// rootChanges tells what was done to the resource's own metadata.
func rootChanges(root *objectmeta.Root) []Change {
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
	out.object = object
	if len(changes) == 0 {
		return nil
	}
	out.unknown = append(out.unknown, normalize.Paths(changes, Pruned)...)
	out.unknown = append(out.unknown, normalize.Paths(changes, MetadataPruned)...)
	out.changes = append(out.changes, changes...)
	return nil
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
