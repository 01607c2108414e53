package crdsem

import (
	"context"
	"fmt"
	"slices"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/metadata"
	"github.com/crdsem/crdsem/internal/normalize"
)

// Read says what a client gets of an object that is stored (PIPE-022): malformed metadata is repaired, unknown fields are removed and
// defaults filled in by the schema of the stored version, then it is converted to this version and pruned by its schema; the
// defaults of this version are not filled in. Nothing is validated. The object is not changed. An object with a list named items, which makes it look
// like a list of objects, is shown in lists, but a get of it fails: then the result has the object, and Err says what the server says.
func (v *Version) Read(ctx context.Context, stored map[string]any) *Result {
	if ctx == nil {
		ctx = context.Background()
	}
	if err := ctx.Err(); err != nil {
		return &Result{Stage: StageDecode, err: err}
	}
	r := &Result{Stage: StageDecode}
	if v.deprecated != "" {
		r.Warnings = []string{v.deprecated}
	}
	out, err := v.def.load(ctx, stored, v)
	if err != nil {
		r.err = err
		return r
	}
	r.Stage, r.Object = StageRead, out.object
	r.tell(&out)
	if _, looksLikeList := out.object["items"].([]any); looksLikeList {
		r.err = unclassified("*unstructured.Unstructured is not a list: no Items field in this object")
	}
	return r
}

// Store says what is written to storage of an admitted object, given in any version: it is converted to the storage version and pruned
// by its schema; of an object of the storage version everything is written, unknown fields too (PIPE-021). A number such as 1.0 is written as
// 1 (PIPE-004). The object is not changed.
func (d *Definition) Store(ctx context.Context, object map[string]any) *Result {
	storage := d.model.StorageVersion()
	if storage == nil {
		return &Result{Stage: StageDecode, err: fmt.Errorf("%s has no storage version", d.title())}
	}
	if err := jsonvalue.Check(object); err != nil {
		return &Result{Stage: StageDecode, err: &ValueError{err}}
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
	r.tell(&out)
	return r
}

func asStored(object map[string]any) map[string]any {
	if stored, changed := jsonvalue.AsStored(object); changed {
		object, _ = stored.(map[string]any)
	}
	return object
}

// tell takes over what decoding did.
func (r *Result) tell(out *decoded) {
	r.Pruned, r.Provenance = out.unknown, out.changes
	for _, c := range out.changes {
		if c.Action == Defaulted {
			r.Defaulted = append(r.Defaulted, c.Path)
		}
	}
}

// load decodes what is stored and converts it to a version.
func (d *Definition) load(ctx context.Context, stored map[string]any, to *Version) (decoded, error) {
	return d.loadBeside(ctx, stored, to, &decoded{})
}

// loadBeside is load beside an object that was decoded from a request, which may share much with what is stored. The outcome does not tell what
// was done to both alike.
func (d *Definition) loadBeside(ctx context.Context, stored map[string]any, to *Version, beside *decoded) (decoded, error) {
	out, err := d.decodeStored(stored, beside)
	if err != nil || to.isSettled(&out, beside) {
		return out, err
	}
	after, err := d.converted(ctx, out.object, to)
	if err != nil {
		return decoded{}, err
	}
	after.unknown = append(out.unknown, after.unknown...)
	after.changes = append(out.changes, after.changes...)
	return after, nil
}

func (d *Definition) decodeStored(stored map[string]any, beside *decoded) (decoded, error) {
	if root, ok := normalRootBeside(stored, beside); ok {
		twin := normalize.Twin{}
		if beside.typeMeta == (typeMeta{root.Group, root.Version, root.Kind}) {
			twin = normalize.Twin{Before: beside.before, After: beside.object}
		}
		return d.coerceUnchecked(&root, stored, fromStorage, twin)
	}
	if err := checkValues(stored); err != nil {
		return decoded{}, err
	}
	if kind, _ := stored["kind"].(string); kind == "" {
		return decoded{}, missingKindError(jsonOf(stored))
	}
	return d.coerce(stored, fromStorage)
}

// normalRootBeside is metadata.NormalRoot beside an object that was decoded from a request: what is equal in both is not looked at twice.
func normalRootBeside(stored map[string]any, beside *decoded) (metadata.Root, bool) {
	if !beside.normal || beside.kind == "" || !sameRoot(stored, beside.before) {
		return metadata.NormalRoot(stored)
	}
	return metadata.Root{Group: beside.group, Version: beside.version, Kind: beside.kind}, true
}

// sameRoot tells whether a resource has apiVersion, kind and metadata of another one, whose root is known to be normal.
func sameRoot(resource, normal map[string]any) bool {
	for _, key := range [...]string{"kind", "apiVersion", "metadata"} {
		value, has := normal[key]
		if other, found := resource[key]; found != has || !jsonvalue.EqualChecked(value, other) {
			return false
		}
	}
	return true
}

// isSettled tells whether conversion and the decode step after it have nothing to do for an object of this version that was just decoded. The
// server does them even if there is nothing to convert; they can still change what came with a default, and refuse what decoding could not repair.
func (v *Version) isSettled(out, beside *decoded) bool {
	if v.def.unsupported || !out.normal || !v.isTypeOf(out) {
		return false
	}
	return v.settling || !v.schema.HasEmbeddedResources() && !out.hasDefaults() && !(beside.typeMeta == out.typeMeta && beside.hasDefaults())
}

func (out *decoded) hasDefaults() bool {
	return slices.ContainsFunc(out.changes, func(c Change) bool { return c.Action == Defaulted })
}

// converted converts an object and does the decode step after a conversion.
func (d *Definition) converted(ctx context.Context, object map[string]any, to *Version) (decoded, error) {
	object, err := d.Convert(ctx, object, to.apiVersion)
	if err != nil {
		return decoded{}, err
	}
	return d.coerce(object, fromConversion)
}

func jsonOf(object map[string]any) string {
	data, err := jsonvalue.EncodeJSON(object)
	if err != nil {
		return fmt.Sprint(object)
	}
	return string(data)
}
