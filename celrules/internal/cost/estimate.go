package cost

import (
	"math"

	"cel.dev/cel-go/common/ast"
	celcost "cel.dev/cel-go/common/cost"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/overloads"
	"cel.dev/cel-go/common/types"

	k8scel "github.com/crdsem/crdsem/celrules/internal/cel"
	"github.com/crdsem/crdsem/internal/base/saturate"
	"github.com/crdsem/crdsem/internal/belowfacade/library"
)

const (
	// equalsOperator is the function name of `==`.
	equalsOperator = operators.Equals
	// formatSize is the greatest size of the text of a format when two of them
	// are compared (COST-105).
	formatSize = 64
	// formatRegexSize is the size of the regular expression that the estimate
	// assumes for every format (COST-105).
	formatRegexSize = 128
	// leastAddress and mostAddress are the sizes of addresses in bytes.
	leastAddress, mostAddress = 4, 16
	// perRequirement is the cost of each requirement of a selector: a list and
	// a struct.
	perRequirement = float64(celcost.ListCreateBaseCost + celcost.StructCreateBaseCost)
	// requirementsPerCharacter is how many requirements a character of a
	// selector may have: the shortest requirement has two characters.
	requirementsPerCharacter = 0.5
)

// EstimateSize returns the size that the schema allows, nil if it is unknown.
func (e *Estimator) EstimateSize(element celcost.AstNode) *celcost.SizeEstimate {
	if e.sizes == nil {
		return nil
	}
	return e.sizes.EstimateSize(element)
}

// sizeOf returns the computed size of a node, otherwise the size that the
// schema allows, otherwise any size.
func (e *Estimator) sizeOf(node celcost.AstNode) celcost.SizeEstimate {
	if size := node.ComputedSize(); size != nil {
		return *size
	}
	if size := e.EstimateSize(node); size != nil {
		return *size
	}
	return celcost.SizeEstimate{Max: math.MaxUint64}
}

// EstimateCallCost returns the least and the most that a call can cost and the
// size of its result, nil to leave it to cel-go. The receiver is nil for global
// functions. It implements checker.CostEstimator.
func (e *Estimator) EstimateCallCost(
	function, overload string, receiver *celcost.AstNode, args []celcost.AstNode,
) *celcost.CallEstimate {
	switch {
	case function == equalsOperator && e.profile.OpaqueEquality:
		return estimateEquality(args)
	case overload == overloads.Matches && receiver == nil && !e.profile.MatchesFunction:
		return fixed(1)
	}
	if receiver != nil && e.profile.URLSizes {
		if part := e.estimateURLPart(function, *receiver); part != nil {
			return part
		}
	}
	switch model := e.model(function, overload); model {
	case library.CostDefault:
		return nil
	case library.CostNominal:
		return fixed(1)
	case library.CostAuthorizationCheck:
		return fixed(authorizationCheck)
	case library.CostTransform, library.CostReplace, library.CostSplit,
		library.CostJoin, library.CostTraverse, library.CostRegex:
		return e.estimateSubject(model, function, receiver, args)
	default:
		return e.estimateArgument(model, args)
	}
}

// estimateURLPart estimates a method that returns a part of a URL, nil for
// others. In an escaped path each byte may be written as %XX.
func (e *Estimator) estimateURLPart(
	function string, url celcost.AstNode,
) *celcost.CallEstimate {
	switch function {
	case "getScheme", "getHost", "getHostname", "getPort", "getQuery":
		return sized(celcost.FixedCostEstimate(1), e.sizeOf(url))
	case "getEscapedPath":
		escaped := celcost.SizeEstimate{Min: 1, Max: 3}
		return sized(celcost.FixedCostEstimate(1), e.sizeOf(url).Multiply(escaped))
	}
	return nil
}

// fixed returns an estimate that depends on nothing.
func fixed(cost uint64) *celcost.CallEstimate {
	return &celcost.CallEstimate{CostEstimate: celcost.FixedCostEstimate(cost)}
}

// charge returns an estimate without a size of the result.
func charge(cost celcost.Estimate) *celcost.CallEstimate {
	return &celcost.CallEstimate{CostEstimate: cost}
}

// sized returns an estimate with a size of the result.
func sized(cost celcost.Estimate, result celcost.SizeEstimate) *celcost.CallEstimate {
	return &celcost.CallEstimate{CostEstimate: cost, ResultSize: &result}
}

