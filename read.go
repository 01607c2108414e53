package crdsem

import (
	"context"
	"fmt"
	"maps"

	"github.com/crdsem/crdsem/internal/unstructured"
)

// Read says what a client gets of an object that is stored (PIPE-022): malformed metadata is repaired, unknown fields are removed and
// defaults filled in by the schema of the stored version, then it is converted to this version and pruned by its schema; the
// defaults of this version are not filled in. Nothing is validated. The object is not changed.
func (v *Version) Read(ctx context.Context, stored map[string]any) *Result {
	if err := ctx.Err(); err != nil {
		return &Result{Stage: StageDecode, Err: err}
	}
	out, err := v.def.load(stored, v)
	if err != nil {
		return &Result{Stage: StageDecode, Err: err}
	}
	r := &Result{Stage: StageRead, Object: out.object}
	r.tell(&out)
	if v.deprecated != "" {
		r.Warnings = []string{v.deprecated}
	}
	return r
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
func (d *Definition) load(stored map[string]any, to *Version) (decoded, error) {
	if err := unstructured.Check(stored); err != nil {
		return decoded{}, &ValueError{err}
	}
	if kind, _ := stored["kind"].(string); kind == "" {
		return decoded{}, fmt.Errorf("Object 'Kind' is missing in '%s'", jsonOf(stored)) //nolint:staticcheck // the server's text
	}
	out, err := d.coerce(stored, fromStorage)
	if err != nil || out.groupVersion() == to.apiVersion {
		return out, err
	}
	converted, err := d.convert(out.object, to)
	if err != nil {
		return decoded{}, err
	}
	after, err := d.coerce(converted, fromConversion)
	if err != nil {
		return decoded{}, err
	}
	after.unknown = append(out.unknown, after.unknown...)
	after.changes = append(out.changes, after.changes...)
	return after, nil
}

func jsonOf(object map[string]any) string {
	data, err := unstructured.EncodeJSON(object)
	if err != nil {
		return fmt.Sprint(object)
	}
	return string(data)
}

// convert converts an object to a version by the strategy None: only its apiVersion changes. The object is not changed.
func (d *Definition) convert(object map[string]any, to *Version) (map[string]any, error) {
	if d.model.Conversion().Webhook != nil {
		return nil, fmt.Errorf("%s converts by a webhook", d.model.Name())
	}
	out := maps.Clone(object)
	out["apiVersion"] = to.apiVersion
	return out, nil
}
