package crdsem

import (
	"maps"
	"strings"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowstructural/metadata"
	"github.com/crdsem/crdsem/structural"
)

// readMetadata reads the metadata of the object and writes it back (step 2).
func (r *request) readMetadata() bool {
	if r.source.isDecoded() {
		return true
	}
	if err := r.version.def.readMetadata(&r.decoded, metadata.Strict); err != nil {
		return r.refuseBody("META-022", err)
	}
	return true
}

// readMetadata reads the metadata of an object, and marks a missing time as the
// minor does.
func (d *Definition) readMetadata(out *decoded, mode metadata.Mode) error {
	given := out.object["metadata"]
	if err := out.readMetadata(mode); err != nil {
		return err
	}
	if !d.profile.OmittedTimes {
		out.markTime(given)
	}
	return nil
}

// markTime gives metadata without a creationTimestamp a null there. If it had
// one when it was given, and nothing else was wrong with it, it was in the form
// of the minor.
func (out *decoded) markTime(given any) {
	meta, ok := out.object["metadata"].(map[string]any)
	if !ok || !lacksTime(meta) {
		return
	}
	meta = maps.Clone(meta)
	meta["creationTimestamp"] = nil
	if jsonvalue.EqualExactly(given, meta) {
		out.changes = nil
	}
	out.object = maps.Clone(out.object)
	out.object["metadata"] = meta
}

func lacksTime(meta map[string]any) bool {
	_, has := meta["creationTimestamp"]
	return !has
}

// readMetadata reads the metadata and writes it back. Fields that ObjectMeta
// does not have are removed, and malformed ones are an error or, by the mode,
// removed. The error has the server's text, without the frame of a request.
func (out *decoded) readMetadata(mode metadata.Mode) error {
	if out.state == metaNormal {
		return nil
	}
	root, err := metadata.CoerceRoot(out.object, mode)
	if err != nil {
		return err
	}
	out.typeMeta = typeMeta{root.Group, root.Version, root.Kind}
	out.unknown, out.state = root.Unknown, metaNormal
	if root.Metadata.Changed {
		out.object = maps.Clone(out.object)
		out.object["metadata"] = root.Metadata.Metadata
		out.changes = rootChanges(&root)
		if !metadata.IsNormal(root.Metadata.Metadata) {
			out.state = metaRead
		}
	}
	return nil
}

// rootChanges lists what was done to the object's own metadata.
func rootChanges(root *metadata.Root) []Change {
	const node = "openAPIV3Schema"
	changes := []Change{{
		Action: MetadataCoerced, Path: "metadata", Schema: node, Pointer: "/metadata",
	}}
	for _, path := range root.Unknown {
		pointer := structural.Pointer("/metadata")
		for _, key := range metadata.UnknownKeys(strings.TrimPrefix(path, "metadata.")) {
			pointer = pointer.Append(key)
		}
		changes = append(changes,
			Change{Action: MetadataPruned, Path: path, Schema: node, Pointer: pointer})
	}
	return changes
}
