package main

import (
	"context"
	"encoding/json"

	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/conformance/oracle/kube"
	crd "github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/definition/validate"
)

// definitionRows measure work on definitions, e.g. parsing.
func definitionRows(w *workload) []row {
	each := func(do func(context.Context, *definition)) func(context.Context) {
		return func(ctx context.Context) {
			for _, d := range w.definitions {
				do(ctx, d)
			}
		}
	}
	decodedOurs := map[*definition]*crd.CRD{}
	decodedReal := map[*definition]*kube.DecodedDefinition{}
	asJSON := map[*definition][]byte{}
	for _, d := range w.definitions {
		ours, _, err := crd.Parse([]byte(d.text))
		must(err)
		decodedOurs[d] = ours.ForCreate()
		decodedReal[d], err = kube.DecodeDefinition(d.text)
		must(err)
		asJSON[d], err = yaml.YAMLToJSON([]byte(d.text))
		must(err)
	}
	decoding := each(func(_ context.Context, d *definition) {
		var v map[string]any
		must(json.Unmarshal(asJSON[d], &v))
	})
	return []row{
		{
			name: "definition parsed from YAML, nothing used", floorName: jsonDecode, floor: decoding,
			real: each(
				func(_ context.Context, d *definition) {
					_, err := kube.DecodeDefinition(d.text)
					must(err)
				},
			),
			ours: each(
				func(_ context.Context, d *definition) {
					_, err := crdsem.Parse([]byte(d.text))
					must(err)
				},
			),
		},
		{
			name: "definition from YAML to ready", floorName: jsonDecode, floor: decoding, target: target{ofReal, 1.0 / 4},
			real: each(
				func(_ context.Context, d *definition) {
					_, err := kube.NewServing(d.text)
					must(err)
				},
			),
			ours: each(func(_ context.Context, d *definition) { ready(d.text) }),
		},
		{
			name: "definition validated", floorName: jsonDecode, floor: decoding, target: target{ofReal, 1.0 / 5},
			real: each(func(ctx context.Context, d *definition) { must(decodedReal[d].Validate(ctx)) }),
			ours: each(func(ctx context.Context, d *definition) {
				must(validate.Create(ctx, decodedOurs[d]).Errors.ToAggregate())
			}),
		},
	}
}

// ready parses a definition and prepares every served version. All rules are
// compiled, as in the real code.
func ready(text string, options ...crdsem.DefinitionOption) *crdsem.Definition {
	d, err := crdsem.Parse([]byte(text), options...)
	must(err)
	for _, v := range d.Model().Versions() {
		if v.Served {
			version, err := d.Version(v.Name)
			must(err)
			_ = version.Prepare(context.Background())
		}
	}
	return d
}
