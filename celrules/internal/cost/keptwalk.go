package cost

import (
	"math"

	"cel.dev/cel-go/common/ast"
	celcost "cel.dev/cel-go/common/cost"
	"cel.dev/cel-go/common/overloads"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/parser"
)

// Estimates from Kubernetes 1.33 to 1.37. cel-go 0.23 to 0.29 keeps the size of
// a value that goes through dyn(), an optional, an index or a variable, and the
// sizes of the items of lists and maps that an expression makes (COST-010).

// estimateKept returns the least and the most that an evaluation of a checked
// expression costs, in a minor from 1.33 to 1.37.
func (e *Estimator) estimateKept(checked *ast.AST) celcost.Estimate {
	w := keptWalk{
		formerWalk: formerWalk{
			estimator: e,
			checked:   checked,
			profile:   e.profile,
			paths:     map[int64][]string{},
			computed:  map[int64]celcost.SizeEstimate{},
		},
		entries: map[int64]*entrySizes{},
		locals:  map[string][]local{},
	}
	return w.cost(checked.Expr())
}

// keptWalk estimates one expression. What it knows of sub-expressions is in
// maps by their ids.
type keptWalk struct {
	formerWalk
	entries map[int64]*entrySizes
	locals  map[string][]local // variables of macros, the innermost last
}

// entrySizes has the sizes of the entries of a list or a map that an expression
// makes.
type entrySizes struct {
	container  types.Kind
	key, value celcost.SizeEstimate
}

// union returns sizes that cover two, nil if one of them is not known.
func (s *entrySizes) union(other *entrySizes) *entrySizes {
	if s == nil || other == nil {
		return nil
	}
	return &entrySizes{s.container, s.key.Union(other.key), s.value.Union(other.value)}
}

// local is a variable of a macro.
type local struct {
	path    []string
	size    *celcost.SizeEstimate
	entries *entrySizes
}

// bind makes a variable known until the function that it returns is called.
func (w *keptWalk) bind(name string, l local) (unbind func()) {
	w.locals[name] = append(w.locals[name], l)
	return func() { w.locals[name] = w.locals[name][:len(w.locals[name])-1] }
}

// local returns the variable of a macro that an expression is, nil for other
// expressions.
func (w *keptWalk) local(e ast.Expr) *local {
	if e.Kind() != ast.IdentKind {
		return nil
	}
	if all := w.locals[e.AsIdent()]; len(all) > 0 {
		return &all[len(all)-1]
	}
	return nil
}

// cost estimates a sub-expression with everything below it.
func (w *keptWalk) cost(e ast.Expr) celcost.Estimate {
	switch e.Kind() {
	case ast.IdentKind:
		w.paths[e.ID()] = []string{e.AsIdent()}
		if l := w.local(e); l != nil {
			w.paths[e.ID()] = l.path
		}
		return fixedCost(celcost.SelectAndIdentCost)
	case ast.SelectKind:
		return w.selectCost(e)
	case ast.CallKind:
		if e.AsCall().FunctionName() == overloads.TypeConvertDyn {
			return w.dynCost(e)
		}
		return w.callCost(e)
	case ast.ListKind:
		return w.listCost(e)
	case ast.MapKind:
		return w.mapCost(e)
	case ast.StructKind:
		total := fixedCost(celcost.StructCreateBaseCost)
		for _, entry := range e.AsStruct().Fields() {
			total = total.Add(w.cost(entry.AsStructField().Value()))
		}
		return total
	case ast.ComprehensionKind:
		if isBind(e.AsComprehension()) {
			return w.bindCost(e)
		}
		return w.loopCost(e)
	}
	return fixedCost(celcost.ConstCost)
}

// selectCost estimates self.a, and has(self.a), which costs nothing itself.
func (w *keptWalk) selectCost(e ast.Expr) celcost.Estimate {
	operand := e.AsSelect().Operand()
	total := w.cost(operand)
	if e.AsSelect().IsTestOnly() {
		return total
	}
	w.paths[e.ID()] = below(w.pathOf(operand), e.AsSelect().FieldName())
	switch w.checked.GetType(operand.ID()).Kind() {
	case types.MapKind, types.StructKind, types.TypeParamKind:
		return total.Add(fixedCost(celcost.SelectAndIdentCost))
	}
	return total
}

// dynCost estimates dyn(self.a), which is as large as self.a.
func (w *keptWalk) dynCost(e ast.Expr) celcost.Estimate {
	arg := e.AsCall().Args()[0]
	cost := w.cost(arg)
	w.copySizes(e, arg)
	return cost.Add(fixedCost(1))
}

