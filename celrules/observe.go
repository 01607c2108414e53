package celrules

// costKey tells rules apart: by their place in the schema and in its list.
type costKey struct {
	path  string
	index int
}

// observed returns where the cost of the rule at hand is added up.
func (e *evaluation) observed() *ObservedCost {
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
	return &e.result.Costs[i]
}
