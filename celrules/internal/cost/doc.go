// Package cost computes what CEL expressions cost: an estimate of the least and
// the most from the sizes that a schema allows, and the cost of one evaluation.
//
// For example, `self.find('[a-z]+')` on a string of 20 characters costs
// ceil((1+20) × 0.1) × ceil(6 × 0.25) = 3 × 2 = 6, and 1 for `self`.
//
// cel-go v0.29.2 asks this package about each call:
//
//   - checker/cost.go asks [Estimator.EstimateCallCost] when a definition is
//     written.
//   - interpreter/runtimecost.go, CostTracker.costCall, asks the trackers and
//     then [Estimator.CallCost] while a rule runs. [Model.CallCost] is the same
//     with cel-go's own charges, for evaluation without cel-go.
//
// Package library says which cost model a function has, e.g. library.CostScan.
// Here is what each model charges: estimate.go before a rule runs, runtime.go
// and trackers.go while it runs, standard.go for cel-go's standard library.
//
// # Terms
//
//   - size: the number of code points of a string, bytes of bytes, items of a
//     list or entries of a map. Values without a size count as 1.
//   - estimate: the least and the most that a call or expression can cost.
//   - tracker: a function that charges the calls of one overload at run time.
//
// # Specification
//
// Rules COST-001 to COST-024 and COST-100 to COST-112.
package cost
