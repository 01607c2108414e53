package celfunctions

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
)

// Random writes random rules of the values and the overloads of the table. It
// is safe for concurrent use.
type Random struct {
	overloads []Callable
	values    map[string][]string
}

// NewRandom returns a writer for the overloads of an environment. Its rules
// need no field of self.
func NewRandom(env *cel.Env) *Random {
	values := readValues()
	for section, list := range values {
		values[section] = slices.DeleteFunc(list,
			func(v string) bool { return strings.Contains(v, "self.") })
	}
	return &Random{Overloads(env), values}
}

// shapes are rules in which $ stands for a call, and @ for another value. Some
// do not compile with some calls: the errors are compared, too.
var shapes = []string{
	"[$].size() == 0", "$ == @", "dyn($) == dyn(@)", "[$, @].size() == 0", "$ in [@]",
	"dyn(self) == $", "[1, 2, 1].exists_one(q, $ == @)", "[$].map(x, x) == [@]",
	"{'a': $} == {'a': @}", "'%s-%s'.format([$, @]) == ''", "[dyn($), self].size() == 0",
	"(self == oldSelf ? [$] : [@]) == []", "type($) == type(@)", "optional.of($).orValue(@) == $",
}

// selves are rules about self and its old value.
var selves = []string{
	"oldSelf.orValue(self) == self", "!oldSelf.hasValue() || oldSelf.value() == self",
	"[self] == [oldSelf]", "self in [oldSelf]", "{'a': self} == {'a': oldSelf}", "self != oldSelf",
	"optional.of(self) == optional.of(oldSelf)", "dyn(self) == dyn(oldSelf)",
	"'%s-%d'.format([self, 1]) == ''", "'%s'.format([[self, 1].map(x, x)]) == ''",
	"self.all(x, x in self)", "self.map(x, x) == self", "self + self == self", "self == []",
	"self.exists_one(x, self.indexOf(x) == 0)", "sets.contains(self, oldSelf)", "dyn(self) == {}",
	"self.filter(x, x in oldSelf) == self", "dyn(self) == [] || dyn(self) == ''", "size(self) < -1",
}

// Rule writes a rule, and a messageExpression for it.
func (w *Random) Rule(r *rand.Rand) (rule, message string) {
	call := w.call(r, w.overloads[r.IntN(len(w.overloads))], 2)
	message = "'%s'.format([" + call + "])"
	if r.IntN(3) == 0 {
		return selves[r.IntN(len(selves))], message
	}
	other := w.value(r, types.DynType, 2)
	return strings.NewReplacer("$", call, "@", other).Replace(shapes[r.IntN(len(shapes))]),
		message
}

// call writes a call of an overload.
func (w *Random) call(r *rand.Rand, c Callable, depth int) string {
	args := make([]string, len(c.Args))
	for i, list := range c.values(w.values) {
		list = slices.DeleteFunc(slices.Clone(list),
			func(v string) bool { return strings.Contains(v, "self.") })
		if len(list) > 0 && r.IntN(3) > 0 {
			args[i] = list[r.IntN(len(list))]
		} else {
			args[i] = w.value(r, c.Args[i], depth-1)
		}
	}
	return c.Call(args)
}

// value writes a value of a type, often the result of a call.
func (w *Random) value(r *rand.Rand, t *types.Type, depth int) string {
	if depth > 0 {
		for range 8 {
			c := w.overloads[r.IntN(len(w.overloads))]
			if t == types.DynType ||
				c.Result.Kind() == t.Kind() && c.Result.TypeName() == t.TypeName() {
				return w.call(r, c, depth-1)
			}
		}
	}
	list := w.values[t.TypeName()]
	if len(list) == 0 {
		list = w.values["dyn"]
	}
	return list[r.IntN(len(list))]
}