// listCost estimates a list literal.
func (w *keptWalk) listCost(e ast.Expr) celcost.Estimate {
	total := fixedCost(celcost.ListCreateBaseCost)
	items := noSize(e.AsList().Size())
	for _, item := range e.AsList().Elements() {
		total = total.Add(w.cost(item))
		items = items.Union(w.sizeOrUnknown(item))
	}
	w.entries[e.ID()] = &entrySizes{types.ListKind, celcost.FixedSizeEstimate(1), items}
	return total
}

// mapCost estimates a map literal.
func (w *keptWalk) mapCost(e ast.Expr) celcost.Estimate {
	total := fixedCost(celcost.MapCreateBaseCost)
	keys, values := noSize(e.AsMap().Size()), noSize(e.AsMap().Size())
	for _, entry := range e.AsMap().Entries() {
		at := entry.AsMapEntry()
		total = total.Add(w.cost(at.Key())).Add(w.cost(at.Value()))
		keys = keys.Union(w.sizeOrUnknown(at.Key()))
		values = values.Union(w.sizeOrUnknown(at.Value()))
	}
	w.entries[e.ID()] = &entrySizes{types.MapKind, keys, values}
	return total
}

// noSize is the size before the union with those of so many entries.
func noSize(entries int) celcost.SizeEstimate {
	if entries == 0 {
		return celcost.SizeEstimate{}
	}
	return celcost.SizeEstimate{Min: math.MaxUint64}
}

// isBind reports whether a comprehension gives a value a name, as optMap does.
func isBind(loop ast.ComprehensionExpr) bool {
	over, condition := loop.IterRange(), loop.LoopCondition()
	return over.Kind() == ast.ListKind && over.AsList().Size() == 0 &&
		condition.Kind() == ast.LiteralKind && condition.AsLiteral() == types.False &&
		loop.AccuVar() != parser.AccumulatorName
}

// bindCost estimates an expression in which a value has a name.
func (w *keptWalk) bindCost(e ast.Expr) celcost.Estimate {
	loop := e.AsComprehension()
	total := w.cost(loop.IterRange()).Add(w.cost(loop.AccuInit()))
	unbind := w.bindTo(loop.AccuVar(), loop.AccuInit())
	total = total.Add(w.cost(loop.Result()))
	unbind()
	w.copySizes(e, loop.Result())
	return total
}

// bindTo gives the value of an expression a name.
func (w *keptWalk) bindTo(name string, e ast.Expr) (unbind func()) {
	return w.bind(name, local{w.pathOf(e), w.size(e), w.entriesOf(e)})
}

// loopCost estimates a comprehension, e.g. self.list.all(x, x > 1).
func (w *keptWalk) loopCost(e ast.Expr) celcost.Estimate {
	loop := e.AsComprehension()
	over, start := loop.IterRange(), loop.AccuInit()
	total := w.cost(over).Add(w.cost(start))
	forget := w.bindTo(loop.AccuVar(), start)
	unbind := w.bindEntries(loop)
	round := w.cost(loop.LoopCondition())
	round = w.cost(loop.LoopStep()).Add(round)
	unbind()
	total = total.Add(w.cost(loop.Result()))
	forget()
	rounds := w.sizeOrUnknown(over)
	switch start.Kind() {
	case ast.LiteralKind:
		w.setSize(e, w.size(start))
	case ast.ListKind, ast.MapKind:
		w.setSize(e, &rounds)
		w.setEntries(e, w.entriesOf(loop.LoopStep()))
	}
	return total.Add(rounds.MultiplyByCost(round))
}

// bindEntries gives the entries of what a loop goes through their names.
func (w *keptWalk) bindEntries(loop ast.ComprehensionExpr) (unbind func()) {
	over := loop.IterRange()
	path, entries := w.pathOf(over), w.entriesOf(over)
	container := w.checked.GetType(over.ID()).Kind()
	var keySize, valueSize *celcost.SizeEstimate
	if entries != nil {
		container, keySize, valueSize = entries.container, &entries.key, &entries.value
	}
	key, value := local{path: below(path, "@keys"), size: keySize},
		local{path: below(path, "@values"), size: valueSize}
	if container == types.ListKind {
		key.path, value.path = below(path, "@indices"), below(path, "@items")
	}
	if !loop.HasIterVar2() {
		if container == types.ListKind {
			return w.bind(loop.IterVar(), value)
		}
		return w.bind(loop.IterVar(), key)
	}
	first, second := w.bind(loop.IterVar(), key), w.bind(loop.IterVar2(), value)
	return func() { second(); first() }
}

