package celrules_test

import (
	"context"
	"testing"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowfacade/ruleoptions"
	"github.com/crdsem/crdsem/internal/test/vectors"
	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/structural"
)

// Rules have the errors and costs of the vectors, and do not change their
// input. In older minors, those from CEL-060 on are asked whose answers differ.
func TestVectors(t *testing.T) {
	for _, v := range vectors.Eval(t, protocol.OpCEL) {
		agrees(t, &v)
		for _, u := range v.Until {
			if older := v; "CEL-06" < v.Rule && v.Rule < "CEL-2" && len(u.Want) > 0 {
				older.Want, older.Or = u.Want, u.Or
				agrees(t, &older, structural.Kubernetes(minors.Minor(u.Kubernetes)))
			}
		}
	}
}

// agrees runs the rules of a vector.
func agrees(t *testing.T, v *vectors.Vector, choices ...structural.Option) {
	t.Helper()
	if v.Req.PerCallLimit != nil {
		limit := uint64(*v.Req.PerCallLimit)
		choices = append(choices,
			ruleoptions.ForCompile(func(o *ruleoptions.Compile) { o.PerCallLimit = limit }))
	}
	var perRun []celrules.ValidateOption
	if v.Req.Budget != nil {
		perRun = append(perRun, celrules.WithBudget(*v.Req.Budget))
	}
	object, old := vectors.DecodeInput(t, v.Req.Object), vectors.DecodeInput(t, v.Req.Old)
	rules := celrules.Compile(schemaOf(t, v), choices...)
	found := validate(rules, object, old, perRun...)
	result := protocol.Evaluated{Errors: protocol.FieldErrors(found.Errors)}
	for _, e := range found.Ratcheted {
		result.Warnings = append(result.Warnings, e.Error())
	}
	if !found.OutOfBudget {
		result.Cost = &found.Cost
	}
	v.Check(t, result)
	if !jsonvalue.Equal(object, vectors.DecodeInput(t, v.Req.Object)) ||
		!jsonvalue.Equal(old, vectors.DecodeInput(t, v.Req.Old)) {
		t.Errorf("%s: an input was changed", v.ID)
	}
}

// A cancelled context ends evaluation (CEL-097).
func TestCancelled(t *testing.T) {
	type input struct {
		Schema protocol.Input `json:"schema"`
		Object protocol.Input `json:"object"`
	}
	type answer struct {
		Errors []protocol.FieldError `json:"errors"`
		Cost   int64                 `json:"cost"`
	}
	for _, c := range vectors.Cases[input, answer](t, "cancelled") {
		schema := mustParse(t, string(vectors.JSON(t, c.Input.Schema)))
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		rules := celrules.Compile(schema)
		if err := rules.Prepare(context.Background()); err != nil {
			t.Fatal(err)
		}
		found := rules.Validate(ctx, vectors.DecodeInput(t, c.Input.Object), nil)
		vectors.CheckErrors(t, c.ID, c.Want.Errors, found.Errors)
		if found.Cost != c.Want.Cost {
			t.Errorf("%s: cost %d, want %d", c.ID, found.Cost, c.Want.Cost)
		}
	}
}
