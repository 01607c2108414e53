package crdsem

import (
	"context"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/belowfacade/normalize"
	"github.com/crdsem/crdsem/internal/belowstructural/metadata"
)

// What the tests of this package see of its inside.

// DecodeObject does steps 2 to 6 to an object.
func DecodeObject(
	d *Definition, object map[string]any,
) (map[string]any, []string, []Change, error) {
	const steps = normalize.Prune | normalize.DropNulls | normalize.CoerceMetadata |
		normalize.Default
	out := newDecoded(object)
	if err := d.readMetadata(&out, metadata.Strict); err != nil {
		return nil, nil, nil, err
	}
	if err := d.normalize(&out, steps); err != nil {
		return nil, nil, nil, err
	}
	return out.object, out.unknown, out.changes, nil
}

// ValidateObject does step 9 of a create (old is nil), an update or, with the
// subresource "status", an update of the status, without any step before.
func ValidateObject(
	ctx context.Context, v *Version, object, old map[string]any, subresource string,
) field.ErrorList {
	r := &request{version: v, object: newShared(object), old: newShared(old)}
	switch {
	case old == nil:
		return r.validateCreate(ctx)
	case subresource == "":
		return r.validateUpdate(ctx)
	default:
		return r.validateStatusUpdate(ctx)
	}
}

// CompiledVersions returns the names of the versions that are compiled.
func CompiledVersions(d *Definition) []string {
	var names []string
	for _, v := range d.versions {
		if v.validator != nil || v.rules != nil {
			names = append(names, v.name)
		}
	}
	return names
}

// Uncompiled returns the number of served versions that are not compiled yet,
// and whether the cache is the definition's own.
func Uncompiled(d *Definition) (n int, ownCache bool) {
	return int(d.uncompiled.Load()), d.ownCache
}

// Unprepared returns the number of served versions of which not all rules are
// known to be compiled.
func Unprepared(d *Definition) int { return int(d.unprepared.Load()) }
