package fasteval

import (
	"context"

	"cel.dev/cel-go/common/types/ref"

	"github.com/crdsem/crdsem/celrules/internal/decl"
	"github.com/crdsem/crdsem/celrules/internal/environment"
	"github.com/crdsem/crdsem/celrules/internal/meter"
)

// Input is the object that an expression is evaluated on.
type Input struct {
	// Self is the value of the variable self, as in the JSON of the object.
	// Node declares it and the old value.
	Self any
	Node *decl.Node
	// HasOld reports whether oldSelf has a value. It is OldValue if that is not
	// nil, otherwise Old, which Node declares.
	HasOld   bool
	Old      any
	OldValue ref.Val
}

// Machine is the state of one evaluation. The zero value is ready, and can
// evaluate any number of programs, one after the other.
type Machine struct {
	in    Input
	done  <-chan struct{} // of the context
	cost  uint64          // so far
	limit uint64
	ticks uint  // rounds of loops so far
	slots []val // the variables of loops
	meter meter.Meter
	// converted counts the items of lists that became lists of cel-go.
	converted int
}

// interruptFrequency is the number of rounds of loops between looks at the
// context (CEL-013).
const interruptFrequency = 100

// tick is called once in every round of a loop. It returns false if the
// evaluation must stop.
func (m *Machine) tick() bool {
	m.ticks++
	if m.cost > m.limit {
		return false
	}
	if m.done != nil && m.ticks%interruptFrequency == 0 {
		select {
		case <-m.done:
			return false
		default:
		}
	}
	return true
}

// pay charges for something before it is done. It returns false if the
// evaluation must stop.
func (m *Machine) pay(cost uint64) bool {
	m.cost += cost
	return m.cost <= m.limit
}

// Program is a compiled expression. It is immutable and safe for concurrent
// use.
type Program struct {
	root  step // nil for expressions of type bool
	test  test // nil for expressions of type string
	slots int
}

// Bool evaluates an expression of type bool. If ok is false the evaluation
// stopped, or its cost is over the limit, and the other results mean nothing.
func (p *Program) Bool(
	ctx context.Context, m *Machine, in Input, limits environment.Limits,
) (result bool, cost uint64, ok bool) {
	p.start(ctx, m, in, limits)
	defer m.end(&ok)
	truth := p.test(m)
	return truth == yes, m.cost, truth != unknown && m.cost <= limits.Cost
}

// Text is like Bool for expressions of type string.
func (p *Program) Text(
	ctx context.Context, m *Machine, in Input, limits environment.Limits,
) (result string, cost uint64, ok bool) {
	p.start(ctx, m, in, limits)
	defer m.end(&ok)
	v := p.root(m)
	return v.s, m.cost, v.kind == kindString && m.cost <= limits.Cost
}

// start makes a machine ready for an evaluation.
func (p *Program) start(ctx context.Context, m *Machine, in Input, limits environment.Limits) {
	m.in, m.done, m.limit = in, ctx.Done(), limits.Cost
	m.cost, m.ticks, m.converted = 0, 0, 0
	m.meter = meter.Meter{Limit: limits.Memory(), Done: m.done}
	if cap(m.slots) < p.slots {
		m.slots = make([]val, p.slots)
	}
	m.slots = m.slots[:p.slots]
}

// end clears the variables. A panic in a function has stopped the evaluation;
// cel-go makes an error of it.
func (m *Machine) end(ok *bool) {
	if recover() != nil {
		*ok = false
	}
	clear(m.slots)
}

// Release drops what the machine holds of an object.
func (m *Machine) Release() { *m = Machine{slots: m.slots[:0]} }