// callCost estimates a call. It covers all overloads that the call may have.
func (w *keptWalk) callCost(e ast.Expr) celcost.Estimate {
	call := e.AsCall()
	c := formerCall{function: call.FunctionName()}
	for _, arg := range call.Args() {
		c.argCosts = append(c.argCosts, w.cost(arg))
		c.args = append(c.args, w.node(arg))
	}
	candidates := w.checked.GetOverloadIDs(e.ID())
	if len(candidates) == 0 {
		return celcost.Estimate{}
	}
	var receiver celcost.Estimate
	if call.IsMemberFunction() {
		receiver = w.cost(call.Target())
		target := w.node(call.Target())
		c.receiver = &target
	}
	own := celcost.Estimate{Min: math.MaxUint64}
	var size *celcost.SizeEstimate
	for _, overload := range candidates {
		c.overload = overload
		estimate := w.estimateKept(e, &c)
		own = own.Union(estimate.CostEstimate)
		size = unionOf(size, estimate.ResultSize)
		if step := indexStep(overload); step != "" && len(c.args) > 0 {
			indexed := c.args[0].Expr()
			size = nil
			if entries := w.entriesOf(indexed); entries != nil {
				size = &entries.value
			}
			w.paths[e.ID()] = below(w.pathOf(indexed), step)
		}
		if size == nil {
			size = w.size(e)
		}
	}
	w.setSize(e, size)
	return receiver.Add(own)
}

// estimateKept is estimate, and keeps the sizes of entries.
func (w *keptWalk) estimateKept(e ast.Expr, c *formerCall) celcost.CallEstimate {
	if own := w.estimator.estimateList(c); own != nil {
		return c.withArgs(*own)
	}
	switch c.overload {
	case overloads.Conditional:
		w.setEntries(e, w.entriesOf(c.args[1].Expr()).union(w.entriesOf(c.args[2].Expr())))
	case overloads.AddString, overloads.AddBytes, overloads.AddList:
		w.setEntries(e, w.entriesOf(c.args[0].Expr()).union(w.entriesOf(c.args[1].Expr())))
	}
	return w.estimate(c)
}

// pathOf returns where the schema describes an expression that was estimated.
func (w *keptWalk) pathOf(e ast.Expr) []string {
	if l := w.local(e); l != nil {
		return l.path
	}
	return w.paths[e.ID()]
}

// node returns a sub-expression as estimators see it.
func (w *keptWalk) node(e ast.Expr) celcost.AstNode {
	n := formerNode{
		expr: e, path: w.pathOf(e), exprType: w.checked.GetType(e.ID()), size: w.size(e),
	}
	if len(n.path) > 0 { // no path of a macro's result so far
		switch n.path[0] {
		case parser.AccumulatorName, parser.HiddenAccumulatorName:
			n.path = nil
		}
	}
	return n
}

// size returns the size of the value of an expression, nil if it is not known.
func (w *keptWalk) size(e ast.Expr) *celcost.SizeEstimate {
	if size, ok := w.computed[e.ID()]; ok {
		return &size
	}
	if size := literalSize(e); size != nil {
		return size
	}
	exprType := w.checked.GetType(e.ID())
	n := formerNode{expr: e, path: w.pathOf(e), exprType: exprType}
	if size := w.estimator.EstimateSize(n); size != nil {
		w.computed[e.ID()] = *size
		return size
	}
	if isScalar(exprType) {
		size := celcost.FixedSizeEstimate(1)
		return &size
	}
	if l := w.local(e); l != nil {
		return l.size
	}
	return nil
}

// sizeOrUnknown is size, any size if it is not known.
func (w *keptWalk) sizeOrUnknown(e ast.Expr) celcost.SizeEstimate {
	if size := w.size(e); size != nil {
		return *size
	}
	return celcost.UnknownSizeEstimate()
}

// entriesOf returns the sizes of the entries of a value, nil if they are not
// known.
func (w *keptWalk) entriesOf(e ast.Expr) *entrySizes {
	if known, ok := w.entries[e.ID()]; ok {
		return known
	}
	if l := w.local(e); l != nil {
		return l.entries
	}
	return nil
}

func (w *keptWalk) setSize(e ast.Expr, size *celcost.SizeEstimate) {
	if size != nil {
		w.computed[e.ID()] = *size
	}
}

func (w *keptWalk) setEntries(e ast.Expr, sizes *entrySizes) {
	if sizes != nil {
		w.entries[e.ID()] = sizes
	}
}

// copySizes gives an expression the sizes of another one.
func (w *keptWalk) copySizes(to, from ast.Expr) {
	w.setSize(to, w.size(from))
	w.setEntries(to, w.entriesOf(from))
}

// isScalar reports whether values of a type have the size 1, also in optionals.
func isScalar(t *types.Type) bool {
	switch t.Kind() {
	case types.BoolKind, types.DoubleKind, types.DurationKind, types.IntKind,
		types.TimestampKind, types.UintKind:
		return true
	case types.OpaqueKind:
		return t.TypeName() == types.OptionalType.TypeName() && isScalar(t.Parameters()[0])
	}
	return false
}
