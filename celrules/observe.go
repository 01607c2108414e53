package celrules

// costKey tells rules apart: by their place in the schema and in its list.
type costKey struct {
	path  string
	index int
}

// observe adds what was paid for the rule at hand to its observed cost.
func (e *evaluation) observe(cost uint64) {
	key := costKey{e.frame.schemaPath(), e.index}
	i, ok := e.costs[key]
	if !ok {
		if e.costs == nil {
			e.costs = map[costKey]int{}
		}
		i = len(e.result.Costs)
		e.costs[key] = i
		e.result.Costs = append(e.result.Costs, ObservedCost{Path: key.path, Index: key.index, Rule: e.rule.Rule})
	}
	e.result.Costs[i].Cost += cost
	e.result.Costs[i].Evaluations++
}
