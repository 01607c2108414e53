package celrules

import "github.com/crdsem/crdsem/structural"

// CompileForCEL is Compile without direct evaluation: the plain twin.
func CompileForCEL(schema *structural.Schema) *Rules {
	return Compile(schema, InCache(&Cache{celOnly: true}))
}

// DirectExpressions counts the compiled rules, and those of them that can be evaluated directly.
func (r *Rules) DirectExpressions() (direct, all int) {
	r.Prepare()
	for _, p := range r.cache.rules {
		if p.rule == nil {
			continue
		}
		all++
		if p.rule.direct != nil {
			direct++
		}
	}
	return direct, all
}
