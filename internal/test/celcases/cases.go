package celcases

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/checker"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
)

// Case is an expression and its outcome in the environment for stored
// expressions.
type Case struct {
	// Expression is the text that is compiled.
	Expression string `json:"expression"`
	Outcome
	// New is the outcome in the environment for new expressions, if it differs.
	New *Outcome `json:"new,omitempty"`
}

// MakeCase returns the case of an expression with its outcomes in the
// environments for stored and for new expressions.
func MakeCase(expression string, stored, added Outcome) Case {
	if stored == added {
		return Case{expression, stored, nil}
	}
	return Case{expression, stored, &added}
}

// Outcome holds everything that can be observed of an expression. Members after
// a failure are empty.
type Outcome struct {
	// Compile is the text of the compile errors.
	Compile string `json:"compile,omitempty"`
	// Type is the type of the expression.
	Type string `json:"type,omitempty"`
	// Estimate holds the minimum and the maximum of the estimated cost.
	Estimate [2]uint64 `json:"estimate"`
	// Plan is the text of the error of making a program.
	Plan string `json:"plan,omitempty"`
	// Value is the result as Text writes it. It is empty if there was an error.
	Value string `json:"value,omitempty"`
	// Error is the text of the evaluation's error.
	Error string `json:"error,omitempty"`
	// Cost is the actual cost of the evaluation.
	Cost uint64 `json:"cost"`
}

// Evaluate records the result of a program for the values of Activation, and
// its cost.
func (o *Outcome) Evaluate(program cel.Program, authorizer ref.Val) {
	values := Activation(authorizer)
	value, details, err := program.ContextEval(context.Background(), values)
	if cost := details.ActualCost(); cost != nil {
		o.Cost = *cost
	}
	if err != nil {
		o.Error = err.Error()
		return
	}
	o.Value = Text(value)
}

// Read returns the cases of a file of JSON lines.
func Read(path string) ([]Case, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var out []Case
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var c Case
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, len(out)+1, err)
		}
		out = append(out, c)
	}
	return out, lines.Err()
}

// Variable is a variable that the expressions of all cases may use.
type Variable struct {
	// Name is its name, Type its type.
	Name string
	Type *types.Type
	// Value is its value when the expression runs.
	Value ref.Val
	// Most is the maximum length of its string or the maximum number of its
	// elements. Element is the same for its elements.
	Most, Element uint64
}

// Variables returns the variables of all cases. The slice is new; the values
// are shared and must not be changed.
func Variables() []Variable {
	adapt := types.DefaultTypeAdapter.NativeToValue
	strs := types.NewListType(types.StringType)
	return []Variable{
		{Name: "text", Type: types.StringType, Value: types.String("Grüße, world 2024-01-02"), Most: 40},
		{Name: "address", Type: types.StringType, Value: types.String("10.0.0.0/8"), Most: 44},
		{Name: "anything", Type: types.DynType, Value: adapt([]string{"b", "a"}), Most: 7},
		{Name: "number", Type: types.IntType, Value: types.Int(3)},
		{Name: "ratio", Type: types.DoubleType, Value: types.Double(2.5)},
		{Name: "flag", Type: types.BoolType, Value: types.True},
		{Name: "data", Type: types.BytesType, Value: types.Bytes("abc\xff"), Most: 12},
		{Name: "span", Type: types.DurationType, Value: types.Duration{Duration: 90 * time.Second}, Most: 32},
		{Name: "instant", Type: types.TimestampType, Value: types.Timestamp{Time: time.Date(2024, 2, 29, 1, 2, 3, 0, time.UTC)}, Most: 32},
		{Name: "words", Type: strs, Value: adapt([]string{"pear", "apple", "", "pear"}), Most: 9, Element: 17},
		{Name: "numbers", Type: types.NewListType(types.IntType), Value: adapt([]int64{5, -3, 5, 8}), Most: 11},
		{Name: "open", Type: strs, Value: adapt([]string{"z"}), Most: 1048575, Element: 3145726},
		{Name: "labels", Type: types.NewMapType(types.StringType, types.StringType), Value: adapt(map[string]string{"app": "web"}), Most: 5, Element: 63},
		{Name: nest, Type: types.NewMapType(types.StringType, types.NewListType(types.NewMapType(types.StringType, types.StringType))),
			Value: adapt(map[string][]map[string]string{"a": {{"b": "x"}, {"b": "yy"}}})},
	}
}

// Authorizer is the name of the variable that is an authorizer. Each
// environment has a value of its own, which allows everything.
const Authorizer = "authorizer"

// Activation returns the variables' values by name.
func Activation(authorizer ref.Val) map[string]any {
	out := map[string]any{Authorizer: authorizer}
	for _, v := range Variables() {
		out[v.Name] = v.Value
	}
	return out
}

// nest is the name of a variable with values in values.
const nest = "nest"

// nestSizes are the sizes of nest and of what is in it, by depth, and nestKey
// is that of a key.
var nestSizes = []uint64{4, 6, 3, 20}

const nestKey = 8

// Sizes gives the cost estimator the sizes of the variables.
type Sizes struct{}

// EstimateSize returns the size of a variable, its elements, keys or values. It
// returns nil for a node without a path. Keys have size 0, as in maps of a
// schema (COST-011).
func (Sizes) EstimateSize(node checker.AstNode) *checker.SizeEstimate {
	path := node.Path()
	if len(path) == 0 {
		return nil
	}
	if path[0] == nest {
		return nestSize(path)
	}
	for _, v := range Variables() {
		if v.Name != path[0] {
			continue
		}
		switch {
		case len(path) == 1:
			return &checker.SizeEstimate{Max: v.Most}
		case path[1] == "@keys":
			return &checker.SizeEstimate{}
		case path[1] == "@items", path[1] == "@values":
			return &checker.SizeEstimate{Max: v.Element}
		}
	}
	return nil
}

func nestSize(path []string) *checker.SizeEstimate {
	switch {
	case path[len(path)-1] == "@keys":
		return &checker.SizeEstimate{Max: nestKey}
	case len(path) > len(nestSizes):
		return nil
	}
	return &checker.SizeEstimate{Max: nestSizes[len(path)-1]}
}

// Text writes a value with its type. The entries of maps are sorted.
func Text(v ref.Val) string {
	switch v := v.(type) {
	case nil:
		return "nothing"
	case types.String:
		return strconv.Quote(string(v))
	case types.Bytes:
		return "b" + strconv.Quote(string(v))
	case *types.Optional:
		if !v.HasValue() {
			return "optional.none()"
		}
		return "optional.of(" + Text(v.GetValue()) + ")"
	case ref.Type:
		return "type " + v.TypeName()
	case traits.Lister:
		return listText(v)
	case traits.Mapper:
		return mapText(v)
	}
	name := v.Type().TypeName()
	if name == "kubernetes.NamedFormat" { // its Go form differs; expressions compare it
		return name
	}
	return fmt.Sprintf("%s %v", name, v.Value())
}

func listText(l traits.Lister) string {
	var elements []string
	for it := l.Iterator(); it.HasNext() == types.True; {
		elements = append(elements, Text(it.Next()))
	}
	return "[" + strings.Join(elements, ", ") + "]"
}

func mapText(m traits.Mapper) string {
	var entries []string
	for it := m.Iterator(); it.HasNext() == types.True; {
		key := it.Next()
		entries = append(entries, Text(key)+": "+Text(m.Get(key)))
	}
	slices.Sort(entries)
	return "{" + strings.Join(entries, ", ") + "}"
}
