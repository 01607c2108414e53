package fasteval

import (
	"math"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/crdsem/crdsem/celrules/internal/common"
	"github.com/crdsem/crdsem/celrules/internal/decl"
	"github.com/crdsem/crdsem/celrules/internal/meter"
)

// kind is the kind of a val. It says which of its fields are in use.
type kind uint8

const (
	kindStopped kind = iota // nothing: the evaluation stopped
	kindNull                // nothing
	kindBool                // n is 0 or 1
	kindInt                 // n
	kindDouble              // n has the bits of a float64
	kindString              // s
	kindObject              // x is a map[string]any that node declares
	kindList                // x is a []any that node declares
	kindBuilt               // x is a []val: a list that an expression made
	kindOther               // x is a ref.Val
)

// val is a value during an evaluation. The zero val is the result of a step
// that stopped.
//
// It is a struct instead of an interface so that numbers, strings and bools
// need no allocation.
type val struct {
	kind kind
	n    int64
	s    string
	x    any
	node *decl.Node
}

func ofBool(b bool) val {
	if b {
		return val{kind: kindBool, n: 1}
	}
	return val{kind: kindBool}
}

// ofRaw returns a value of an object as its node declares it. A value that does
// not match its node stops.
func ofRaw(raw any, n *decl.Node) val {
	switch v := raw.(type) {
	case string:
		switch n.Kind {
		case decl.String, decl.IntOrString:
			return val{kind: kindString, s: v}
		}
	case int64:
		switch n.Kind {
		case decl.Integer, decl.IntOrString:
			return val{kind: kindInt, n: v}
		case decl.Number:
			return val{kind: kindDouble, n: int64(math.Float64bits(float64(v)))}
		}
	case float64:
		if n.Kind == decl.Number {
			return val{kind: kindDouble, n: int64(math.Float64bits(v))}
		}
	case bool:
		if n.Kind == decl.Boolean {
			return ofBool(v)
		}
	case map[string]any:
		if n.Kind == decl.Object {
			return val{kind: kindObject, x: raw, node: n}
		}
	case []any:
		if n.IsPlainList() {
			return val{kind: kindList, x: raw, node: n}
		}
	}
	return ofRef(common.Of(raw, n))
}

// ofRef returns a CEL value. Errors stop.
func ofRef(v ref.Val) val {
	switch v := v.(type) {
	case nil, *types.Err, *types.Unknown:
		return val{}
	case types.Bool:
		return ofBool(bool(v))
	case types.Int:
		return val{kind: kindInt, n: int64(v)}
	case types.Double:
		return val{kind: kindDouble, n: int64(math.Float64bits(float64(v)))}
	case types.String:
		return val{kind: kindString, s: string(v)}
	case types.Null:
		return val{kind: kindNull}
	}
	return val{kind: kindOther, x: v}
}

// maxConverted is the number of items of lists that one evaluation converts.
// Lists can hold the same list many times.
const maxConverted = 1 << 18

// ref returns a value as a CEL value, nil if the evaluation stopped or if the
// value is too large.
func (m *Machine) ref(v *val) ref.Val {
	switch v.kind {
	case kindNull:
		return types.NullValue
	case kindBool:
		return types.Bool(v.n != 0)
	case kindInt:
		return types.Int(v.n)
	case kindDouble:
		return types.Double(v.float())
	case kindString:
		return types.String(v.s)
	case kindObject, kindList:
		return common.Of(v.x, v.node)
	case kindBuilt:
		items := v.x.([]val)
		if m.converted += len(items); m.converted > maxConverted {
			return nil
		}
		m.meter.Read(uint64(len(items)) * meter.ItemSize)
		out := make([]ref.Val, len(items))
		for i := range items {
			if out[i] = m.ref(&items[i]); out[i] == nil {
				return nil
			}
		}
		return types.NewRefValList(types.DefaultTypeAdapter, out)
	case kindOther:
		return v.x.(ref.Val)
	}
	return nil
}

// float returns the value of a double.
func (v *val) float() float64 { return math.Float64frombits(uint64(v.n)) }

// isNumber reports whether the value is a double that compares with others.
func (v *val) isNumber() bool { return v.kind == kindDouble && !math.IsNaN(v.float()) }

// isOrdered reports whether a value is a double that comparisons take: not a
// number only if they are false for it.
func (v *val) isOrdered(unordered bool) bool {
	return v.isNumber() || unordered && v.kind == kindDouble
}

// size returns the size by which cel-go's cost tracker charges for a string, a
// list or a map: actualSize of interpreter/runtimecost.go.
func (v *val) size() uint64 {
	switch v.kind {
	case kindString:
		return length(v.s)
	case kindObject:
		return uint64(len(v.x.(map[string]any)))
	case kindList:
		return uint64(len(v.x.([]any)))
	}
	return uint64(len(v.x.([]val)))
}
