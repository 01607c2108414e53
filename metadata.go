package crdsem

import (
	"maps"

	"github.com/crdsem/crdsem/internal/copyonwrite"
	"github.com/crdsem/crdsem/internal/metadata"
)

// readMetadata reads the metadata of the object and writes it back (step 2).
func (r *request) readMetadata() bool {
	return r.source.isDecoded() || r.refuseBody(r.decoded.readMetadata(metadata.Strict))
}

// decoded is an object in steps 2 to 6. Requests, stored objects and converted
// objects all take them. The object that it starts from is not changed.
type decoded struct {
	typeMeta
	object  map[string]any
	unknown []string // paths of the unknown fields that were removed
	changes []Change
	state   metaState
	// unchecked is set by newUnchecked if the object may hold any Go value.
	// normalize reads it, and checks the values as it walks over them.
	unchecked bool
}

// metaState is what is known of the metadata of an object.
type metaState uint8

const (
	metaRaw    metaState = iota // not read yet
	metaRead                    // read, and not known to be in normal form
	metaNormal                  // in normal form
)

// newDecoded returns an object that holds JSON values only.
func newDecoded(object map[string]any) decoded { return decoded{object: object} }

// newUnchecked returns an object that may hold any Go value, except in its
// apiVersion, kind and metadata, which are in normal form
// (see [metadata.NormalRoot]).
func newUnchecked(root metadata.Root, object map[string]any) decoded {
	return decoded{
		typeMeta: typeMeta{root.Group, root.Version, root.Kind}, object: object,
		state: metaNormal, unchecked: true,
	}
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
	changes := []Change{{Action: MetadataCoerced, Path: "metadata", Schema: node}}
	for _, path := range root.Unknown {
		changes = append(changes, Change{Action: MetadataPruned, Path: path, Schema: node})
	}
	return changes
}

// writable returns the object to write to.
func (out *decoded) writable() copyonwrite.Object {
	if out.state == metaNormal {
		return copyonwrite.NewNormal(out.object)
	}
	return copyonwrite.New(out.object)
}
