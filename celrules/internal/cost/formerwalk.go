package cost

import (
	"math"
	"unicode/utf8"

	"cel.dev/cel-go/common/ast"
	celcost "cel.dev/cel-go/common/cost"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/overloads"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/parser"

	"github.com/crdsem/crdsem/internal/belowfacade/library"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// Estimates before Kubernetes 1.33. cel-go up to 0.22 forgets the size of a
// value that goes through dyn(), an optional, an index or a variable of
// cel.bind, and knows only the first variable of a macro (COST-010).

// EstimateFormerly returns the least and the most that an evaluation of a
// checked expression costs, in a minor before 1.38.
func (e *Estimator) EstimateFormerly(checked *ast.AST) celcost.Estimate {
	if e.profile.KeptSizes {
		return e.estimateKept(checked)
	}
	w := formerWalk{
		estimator: e,
		checked:   checked,
		profile:   e.profile,
		paths:     map[int64][]string{},
		computed:  map[int64]celcost.SizeEstimate{},
		ranges:    map[string][]ast.Expr{},
	}
	return w.cost(checked.Expr())
}

// formerWalk estimates one expression.
type formerWalk struct {
	estimator *Estimator
	checked   *ast.AST
	profile   *profile.Profile
	paths     map[int64][]string // where the schema describes a sub-expression
	computed  map[int64]celcost.SizeEstimate
	ranges    map[string][]ast.Expr // what the variables of loops go through
}

// fixedCost is a cost that depends on nothing.
func fixedCost(n uint64) celcost.Estimate { return celcost.FixedCostEstimate(n) }

// cost estimates a sub-expression with everything below it.
func (w *formerWalk) cost(e ast.Expr) celcost.Estimate {
	switch e.Kind() {
	case ast.LiteralKind:
		return fixedCost(celcost.ConstCost)
	case ast.IdentKind:
		w.paths[e.ID()] = w.variablePath(e.AsIdent())
		return fixedCost(celcost.SelectAndIdentCost)
	case ast.SelectKind:
		return w.selectCost(e)
	case ast.CallKind:
		return w.callCost(e)
	case ast.ListKind:
		return w.sum(e.AsList().Elements()).Add(fixedCost(celcost.ListCreateBaseCost))
	case ast.MapKind:
		total := fixedCost(celcost.MapCreateBaseCost)
		for _, entry := range e.AsMap().Entries() {
			at := entry.AsMapEntry()
			total = total.Add(w.cost(at.Key())).Add(w.cost(at.Value()))
		}
		return total
	case ast.StructKind:
		total := fixedCost(celcost.StructCreateBaseCost)
		for _, entry := range e.AsStruct().Fields() {
			total = total.Add(w.cost(entry.AsStructField().Value()))
		}
		return total
	case ast.ComprehensionKind:
		return w.loopCost(e)
	}
	return celcost.Estimate{}
}

// sum adds the costs of sub-expressions.
func (w *formerWalk) sum(parts []ast.Expr) celcost.Estimate {
	var total celcost.Estimate
	for _, part := range parts {
		total = total.Add(w.cost(part))
	}
	return total
}

// variablePath returns the path of a variable: of what its loop goes through,
// otherwise its name.
func (w *formerWalk) variablePath(name string) []string {
	loops := w.ranges[name]
	if len(loops) == 0 {
		return []string{name}
	}
	over := loops[len(loops)-1]
	switch w.checked.GetType(over.ID()).Kind() {
	case types.ListKind:
		return below(w.paths[over.ID()], "@items")
	case types.MapKind:
		return below(w.paths[over.ID()], "@keys")
	}
	return nil
}

// below returns a path with one more step, as a new list.
func below(path []string, step string) []string {
	return append(path[:len(path):len(path)], step)
}

// selectCost estimates self.a, and has(self.a), which costs nothing itself.
func (w *formerWalk) selectCost(e ast.Expr) celcost.Estimate {
	operand := e.AsSelect().Operand()
	total := w.cost(operand)
	if e.AsSelect().IsTestOnly() {
		return total
	}
	w.paths[e.ID()] = below(w.paths[operand.ID()], e.AsSelect().FieldName())
	switch w.checked.GetType(operand.ID()).Kind() {
	case types.MapKind, types.StructKind, types.TypeParamKind:
		return total.Add(fixedCost(celcost.SelectAndIdentCost))
	}
	return total
}

// loopCost estimates a comprehension, e.g. self.list.all(x, x > 1). Its value
// is as long as what it goes through.
func (w *formerWalk) loopCost(e ast.Expr) celcost.Estimate {
	loop := e.AsComprehension()
	total := w.cost(loop.IterRange()).Add(w.cost(loop.AccuInit()))
	name := loop.IterVar()
	w.ranges[name] = append(w.ranges[name], loop.IterRange())
	round := w.cost(loop.LoopCondition())
	round = w.cost(loop.LoopStep()).Add(round)
	w.ranges[name] = w.ranges[name][:len(w.ranges[name])-1]
	total = total.Add(w.cost(loop.Result()))
	rounds := w.sizeOf(w.node(loop.IterRange()))
	w.computed[e.ID()] = rounds
	return total.Add(rounds.MultiplyByCost(round))
}

// callCost estimates a call. It covers all overloads that the call may have.
func (w *formerWalk) callCost(e ast.Expr) celcost.Estimate {
	call := e.AsCall()
	c := formerCall{function: call.FunctionName()}
	for _, arg := range call.Args() {
		c.argCosts = append(c.argCosts, w.cost(arg))
		c.args = append(c.args, w.node(arg))
	}
	var receiver celcost.Estimate
	if call.IsMemberFunction() {
		receiver = w.cost(call.Target())
		target := w.node(call.Target())
		c.receiver = &target
	}
	own := celcost.Estimate{Min: math.MaxUint64}
	var size *celcost.SizeEstimate
	for _, overload := range w.checked.GetOverloadIDs(e.ID()) {
		c.overload = overload
		estimate := w.estimate(&c)
		own = own.Union(estimate.CostEstimate)
		size = unionOf(size, estimate.ResultSize)
		if len(c.args) > 0 {
			w.followIndex(e, overload, c.args[0].Expr())
		}
	}
	if size != nil {
		w.computed[e.ID()] = *size
	}
	return receiver.Add(own)
}

// unionOf returns a size that covers two, either of which may be nil.
func unionOf(a, b *celcost.SizeEstimate) *celcost.SizeEstimate {
	if a == nil || b == nil {
		if a == nil {
			return b
		}
		return a
	}
	both := a.Union(*b)
	return &both
}

// followIndex notes the path of an index operation, e.g. self.list[0].
func (w *formerWalk) followIndex(e ast.Expr, overload string, indexed ast.Expr) {
	if step := indexStep(overload); step != "" {
		w.paths[e.ID()] = below(w.paths[indexed.ID()], step)
	}
}

// indexStep returns the step of a path that an index operation goes, empty for
// other overloads.
func indexStep(overload string) string {
	switch overload {
	case overloads.IndexList:
		return "@items"
	case overloads.IndexMap:
		return "@values"
	}
	return ""
}

// formerCall is a call with one of its overloads.
type formerCall struct {
	function, overload string
	receiver           *celcost.AstNode // nil for a global function
	args               []celcost.AstNode
	argCosts           []celcost.Estimate
}

// withArgs adds the costs of the arguments to an estimate.
func (c *formerCall) withArgs(own celcost.CallEstimate) celcost.CallEstimate {
	for _, cost := range c.argCosts {
		own.CostEstimate = own.Add(cost)
	}
	return own
}

// estimate estimates a call with its arguments, without its receiver. What
// knows the overload first decides: the library of sets, the estimator of
// Kubernetes, the standard library.
func (w *formerWalk) estimate(c *formerCall) celcost.CallEstimate {
	switch times := setComparisons(w.estimator.model(c.function, c.overload)); {
	case times > 0:
		product := w.sizeOrAny(c.args[0]).Multiply(w.sizeOrAny(c.args[1]))
		cost := product.MultiplyByCostFactor(times).Add(fixedCost(1))
		return c.withArgs(celcost.CallEstimate{CostEstimate: cost})
	case times == 0:
		own := w.estimator.EstimateCallCost(c.function, c.overload, c.receiver, c.args)
		if own != nil {
			return c.withArgs(*own)
		}
	}
	switch c.function {
	case operators.LogicalAnd, operators.LogicalOr:
		left, right := c.argCosts[0], c.argCosts[1]
		most := left.Add(right).Max
		return *charge(celcost.Estimate{Min: left.Min, Max: most})
	case operators.Conditional:
		size := w.sizeOf(c.args[1]).Union(w.sizeOf(c.args[2]))
		return *sized(c.argCosts[0].Add(c.argCosts[1].Union(c.argCosts[2])), size)
	}
	return c.withArgs(w.standard(c))
}

// setComparisons returns how often a function of the library of sets compares
// its lists, 0 for other functions.
func setComparisons(model library.Cost) float64 {
	switch model {
	case library.CostSetCompare:
		return 1
	case library.CostSetCompareTwice:
		return 2
	}
	return 0
}

// scanOf charges reading a value once.
func scanOf(size celcost.SizeEstimate) celcost.Estimate {
	return size.MultiplyByCostFactor(perCharacter)
}

// standard estimates a call of the standard library.
func (w *formerWalk) standard(c *formerCall) celcost.CallEstimate {
	switch len(c.args) {
	case 1:
		if own := w.unary(c, w.sizeOf(c.args[0])); own != nil {
			return *own
		}
	case 2:
		if own := w.binary(c.overload, w.sizeOf(c.args[0]), w.sizeOf(c.args[1])); own != nil {
			return *own
		}
	}
	return *charge(fixedCost(1))
}

// unary estimates a call with one argument, and maybe a receiver. It returns
// nil for a call that costs 1.
func (w *formerWalk) unary(c *formerCall, arg celcost.SizeEstimate) *celcost.CallEstimate {
	switch c.overload {
	case overloads.StringToBytes: // 4 bytes for each character
		return sized(scanOf(arg), celcost.SizeEstimate{Min: arg.Min, Max: arg.Max * 4})
	case overloads.BytesToString:
		return sized(scanOf(arg), celcost.SizeEstimate{Min: arg.Min / 4, Max: arg.Max})
	case overloads.ExtQuoteString: // with quotes, all escaped
		return sized(scanOf(arg), celcost.SizeEstimate{Min: arg.Min + 2, Max: arg.Max*2 + 2})
	case overloads.StartsWithString, overloads.EndsWithString:
		return charge(scanOf(arg))
	}
	if c.receiver == nil {
		return nil
	}
	text := w.sizeOf(*c.receiver)
	switch c.overload {
	case overloads.ExtFormatString:
		return charge(scanOf(text))
	case overloads.ContainsString:
		return charge(scanOf(text).Multiply(scanOf(arg)))
	case overloads.MatchesString:
		return charge(matching(text, arg))
	}
	return nil
}

// matching charges a match with a regular expression. The empty string counts
// as one character.
func matching(text, pattern celcost.SizeEstimate) celcost.Estimate {
	return scanOf(text.Add(celcost.FixedSizeEstimate(1))).
		Multiply(pattern.MultiplyByCostFactor(celcost.RegexStringLengthCostFactor))
}

// binary estimates a call with two arguments. It returns nil for a call that
// costs 1.
func (w *formerWalk) binary(overload string, a, b celcost.SizeEstimate) *celcost.CallEstimate {
	switch overload {
	case overloads.InList:
		return charge(b.MultiplyByCostFactor(1))
	case overloads.AddList:
		return sized(fixedCost(1), a.Add(b))
	case overloads.AddString, overloads.AddBytes:
		return sized(scanOf(a.Add(b)), a.Add(b))
	case overloads.Matches:
		return charge(matching(a, b))
	}
	if readsBoth(overload) {
		cost := comparison(a, b)
		if w.profile.KeptSizes {
			cost.Min = min(cost.Max, 1)
		}
		return charge(cost)
	}
	return nil
}

// comparison charges reading two values up to the end of the shorter one.
func comparison(a, b celcost.SizeEstimate) celcost.Estimate {
	shorter := celcost.Estimate{Max: min(a.Max, b.Max)}
	if a.Min > 0 && b.Min > 0 {
		shorter.Min = 1
	}
	return shorter.MultiplyByCostFactor(perCharacter)
}

// node returns a sub-expression as estimators see it.
func (w *formerWalk) node(e ast.Expr) celcost.AstNode {
	n := formerNode{expr: e, path: w.paths[e.ID()], exprType: w.checked.GetType(e.ID())}
	if len(n.path) > 0 && n.path[0] == parser.HiddenAccumulatorName { // a macro's result so far
		n.path = nil
	}
	if size, ok := w.computed[e.ID()]; ok {
		n.size = &size
	} else {
		n.size = w.literalSize(e)
	}
	return n
}

// sizeOf returns the size of a value: 1 of a number and the like, otherwise
// what is known.
func (w *formerWalk) sizeOf(n celcost.AstNode) celcost.SizeEstimate {
	if size := n.ComputedSize(); size != nil {
		return *size
	}
	if size := w.estimator.EstimateSize(n); size != nil {
		return *size
	}
	switch n.Type().Kind() {
	case types.BoolKind, types.DoubleKind, types.DurationKind, types.IntKind,
		types.TimestampKind, types.UintKind:
		return celcost.FixedSizeEstimate(1)
	}
	return celcost.UnknownSizeEstimate()
}

// sizeOrAny is sizeOf, as the library of sets has it: a number has any size.
func (w *formerWalk) sizeOrAny(n celcost.AstNode) celcost.SizeEstimate {
	return w.estimator.sizeOf(n)
}

// literalSize returns the size of a literal, nil for other expressions.
func (w *formerWalk) literalSize(e ast.Expr) *celcost.SizeEstimate {
	if e.Kind() == ast.StructKind && !w.profile.UnsizedMessages {
		return &celcost.SizeEstimate{}
	}
	return literalSize(e)
}

// literalSize returns the size of a list, a map or another literal, nil for
// other expressions.
func literalSize(e ast.Expr) *celcost.SizeEstimate {
	size := celcost.FixedSizeEstimate(1)
	switch e.Kind() {
	case ast.ListKind:
		size = celcost.FixedSizeEstimate(uint64(e.AsList().Size()))
	case ast.MapKind:
		size = celcost.FixedSizeEstimate(uint64(e.AsMap().Size()))
	case ast.LiteralKind:
		switch v := e.AsLiteral().(type) {
		case types.String:
			size = celcost.FixedSizeEstimate(uint64(utf8.RuneCountInString(string(v))))
		case types.Bytes:
			size = celcost.FixedSizeEstimate(uint64(len(v)))
		}
	default:
		return nil
	}
	return &size
}

// formerNode is a sub-expression. It implements celcost.AstNode.
type formerNode struct {
	expr     ast.Expr
	path     []string
	exprType *types.Type
	size     *celcost.SizeEstimate
}

// Path returns where the schema describes the value.
func (n formerNode) Path() []string { return n.path }

// Type returns the type of the value.
func (n formerNode) Type() *types.Type { return n.exprType }

// Expr returns the sub-expression.
func (n formerNode) Expr() ast.Expr { return n.expr }

// ComputedSize returns the size as far as the expression tells it.
func (n formerNode) ComputedSize() *celcost.SizeEstimate { return n.size }