// estimateSubject estimates functions that read a receiver, or in the case of
// url a first argument.
func (e *Estimator) estimateSubject(
	model library.Cost, function string, receiver *celcost.AstNode, args []celcost.AstNode,
) *celcost.CallEstimate {
	if receiver == nil {
		receiver = &args[0]
	}
	size := e.sizeOf(*receiver)
	switch model {
	case library.CostTransform:
		if function == "url" && !e.profile.OpaqueEquality {
			return charge(size.MultiplyByCostFactor(perCharacter))
		}
		return sized(size.MultiplyByCostFactor(perCharacter), size)
	case library.CostSplit:
		result := celcost.SizeEstimate{Max: literalLimit(args, size.Max)}
		return sized(size.MultiplyByCostFactor(2*perCharacter), result)
	case library.CostReplace:
		result := replacedSize(size, e.sizeOf(args[0]), e.sizeOf(args[1]))
		return sized(size.MultiplyByCostFactor(2*perCharacter), result)
	case library.CostJoin:
		return e.estimateJoin(*receiver, args)
	case library.CostTraverse:
		return e.estimateTraversal(function, *receiver)
	}
	one := celcost.SizeEstimate{Min: 1, Max: 1}
	characters := size.Add(one).MultiplyByCostFactor(perCharacter)
	pattern := e.sizeOf(args[0]).MultiplyByCostFactor(celcost.RegexStringLengthCostFactor)
	return sized(characters.Multiply(pattern), celcost.SizeEstimate{Max: size.Max})
}

// literalLimit returns the limit of a split if it is a literal, otherwise most,
// the size of the string. A negative literal wraps, as on a server.
func literalLimit(args []celcost.AstNode, most uint64) uint64 {
	if len(args) < 2 || args[1].Expr().Kind() != ast.LiteralKind {
		return most
	}
	limit, _ := args[1].Expr().AsLiteral().(types.Int)
	return uint64(limit)
}

// replacedSize returns the size of a text in which every searched string is
// replaced (COST-110).
func replacedSize(text, searched, replacement celcost.SizeEstimate) celcost.SizeEstimate {
	count, kept := replacements(text.Max, searched.Min, replacement.Max <= searched.Min)
	fewest, least := replacements(text.Min, searched.Max, searched.Max <= replacement.Min)
	counts := celcost.SizeEstimate{Min: fewest, Max: count}
	return counts.Multiply(replacement).Add(celcost.SizeEstimate{Min: least, Max: kept})
}

// replacements returns how often a string of a size is replaced in a text, and
// how much of the text stays. An empty string is found around every character.
// With none nothing is replaced, because replacing would move the size the
// wrong way.
func replacements(text, searched uint64, none bool) (count, kept uint64) {
	switch {
	case searched == 0:
		return saturate.Add(text, 1), text
	case none:
		return 0, text
	}
	return uint64(math.Ceil(float64(text) / float64(searched))), 0
}

// estimateJoin adds up the separators, and the elements if their type is known.
func (e *Estimator) estimateJoin(
	list celcost.AstNode, args []celcost.AstNode,
) *celcost.CallEstimate {
	var result celcost.SizeEstimate
	size := e.sizeOf(list)
	if element := elementOf(list); element != nil {
		result = size.Multiply(e.sizeOf(element))
	}
	if len(args) > 0 {
		between := celcost.SizeEstimate{Min: lessOne(size.Min), Max: lessOne(size.Max)}
		result = result.Add(e.sizeOf(args[0]).Multiply(between))
	}
	return sized(result.MultiplyByCostFactor(perCharacter), result)
}

// lessOne returns how many gaps there are between n elements.
func lessOne(n uint64) uint64 {
	if n == 0 {
		return 0
	}
	return n - 1
}

// estimateTraversal charges each element, and reading it if it is a string or
// bytes (COST-100).
func (e *Estimator) estimateTraversal(
	function string, receiver celcost.AstNode,
) *celcost.CallEstimate {
	size := e.sizeOf(receiver)
	cost := celcost.FixedCostEstimate(1)
	element := elementOf(receiver)
	if element == nil && function != "includes" { // a string's indexOf or lastIndexOf
		return charge(size.MultiplyByCostFactor(perCharacter))
	}
	if element != nil {
		if kind := element.Type().Kind(); kind == types.StringKind || kind == types.BytesKind {
			cost = cost.Add(e.sizeOf(element).MultiplyByCostFactor(perCharacter))
		}
	}
	return charge(size.MultiplyByCost(cost))
}

