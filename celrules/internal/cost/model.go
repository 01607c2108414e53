package cost

import (
	"cel.dev/cel-go/common/cost"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/interpreter"

	"github.com/crdsem/crdsem/internal/belowfacade/library"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// Model is the cost model of a base environment. It is immutable and safe for
// concurrent use.
type Model struct {
	estimator *Estimator
	trackers  map[string]cost.FunctionTracker // by overload id
}

// NewModel returns the cost model of an environment of a minor with these
// functions.
func NewModel(p *profile.Profile, functions []library.Function) *Model {
	return &Model{estimator: newEstimator(p, functions), trackers: trackersByOverload(p)}
}

// CallCost returns what a call with these arguments (the receiver first) and
// this result costs. The first of these that knows the call decides, as in
// cel-go (COST-023): the tracker of the overload, the estimator.
func (m *Model) CallCost(function, overload string, args []ref.Val, result ref.Val) uint64 {
	if tracker, ok := m.trackers[overload]; ok {
		return *tracker(args, result)
	}
	return *m.estimator.CallCost(function, overload, args, result)
}

// KnownBefore reports whether the charge for a call is known before the call
// and can be large: the function compares each item with each other one, or
// makes as many items as an argument says.
func (m *Model) KnownBefore(function, overload string) bool {
	switch m.estimator.model(function, overload) {
	case library.CostListRange:
		return !m.estimator.profile.BoundedRanges
	case library.CostListDistinct, library.CostListSort, library.CostListSortBy,
		library.CostSetCompare, library.CostSetCompareTwice:
		return true
	}
	return false
}

// NeedsResult reports whether the charge for a call depends on its result.
func (m *Model) NeedsResult(function, overload string) bool {
	switch m.estimator.model(function, overload) {
	case library.CostJoin, library.CostListSlice, library.CostListRange, library.CostListReverse:
		return true
	}
	return false
}

// Estimator returns the estimator of a minor for a schema that allows these
// sizes. With nil sizes no size is known.
func (m *Model) Estimator(p *profile.Profile, sizes SizeEstimator) *Estimator {
	with := *m.estimator
	with.profile, with.sizes = p, sizes
	return &with
}

// NewTracker returns a tracker that counts the run-time cost of one evaluation
// in cel-go. A presence test, e.g. `has(self.a)`, costs nothing itself.
func (m *Model) NewTracker() (*cost.Tracker, error) {
	options := []cost.TrackerOption{
		cost.TrackerPresenceTestHasCost(false), cost.ModelVersion(0),
	}
	for overload, tracker := range m.trackers {
		options = append(options, cost.OverloadTracker(overload, tracker))
	}
	//nolint:staticcheck // cost.NewTracker lacks the handler that ends an evaluation at its limit
	return interpreter.NewCostTracker(m.estimator, options...)
}

// SizeEstimator knows the sizes that a schema allows. It returns nil for a node
// that it does not know (COST-011).
type SizeEstimator interface {
	EstimateSize(element cost.AstNode) *cost.SizeEstimate
}

// Estimator charges the calls of functions with a cost model in the catalogue,
// before and while an expression runs. It leaves other calls to cel-go. It is
// immutable and safe for concurrent use.
type Estimator struct {
	profile   *profile.Profile
	sizes     SizeEstimator
	functions map[string]library.Cost
	overloads map[string]library.Cost
	one       *uint64 // the charge for most calls, which saves an allocation; constant
}

// newEstimator returns an estimator with the cost models of the functions.
func newEstimator(p *profile.Profile, functions []library.Function) *Estimator {
	one := uint64(1)
	e := &Estimator{
		profile:   p,
		functions: map[string]library.Cost{},
		overloads: map[string]library.Cost{},
		one:       &one,
	}
	for _, f := range functions {
		e.functions[f.Name] = f.Cost
		for _, o := range f.Overloads {
			if o.Cost != library.CostDefault {
				e.overloads[o.ID] = o.Cost
			}
		}
	}
	return e
}

// model returns the cost model of a call: that of the overload, otherwise that
// of the function. At run time the overload is unknown if the receiver has a
// dynamic type.
func (e *Estimator) model(function, overload string) library.Cost {
	if c, found := e.overloads[overload]; found {
		return c
	}
	return e.functions[function]
}
