package fasteval

import (
	"math"
	"unicode/utf8"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/crdsem/crdsem/celrules/internal/common"
	"github.com/crdsem/crdsem/celrules/internal/decl"
)

// kind tells what a val holds.
type kind uint8

const (
	stopped kind = iota // no result
	null
	boolean // n is 0 or 1
	whole   // n
	double  // n holds the bits
	text    // s
	object  // x is a map[string]any, of node
	list    // x is a []any, of node
	built   // x is a []val: a list that a loop made
	other   // x is a ref.Val
)

// val is a value during evaluation.
type val struct {
	kind kind
	n    int64
	s    string
	x    any
	node *decl.Node
}

var stop = val{}

func ofBool(b bool) val {
	if b {
		return val{kind: boolean, n: 1}
	}
	return val{kind: boolean}
}

// ofRaw takes a value of an object as its node says; what does not fit stops.
func ofRaw(raw any, n *decl.Node) val {
	switch v := raw.(type) {
	case string:
		switch n.Kind {
		case decl.String, decl.IntOrString:
			return val{kind: text, s: v}
		}
	case int64:
		switch n.Kind {
		case decl.Integer, decl.IntOrString:
			return val{kind: whole, n: v}
		case decl.Number:
			return val{kind: double, n: int64(math.Float64bits(float64(v)))}
		}
	case float64:
		if n.Kind == decl.Number {
			return val{kind: double, n: int64(math.Float64bits(v))}
		}
	case bool:
		if n.Kind == decl.Boolean {
			return ofBool(v)
		}
	case map[string]any:
		if n.Kind == decl.Object {
			return val{kind: object, x: raw, node: n}
		}
	case []any:
		if n.IsPlainList() {
			return val{kind: list, x: raw, node: n}
		}
	}
	return ofRef(common.Of(raw, n))
}

// ofRef takes a CEL value; errors stop.
func ofRef(v ref.Val) val {
	switch v := v.(type) {
	case nil, *types.Err, *types.Unknown:
		return stop
	case types.Bool:
		return ofBool(bool(v))
	case types.Int:
		return val{kind: whole, n: int64(v)}
	case types.Double:
		return val{kind: double, n: int64(math.Float64bits(float64(v)))}
	case types.String:
		return val{kind: text, s: string(v)}
	case types.Null:
		return val{kind: null}
	}
	return val{kind: other, x: v}
}

// ref returns the CEL value, nil if the evaluation stopped.
func (v *val) ref() ref.Val {
	switch v.kind {
	case null:
		return types.NullValue
	case boolean:
		return types.Bool(v.n != 0)
	case whole:
		return types.Int(v.n)
	case double:
		return types.Double(v.float())
	case text:
		return types.String(v.s)
	case object, list:
		return common.Of(v.x, v.node)
	case built:
		items := v.x.([]val)
		out := make([]ref.Val, len(items))
		for i := range items {
			out[i] = items[i].ref()
		}
		return types.NewRefValList(types.DefaultTypeAdapter, out)
	case other:
		return v.x.(ref.Val)
	}
	return nil
}

func (v *val) float() float64 { return math.Float64frombits(uint64(v.n)) }

// size returns what cel-go's cost tracker takes for the size of a value.
func (v *val) size() uint64 {
	switch v.kind {
	case text:
		return length(v.s)
	case object:
		return uint64(len(v.x.(map[string]any)))
	case list:
		return uint64(len(v.x.([]any)))
	case built:
		return uint64(len(v.x.([]val)))
	case other:
		return refSize(v.x.(ref.Val))
	}
	return 1
}

// length is the size of a text: its characters.
func length(s string) uint64 { return uint64(utf8.RuneCountInString(s)) }

func refSize(v ref.Val) uint64 {
	if sizer, ok := v.(traits.Sizer); ok {
		size, _ := sizer.Size().(types.Int)
		return uint64(size)
	}
	if optional, ok := v.(*types.Optional); ok && optional.HasValue() {
		return refSize(optional.GetValue())
	}
	return 1
}

// scan is the charge for reading so many characters.
func scan(size uint64) uint64 { return uint64(math.Ceil(float64(size) * 0.1)) }
