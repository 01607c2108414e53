package differential

import (
	"context"
	"regexp"
	"runtime"
	"slices"
	"sync"

	"github.com/crdsem/crdsem/conformance/oracle/celfunctions"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/test/suite"
)

// Functions is the comparison of a table of rules.
type Functions struct {
	Pair Pair
	// Kubernetes is the minor that is asked for, or empty for the newest.
	Kubernetes string
	// Tell is called with each rule on which the two differ.
	Tell func(Finding)

	values Pair // compares evaluations
	mu     sync.Mutex
	counts Counts
}

// batch is how many rules a request has. They are asked one by one if the
// answers differ.
const batch = 16

// compileErrors are the texts of the type checker, which Kubernetes does not
// promise for older minors.
var compileErrors = regexp.MustCompile(
	`([Cc]ompilation failed|unexpected compilation error): (?:[^"\\]|\\.)*`)

// withoutTexts returns a respondent whose answers have no text of a type
// checker.
func withoutTexts(ask Respondent) Respondent {
	return func(ctx context.Context, line []byte) []byte {
		return compileErrors.ReplaceAll(ask(ctx, line), []byte("compilation failed"))
	}
}

// Run compares the rules: as stored rules of a definition, with an object, and,
// for one call of each overload, as new rules. If texts are not promised, those
// of evaluations are compared nevertheless.
func (f *Functions) Run(ctx context.Context, rules []celfunctions.Expression) Counts {
	f.values = f.Pair
	if f.Pair.Level.Deeper(suite.Text) {
		f.values = Pair{Real: withoutTexts(f.Pair.Real), Ours: withoutTexts(f.Pair.Ours)}
	}
	next := make(chan []celfunctions.Expression)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for some := range next {
				f.compare(ctx, protocol.OpCost, some)
				f.compare(ctx, protocol.OpCEL, some)
				if first := firsts(some); len(first) > 0 {
					f.compare(ctx, protocol.OpCRD, first)
				}
			}
		})
	}
	for len(rules) > 0 && ctx.Err() == nil {
		n := min(batch, len(rules))
		next <- rules[:n]
		rules = rules[n:]
	}
	close(next)
	workers.Wait()
	return f.counts
}

// firsts returns the first calls of overloads.
func firsts(of []celfunctions.Expression) []celfunctions.Expression {
	return slices.DeleteFunc(slices.Clone(of),
		func(e celfunctions.Expression) bool { return !e.IsFirst })
}

// compare compares the rules of a request, and halves of them if they differ.
// Requests whose answers differ in texts that do not count are not halved, and
// counted once.
func (f *Functions) compare(ctx context.Context, op string, rules []celfunctions.Expression) {
	c := f.request(op, rules)
	pair := f.Pair
	if op == protocol.OpCEL {
		pair = f.values
	}
	v, difference := pair.compare(ctx, c)
	if v != agree && v != otherTexts && len(rules) > 1 {
		f.compare(ctx, op, rules[:len(rules)/2])
		f.compare(ctx, op, rules[len(rules)/2:])
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.counts.add(v)
	f.counts.Cases += len(rules) - 1
	if v == differ {
		f.Tell(Finding{Case: c, Difference: difference})
	}
}

// request makes the case that has the rules at its root.
func (f *Functions) request(op string, rules []celfunctions.Expression) Case {
	properties, object := celfunctions.Fields()
	list := make([]any, len(rules))
	for i, r := range rules {
		rule := map[string]any{"rule": r.Rule}
		if r.Message != "" {
			rule["messageExpression"] = r.Message
		}
		list[i] = rule
	}
	schema := map[string]any{
		"type": "object", "properties": properties, "x-kubernetes-validations": list,
	}
	inputs := map[string]any{"schema": schema}
	switch op {
	case protocol.OpCRD:
		inputs = map[string]any{"crd": definitionOf(map[string]any{
			"name": "v1", "schema": openAPI(schema),
		})}
	case protocol.OpCEL:
		inputs["object"] = object
	}
	return Case{Op: op, Inputs: inputs, Kubernetes: f.Kubernetes}
}
