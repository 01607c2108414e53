package generate

import (
	"context"
	"maps"
	"math"
	"math/rand/v2"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/generate/internal/objectgen"
)

// request is one way of sending objects to the server, e.g. as an update of an
// old object.
type request struct {
	// send returns the server's verdict.
	send func(ctx context.Context, object map[string]any) *crdsem.Result
	// restore resets the parts of an object that the request requires or cannot
	// write, e.g. the name.
	restore func(object map[string]any)
	// schema is the part of the schema that the request writes; places lists
	// its nodes.
	schema objectgen.Node
	places func() *objectgen.Places

	spent  int64 // the cost of rules so far
	effort *effort
}

// maker returns a maker that ends with the search.
func (q *request) maker(r *rand.Rand, kind objectgen.Kind) *objectgen.Maker {
	return &objectgen.Maker{Rand: r, Kind: kind, Context: q.effort.context()}
}

// unmade returns why nothing was found: the error, or that the context has
// ended, or that the maker's budget was too small.
func (q *request) unmade(m *objectgen.Maker, err *UnmadeError) error {
	if ctx := q.effort.context(); ctx.Err() != nil {
		return context.Cause(ctx)
	}
	switch {
	case q.effort.isOver():
		q.effort.budget.open.Add(1)
		err.Err = errSpent
	case m.Reached && err.Err == nil:
		err.Err = errTooLarge
	}
	return err
}

// effort bounds a search for an object. Nil is no bound.
type effort struct {
	ctx context.Context // ends the search
	// left is how many objects may still be judged, and judged how many were.
	left, judged int
	budget       *Budget // that it shares with others, nil for none
}

// context returns the context of verdicts.
func (e *effort) context() context.Context {
	if e == nil {
		return context.Background()
	}
	return e.ctx
}

// judge counts an object, whose rules have a cost.
func (e *effort) judge(cost int64) {
	if e != nil {
		e.left--
		e.judged++
		e.budget.take(cost)
	}
}

// isSpent reports whether no object may be judged any more.
func (e *effort) isSpent() bool {
	return e != nil && (e.left <= 0 || e.ctx.Err() != nil) || e.isOver()
}

// isOver reports whether the budget of all searches is spent.
func (e *effort) isOver() bool { return e != nil && e.budget.isSpent() }

// maxSpent is the cost of rules, in the server's units, after which a search
// stops: as much as three requests may cost.
const maxSpent = 30_000_000

// try restores an object and returns the server's verdict.
func (q *request) try(object map[string]any) *crdsem.Result {
	q.restore(object)
	result := q.send(q.effort.context(), object)
	q.effort.judge(result.Cost)
	q.spent += result.Cost
	return result
}

// exhausted reports whether the search must stop.
func (q *request) exhausted() bool { return q.spent > maxSpent || q.effort.isSpent() }

// newEffort returns that of one search.
func (s *Resources) newEffort() *effort {
	if s.ctx == nil && s.budget == nil {
		return nil
	}
	ctx := s.ctx
	if ctx == nil {
		ctx = context.Background()
	}
	return &effort{ctx: s.budget.context(ctx), left: math.MaxInt, budget: s.budget}
}

// creation returns the request that creates an object. The maker ends with it.
func (s *Resources) creation(m *objectgen.Maker) *request {
	q := &request{
		effort: s.newEffort(),
		send: func(ctx context.Context, object map[string]any) *crdsem.Result {
			return s.version.Create(ctx, object,
				crdsem.FieldValidation(crdsem.Strict), crdsem.NameFailures())
		},
		restore: func(object map[string]any) {
			if s.hasStatus {
				delete(object, "status")
			}
			s.identify(m, object)
		},
		schema: s.main, places: s.createPlaces,
	}
	m.Context = q.effort.context()
	return q
}

// replacement returns the request that updates an object.
func (s *Resources) replacement(old map[string]any) *request {
	kept := []string{"apiVersion", "kind", "metadata"}
	if s.hasStatus {
		kept = append(kept, "status")
	}
	return &request{
		effort: s.newEffort(),
		send: func(ctx context.Context, object map[string]any) *crdsem.Result {
			return s.version.Update(
				ctx, object, old, crdsem.FieldValidation(crdsem.Strict), crdsem.NameFailures())
		},
		restore: func(object map[string]any) { restoreFrom(old, object, kept) },
		schema:  s.main, places: s.mainPlaces,
	}
}

// statusReplacement returns the request that updates the status of an object.
func (s *Resources) statusReplacement(old map[string]any) *request {
	rest := jsonvalue.DeepCopyMap(old)
	delete(rest, "status")
	return &request{
		effort: s.newEffort(),
		send: func(ctx context.Context, object map[string]any) *crdsem.Result {
			return s.version.UpdateStatus(
				ctx, object, old, crdsem.FieldValidation(crdsem.Strict), crdsem.NameFailures())
		},
		restore: func(object map[string]any) {
			status, has := object["status"]
			clear(object)
			maps.Copy(object, jsonvalue.DeepCopyMap(rest))
			if has {
				object["status"] = status
			}
		},
		schema: s.status, places: s.statusPlaces,
	}
}

// restoreFrom gives members of an object the values that they have in the old
// object.
func restoreFrom(old, object map[string]any, kept []string) {
	for _, name := range kept {
		delete(object, name)
		if v, has := old[name]; has {
			object[name] = jsonvalue.DeepCopy(v)
		}
	}
}
