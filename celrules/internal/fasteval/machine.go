package fasteval

import (
	"context"
	"sync"

	"github.com/google/cel-go/common/types/ref"

	"github.com/crdsem/crdsem/celrules/internal/decl"
)

// Input is what an expression is evaluated on.
type Input struct {
	// Self is the value, Node describes it and the old one.
	Self any
	Node *decl.Node
	// HasOld tells whether oldSelf is known; Old is its value: the one described by Node, or, if OldValue is not nil, that.
	HasOld   bool
	Old      any
	OldValue ref.Val
}

// machine is the state of one evaluation.
type machine struct {
	in    *Input
	ctx   context.Context
	done  <-chan struct{}
	cost  uint64
	limit uint64
	ticks uint
	slots []val
}

// interruptFrequency is how many rounds of loops pass between looks at the context (CEL-013).
const interruptFrequency = 100

// tick is called once for every round of a loop. It reports false where the evaluation must stop.
func (m *machine) tick() bool {
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

var machines = sync.Pool{New: func() any { return new(machine) }}

// Program is an expression that can be evaluated directly. It is immutable and safe for concurrent use.
type Program struct {
	root  step
	test  test // instead of root, for expressions of type bool
	slots int
}

// Bool evaluates a rule. It reports ok only if the evaluation went well to its end within the limit; otherwise nothing is known.
func (p *Program) Bool(ctx context.Context, in *Input, limit uint64) (result bool, cost uint64, ok bool) {
	m := p.start(ctx, in, limit)
	defer m.end(&ok)
	truth := p.test(m)
	return truth == yes, m.cost, truth != unknown && m.cost <= limit
}

// Text is Bool for expressions of type string.
func (p *Program) Text(ctx context.Context, in *Input, limit uint64) (result string, cost uint64, ok bool) {
	m := p.start(ctx, in, limit)
	defer m.end(&ok)
	v := p.root(m)
	return v.s, m.cost, v.kind == text && m.cost <= limit
}

func (p *Program) start(ctx context.Context, in *Input, limit uint64) *machine {
	m := machines.Get().(*machine)
	m.in, m.ctx, m.done, m.limit = in, ctx, ctx.Done(), limit
	if cap(m.slots) < p.slots {
		m.slots = make([]val, p.slots)
	}
	m.slots = m.slots[:p.slots]
	return m
}

// end gives the machine back, and nothing of the object with it. A function that panics has stopped the evaluation: cel-go makes an error of it.
func (m *machine) end(ok *bool) {
	if recover() != nil {
		*ok = false
	}
	clear(m.slots)
	*m = machine{slots: m.slots[:0]}
	machines.Put(m)
}