// estimateArgument estimates functions by their first argument. Receivers of
// methods do not count.
func (e *Estimator) estimateArgument(
	model library.Cost, args []celcost.AstNode,
) *celcost.CallEstimate {
	size := e.sizeOf(args[0])
	scan := size.MultiplyByCostFactor(perCharacter)
	switch model {
	case library.CostScan:
		return charge(scan)
	case library.CostScanTwice:
		return charge(size.MultiplyByCostFactor(2 * perCharacter))
	case library.CostFormatValidate:
		pattern := formatRegexSize * celcost.RegexStringLengthCostFactor
		return charge(scan.MultiplyByCostFactor(pattern))
	case library.CostSelector:
		return charge(selectorCost(size))
	case library.CostContainsIP:
		return charge(addressCost())
	case library.CostContainsIPText:
		return charge(addressCost().Add(scan))
	case library.CostContainsCIDR:
		return charge(maskedCost())
	case library.CostContainsCIDRText:
		return charge(maskedCost().Add(scan))
	}
	return nil
}

// addressCost charges a comparison of two addresses byte by byte.
func addressCost() celcost.Estimate {
	bytes := celcost.SizeEstimate{Min: leastAddress, Max: mostAddress}
	return bytes.Add(bytes).MultiplyByCostFactor(perCharacter)
}

// maskedCost charges a comparison of two networks: of their addresses, masking
// one of them, and of the lengths of their prefixes.
func maskedCost() celcost.Estimate {
	bytes := celcost.SizeEstimate{Min: leastAddress, Max: mostAddress}
	mask := bytes.MultiplyByCostFactor(perCharacter)
	return addressCost().Add(mask).Add(celcost.FixedCostEstimate(1))
}

// selectorCost charges parsing a selector into its requirements.
func selectorCost(size celcost.SizeEstimate) celcost.Estimate {
	list := celcost.FixedCostEstimate(celcost.ListCreateBaseCost)
	parse := size.MultiplyByCostFactor(perCharacter)
	requirements := size.MultiplyByCostFactor(requirementsPerCharacter).
		MultiplyByCostFactor(perRequirement)
	return list.Add(parse).Add(requirements)
}

// estimateEquality charges `==` between two values of one Kubernetes type. `!=`
// has no such rule (COST-013).
func estimateEquality(args []celcost.AstNode) *celcost.CallEstimate {
	if len(args) != 2 || args[0].Type().Equal(args[1].Type()) != types.True {
		return nil
	}
	switch t := args[0].Type(); {
	case t.Kind() == types.OpaqueKind:
		switch t.TypeName() {
		case k8scel.IPType.TypeName(), k8scel.CIDRType.TypeName():
			return fixed(1)
		}
	case t == k8scel.QuantityType, t == k8scel.SemverType,
		t == k8scel.AuthorizerType, t == k8scel.PathCheckType, t == k8scel.GroupCheckType,
		t == k8scel.ResourceCheckType, t == k8scel.DecisionType:
		return fixed(1)
	case t == k8scel.FormatType:
		text := celcost.Estimate{Min: 1, Max: formatSize}
		return charge(text.MultiplyByCostFactor(perCharacter))
	case t == k8scel.URLType:
		most := uint64(1)
		// the server ignores the left side
		if size := args[1].ComputedSize(); size != nil {
			most = size.Max
		}
		return charge(celcost.Estimate{Min: 1, Max: most}.MultiplyByCostFactor(perCharacter))
	}
	return nil
}

// elementOf returns a node for the elements of a list, or the keys of a map,
// whose size can be asked; nil if the type has no parameter. It has a path only
// if the list has a path in the schema.
func elementOf(list celcost.AstNode) celcost.AstNode {
	params := list.Type().Parameters()
	if len(params) == 0 {
		return nil
	}
	e := element{elementType: params[0]}
	if path := list.Path(); path != nil {
		e.path = append(path[:len(path):len(path)], "@items")
	}
	return e
}

// element is a node for the elements of a list.
type element struct {
	path        []string
	elementType *types.Type
}

// Path returns where the schema describes the element.
func (e element) Path() []string { return e.path }

// Type returns the type of the element.
func (e element) Type() *types.Type { return e.elementType }

// Expr returns nil: no expression stands for the element.
func (e element) Expr() ast.Expr { return nil }

// ComputedSize returns nil: the size is unknown.
func (e element) ComputedSize() *celcost.SizeEstimate { return nil }
