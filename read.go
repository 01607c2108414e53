package crdsem

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowfacade/normalize"
	"github.com/crdsem/crdsem/internal/belowstructural/metadata"
)

// The steps 3 to 6 of objects that are not the body of a request.
const (
	storedSteps = normalize.Prune | normalize.DropNulls | normalize.RepairMetadata |
		normalize.Default
	convertedSteps = normalize.Prune | normalize.DropNulls | normalize.CoerceMetadata
)

// Read says what a client gets of a stored object (PIPE-022). Malformed
// metadata is repaired, unknown fields are removed and defaults filled in by
// the schema of the stored version. Then the object is converted to this
// version and pruned by its schema; the defaults of this version are not filled
// in. Nothing is validated. The object is not changed.
//
// An object with a list named items looks like a list of objects. The server
// shows it in lists, but a get of it fails: then the result has the object, and
// [Result.Err] says what the server says.
func (v *Version) Read(ctx context.Context, stored map[string]any) *Result {
	return v.Do(ctx, Request{Verb: VerbRead, Old: stored})
}

// read makes a request to read.
func (r *request) read(ctx context.Context, q *Request) *Result {
	if !r.goesOn(ctx) || !r.refuse(r.version.needsStatus(q, q.Old)) {
		return r.finish(ctx, false)
	}
	out, err := r.version.def.load(ctx, q.Old, r.version)
	r.refuse(err)
	r.result.record(&out)
	result := r.finish(ctx, false)
	if result.err != nil {
		return result
	}
	result.Stage, result.Object = StageRead, out.object
	if _, looksLikeList := out.object["items"].([]any); looksLikeList {
		result.err = unclassified(
			"PIPE-022",
			"*unstructured.Unstructured is not a list: no Items field in this object",
		)
	}
	return result
}

// Store says what is written to storage of an admitted object, given in any
// version. It is converted to the storage version and pruned by its schema. Of
// an object of the storage version everything is written, unknown fields too
// (PIPE-021). A number such as 1.0 is written as 1 (PIPE-004). The object is
// not changed.
func (d *Definition) Store(ctx context.Context, object map[string]any) *Result {
	storage := d.model.StorageVersion()
	if storage == nil {
		return &Result{Stage: StageDecode, err: fmt.Errorf("%s has no storage version", d.title())}
	}
	if err := checkValues(object); err != nil {
		return &Result{Stage: StageDecode, err: err}
	}
	to := d.find(storage.Name)
	if apiVersion, _ := object["apiVersion"].(string); apiVersion == to.apiVersion {
		return &Result{Stage: StageStored, Object: asStored(object)}
	}
	out, err := d.converted(ctx, object, to)
	if err != nil {
		return &Result{Stage: StageDecode, err: err}
	}
	r := &Result{Stage: StageStored, Object: asStored(out.object)}
	r.record(&out)
	return r
}

func asStored(object map[string]any) map[string]any {
	if stored, changed := jsonvalue.AsStored(object); changed {
		object, _ = stored.(map[string]any)
	}
	return object
}

// loadOld reads the old object of an update. A patch, an apply and a scale have
// read it before.
func (r *request) loadOld(ctx context.Context) bool {
	if r.old.Fields() != nil {
		return true
	}
	out, err := r.readOld(ctx, r.stored)
	if err == nil {
		r.setOld(&out)
	}
	return r.refuse(err)
}

// readOld reads the old object.
func (r *request) readOld(ctx context.Context, old map[string]any) (decoded, error) {
	if old == nil {
		return decoded{}, &ValueError{errors.New("an update needs the old object")}
	}
	out, err := r.version.def.load(ctx, old, r.version)
	if err != nil {
		return decoded{}, &StoredError{err}
	}
	return out, nil
}

// setOld makes an object the old one. It gets what every object of a server
// has, and managedFields are left out.
func (r *request) setOld(out *decoded) {
	r.old = out.writable()
	if r.version.def.scope == metadata.Namespaced && r.old.MetaText("namespace") == "" {
		r.old.SetMeta("namespace", defaultNamespace)
	}
	if r.old.MetaText("resourceVersion") == "" {
		r.old.SetMeta("resourceVersion", "1")
	}
	r.old.RemoveMeta("managedFields")
}

// load decodes a stored object and converts it to a version.
func (d *Definition) load(
	ctx context.Context, stored map[string]any, to *Version,
) (decoded, error) {
	out, err := d.decodeStored(stored)
	if err != nil || to.isSettled(&out) {
		return out, err
	}
	after, err := d.converted(ctx, out.object, to)
	if err != nil {
		return decoded{}, err
	}
	after.unknown = append(out.unknown, after.unknown...)
	after.changes = append(out.changes, after.changes...)
	after.omitted.add(out.omitted)
	return after, nil
}

// decodeStored does steps 1 to 6 to a stored object. Malformed metadata is
// removed.
func (d *Definition) decodeStored(stored map[string]any) (out decoded, err error) {
	if root, ok := metadata.NormalRoot(stored); ok {
		out = newUnchecked(root, stored)
	} else if err := checkValues(stored); err != nil {
		return decoded{}, err
	} else if kind, _ := stored["kind"].(string); kind == "" {
		return decoded{}, missingKindError(jsonOf(stored))
	} else {
		out = newDecoded(stored)
	}
	if err := d.readMetadata(&out, metadata.Drop); err != nil {
		return decoded{}, err
	}
	_, hasMetadata := out.object["metadata"]
	if err := d.normalize(&out, storedSteps); err != nil {
		return decoded{}, err
	}
	if repaired := out.writable(); d.isKindOf(&out) && hasMetadata && repaired.Generation() == 0 {
		repaired.SetMeta("generation", int64(1))
		out.object = repaired.Fields()
	}
	return out, nil
}

// isSettled reports whether conversion and the decoding after it would leave an
// object as it is, because it is of this version and was just decoded. The
// server does them anyway; they can still change what came with a default, and
// refuse what decoding could not repair.
func (v *Version) isSettled(out *decoded) bool {
	if v.def.unsupported || out.state != metaNormal || !v.isTypeOf(out.typeMeta) {
		return false
	}
	return v.settling || !v.schema.HasEmbeddedResources() && !out.hasDefaults()
}

func (out *decoded) hasDefaults() bool {
	return slices.ContainsFunc(out.changes, func(c Change) bool { return c.Action == Defaulted })
}

// converted converts an object and does steps 2 to 5 after the conversion.
func (d *Definition) converted(
	ctx context.Context, object map[string]any, to *Version,
) (decoded, error) {
	object, err := d.converter.Convert(ctx, object, to.apiVersion)
	if err != nil {
		return decoded{}, err
	}
	out := newDecoded(object)
	if err := d.readMetadata(&out, metadata.Strict); err != nil {
		return decoded{}, err
	}
	if err := d.normalize(&out, convertedSteps); err != nil {
		return decoded{}, err
	}
	return out, nil
}

func jsonOf(object map[string]any) string {
	data, err := jsonvalue.EncodeJSON(object)
	if err != nil {
		return fmt.Sprint(object)
	}
	return string(data)
}
