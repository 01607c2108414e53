package main

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowfacade/normalize"
)

const (
	deepCopy   = "deep copy"
	jsonDecode = "JSON decode"
)

// objectRows measure work on objects: each stage alone, and whole requests.
func objectRows(w *workload) []row {
	rows := append(decodingRows(w), stageRows(w)...)
	return append(rows, requestRows(w)...)
}

// each does the same with every object.
func each(objects []*object, do func(context.Context, *object)) func(context.Context) {
	return func(ctx context.Context) {
		for _, o := range objects {
			do(ctx, o)
		}
	}
}

func copying(objects []*object) func(context.Context) {
	return each(objects, func(_ context.Context, o *object) { runtime.DeepCopyJSON(o.clean) })
}

func decodingJSON(objects []*object) func(context.Context) {
	return each(objects, func(_ context.Context, o *object) {
		var v map[string]any
		must(utiljson.Unmarshal(o.json, &v))
	})
}

func decodingRows(w *workload) []row {
	decoding := decodingJSON(w.objects)
	return []row{
		{
			name: "decode from JSON", floorName: jsonDecode, floor: decoding,
			real: each(w.objects, func(_ context.Context, o *object) {
				var v map[string]any
				_, err := kjson.UnmarshalStrict(o.json, &v)
				must(err)
			}),
			ours: each(w.objects, func(_ context.Context, o *object) {
				_, _, err := jsonvalue.DecodeJSON(o.json)
				must(err)
			}),
		},
		{
			name: "decode from YAML", floorName: jsonDecode, floor: decoding,
			real: each(w.objects, func(_ context.Context, o *object) {
				var v map[string]any
				must(yaml.Unmarshal(o.yaml, &v))
			}),
			ours: each(w.objects, func(_ context.Context, o *object) {
				_, _, err := jsonvalue.DecodeYAML(o.yaml)
				must(err)
			}),
		},
	}
}

// stageRows are measured on objects that need no change.
func stageRows(w *workload) []row {
	normalizing := func(steps normalize.Steps) func(context.Context) {
		return each(w.objects, func(_ context.Context, o *object) {
			_, err := normalize.InPlace(o.clean, o.version.Schema(), steps)
			fine(err == nil)
		})
	}
	return []row{
		{
			name: "prune", floorName: deepCopy, floor: copying(w.objects),
			real: each(w.objects, func(_ context.Context, o *object) { fine(len(o.real.Prune(o.clean)) == 0) }),
			ours: normalizing(normalize.ResourceRoot | normalize.Prune),
		},
		{
			name: "drop nulls, fill in defaults", floorName: deepCopy, floor: copying(w.objects),
			real: each(w.objects, func(_ context.Context, o *object) { o.real.Fill(o.clean) }),
			ours: normalizing(normalize.DropNulls | normalize.Default),
		},
		{
			name: "coerce embedded metadata", floorName: deepCopy, floor: copying(w.objects),
			real: each(w.objects, func(_ context.Context, o *object) { must(o.real.Coerce(o.clean)) }),
			ours: normalizing(normalize.CoerceMetadata),
		},
		{
			name: "all of these (normalize)", floorName: deepCopy, floor: copying(w.objects), target: target{ofFloor, 1},
			real: each(w.objects, func(_ context.Context, o *object) { must(o.of.real.Normalize(o.name, o.clean)) }),
			ours: normalizing(normalize.ResourceRoot | normalize.Prune | normalize.DropNulls | normalize.CoerceMetadata | normalize.Default),
		},
		{
			name: "validate values", floorName: deepCopy, floor: copying(w.objects),
			real: each(w.objects, func(_ context.Context, o *object) { fine(o.real.Values(o.clean) == 0) }),
			ours: each(w.objects, func(ctx context.Context, o *object) { fine(len(o.validator.Values(ctx, nil, o.clean)) == 0) }),
		},
		{
			name: "validate list types", floorName: deepCopy, floor: copying(w.objects),
			real: each(w.objects, func(_ context.Context, o *object) { fine(o.real.ListTypes(o.clean) == 0) }),
			ours: each(w.objects, func(ctx context.Context, o *object) { fine(len(o.validator.ListTypes(ctx, o.clean)) == 0) }),
		},
		{
			name: "evaluate rules (objects with rules)", floorName: deepCopy, floor: copying(w.ruled),
			real: each(w.ruled, func(ctx context.Context, o *object) { fine(o.real.Rules(ctx, o.clean) == 0) }),
			ours: each(w.ruled, func(ctx context.Context, o *object) { fine(len(o.rules.Validate(ctx, o.clean, nil).Errors) == 0) }),
		},
	}
}

// requestRows are whole requests.
func requestRows(w *workload) []row {
	admit := func(r *crdsem.Result) { fine(r.Admitted()) }
	return []row{
		{
			name: "admit from JSON", floorName: jsonDecode, floor: decodingJSON(w.objects), target: target{ofFloor, 2},
			real: each(
				w.objects,
				func(ctx context.Context, o *object) {
					_, err := o.of.real.CreateJSON(ctx, o.name, o.json)
					must(err)
				},
			),
			ours: each(
				w.objects,
				func(ctx context.Context, o *object) {
					admit(o.version.CreateBytes(ctx, o.json, crdsem.Format(crdsem.JSON)))
				},
			),
		},
		{
			name: "create, decoded before", floorName: deepCopy, floor: copying(w.objects),
			real: each(
				w.objects,
				func(ctx context.Context, o *object) {
					_, err := o.of.real.Create(ctx, o.name, o.clean)
					must(err)
				},
			),
			ours: each(w.objects,
				func(ctx context.Context, o *object) { admit(o.version.Create(ctx, o.clean)) }),
		},
		{
			name: "update, nothing changed", floorName: deepCopy, floor: copying(w.objects), target: target{ofFloor, 4},
			real: each(w.objects, func(ctx context.Context, o *object) { fine(o.of.real.Update(ctx, o.name, o.same, o.stored)) }),
			ours: each(w.objects, func(ctx context.Context, o *object) { admit(o.version.Update(ctx, o.same, o.stored)) }),
		},
		{
			name: "update, one field changed", floorName: deepCopy, floor: copying(w.objects), target: target{ofFloor, 4},
			real: each(w.objects, func(ctx context.Context, o *object) { fine(o.of.real.Update(ctx, o.name, o.changed, o.stored)) }),
			ours: each(w.objects, func(ctx context.Context, o *object) { admit(o.version.Update(ctx, o.changed, o.stored)) }),
		},
		{
			name: "update of the status", floorName: deepCopy, floor: copying(w.withStatus),
			real: each(w.withStatus, func(ctx context.Context, o *object) { o.of.real.UpdateStatus(ctx, o.name, o.same, o.stored) }),
			ours: each(w.withStatus, func(ctx context.Context, o *object) { o.version.UpdateStatus(ctx, o.same, o.stored) }),
		},
		{
			name: "read, in another version if there is one", floorName: deepCopy, floor: copying(w.objects),
			real: each(w.objects, func(_ context.Context, o *object) {
				_, err := o.of.real.Read(o.stored, o.name, o.readIn.Name())
				must(err)
			}),
			ours: each(w.objects,
				func(ctx context.Context, o *object) { must(o.readIn.Read(ctx, o.stored).Err()) }),
		},
	}
}

// fine panics if a measurement would measure something else.
func fine(ok bool) {
	if !ok {
		panic("the workload is not what it was when it was loaded")
	}
}
