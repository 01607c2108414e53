package main

import (
	"context"
	"encoding/json"

	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/conformance/oracle/kube"
	crd "github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/structural/normalize"
)

// row is one thing that is measured, over the whole workload. floor may be nil.
type row struct {
	name              string
	floorName         string
	floor, real, ours func(context.Context)
	target            string
}

func rowsOf(w *workload) []row {
	return append(objectRows(w), definitionRows(w)...)
}

func objectRows(w *workload) []row {
	each := func(do func(context.Context, *object)) func(context.Context) {
		return func(ctx context.Context) {
			for _, o := range w.objects {
				do(ctx, o)
			}
		}
	}
	copying := each(func(_ context.Context, o *object) { runtime.DeepCopyJSON(o.clean) })
	return []row{
		{
			name: "admit from JSON", floorName: "JSON decode", target: "ours at most 2x the floor",
			floor: each(func(_ context.Context, o *object) {
				var v map[string]any
				must(utiljson.Unmarshal(o.json, &v))
			}),
			real: each(func(ctx context.Context, o *object) {
				_, err := o.of.real.CreateJSON(ctx, o.name, o.json)
				must(err)
			}),
			ours: each(func(ctx context.Context, o *object) { o.version.CreateBytes(ctx, o.json, crdsem.JSON) }),
		},
		{
			name: "prune, nulls, coerce, default a clean object", floorName: "deep copy", target: "ours at most 1x the floor",
			floor: copying,
			real:  each(func(_ context.Context, o *object) { must(o.of.real.Normalize(o.name, o.clean)) }),
			ours: each(func(_ context.Context, o *object) {
				normalize.InPlace(o.clean, o.version.Schema(), normalize.ResourceRoot|normalize.Prune|normalize.DropNulls|normalize.CoerceMetadata|normalize.Default)
			}),
		},
		{
			name: "update, nothing changed", floorName: "deep copy", target: "ours at most 4x the floor",
			floor: copying,
			real:  each(func(ctx context.Context, o *object) { o.of.real.Update(ctx, o.name, o.stored, o.stored) }),
			ours:  each(func(ctx context.Context, o *object) { o.version.Update(ctx, o.stored, o.stored) }),
		},
		{
			name: "update, one field changed", floorName: "deep copy", target: "ours at most 4x the floor",
			floor: copying,
			real:  each(func(ctx context.Context, o *object) { o.of.real.Update(ctx, o.name, o.changed, o.stored) }),
			ours:  each(func(ctx context.Context, o *object) { o.version.Update(ctx, o.changed, o.stored) }),
		},
	}
}

func definitionRows(w *workload) []row {
	each := func(do func(context.Context, *definition)) func(context.Context) {
		return func(ctx context.Context) {
			for _, d := range w.definitions {
				do(ctx, d)
			}
		}
	}
	decodedOurs, decodedReal := map[*definition]*crd.CRD{}, map[*definition]*kube.DecodedDefinition{}
	asJSON := map[*definition][]byte{}
	for _, d := range w.definitions {
		ours, _, err := crd.Decode([]byte(d.text))
		must(err)
		decodedOurs[d] = ours.ForCreate()
		decodedReal[d], err = kube.DecodeDefinition(d.text)
		must(err)
		asJSON[d] = jsonOf(d.text)
	}
	decoding := each(func(_ context.Context, d *definition) {
		var v map[string]any
		must(json.Unmarshal(asJSON[d], &v))
	})
	return []row{
		{
			name: "definition from YAML to ready", floorName: "JSON decode", target: "ours at most 1/4 of the real code",
			floor: decoding,
			real: each(func(_ context.Context, d *definition) {
				_, err := kube.NewServing(d.text)
				must(err)
			}),
			ours: each(func(_ context.Context, d *definition) { ready(d.text) }),
		},
		{
			name: "definition validated", floorName: "JSON decode", target: "ours at most 1/5 of the real code",
			floor: decoding,
			real:  each(func(ctx context.Context, d *definition) { must(decodedReal[d].Validate(ctx)) }),
			ours: each(func(_ context.Context, d *definition) {
				must(crd.Validate(decodedOurs[d]).Errors.ToAggregate())
			}),
		},
	}
}

// ready parses a definition and compiles every version that it serves, rules included.
func ready(text string) *crdsem.Definition {
	d, err := crdsem.Parse([]byte(text))
	must(err)
	for _, v := range d.Model().Versions() {
		if v.Served {
			_, err := d.Version(v.Name)
			must(err)
		}
	}
	return d
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
