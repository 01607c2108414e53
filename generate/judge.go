package generate

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem"
)

// UnmadeError tells that no object was found, and why the one was refused that came nearest.
type UnmadeError struct {
	// Wanted says what was to be made.
	Wanted string
	// Errors are the findings about the nearest object, and Rules the texts of the
	// validation rules among them.
	Errors field.ErrorList
	Rules  []string
	// Err is why the nearest object was refused before validation, or nil.
	Err error
}

// Error names what the nearest object was refused for.
func (e *UnmadeError) Error() string {
	text := "found no " + e.Wanted
	switch {
	case e.Err != nil:
		text += ": " + e.Err.Error()
	case len(e.Errors) > 0:
		text += ": the nearest is refused: " + e.Errors[0].Error()
		if more := len(e.Errors) - 1; more > 0 {
			text += fmt.Sprintf(" (and %d more)", more)
		}
	}
	if len(e.Rules) > 0 {
		text += fmt.Sprintf("; rule: %s", strings.Join(e.Rules, "; "))
	}
	return text
}

// Unwrap returns Err.
func (e *UnmadeError) Unwrap() error { return e.Err }

// request is one way of sending objects to the server.
type request struct {
	// send returns the server's verdict.
	send func(object map[string]any) *crdsem.Result
	// restore gives an object back what the request must have or cannot change.
	restore func(object map[string]any)
	// schema is what the request's part of the object is to keep, its nodes listed in places.
	schema node
	places func() *places

	spent int64 // by the rules so far
}

// maxSpent is how much the rules may cost, in the server's units, before nothing more is
// tried: as much as three requests.
const maxSpent = 30_000_000

// try restores an object and returns the server's verdict.
func (q *request) try(object map[string]any) *crdsem.Result {
	q.restore(object)
	result := q.send(object)
	q.spent += result.Cost
	return result
}

// exhausted reports whether enough was tried.
func (q *request) exhausted() bool { return q.spent > maxSpent }

// nearest keeps the refusal with the fewest findings.
type nearest struct{ result *crdsem.Result }

// see takes a verdict into account.
func (n *nearest) see(result *crdsem.Result) {
	if n.result == nil || faults(result) < faults(n.result) {
		n.result = result
	}
}

// faults counts findings: one that keeps rules from being evaluated weighs more than any that a rule leads to.
func faults(result *crdsem.Result) int {
	switch {
	case result.Stage == crdsem.StageDecode:
		return 1 << 30
	case len(result.Explanations) == 0:
		return len(result.Errors) << 10
	}
	return len(result.Errors)
}

// unmade returns the error for what was wanted.
func (n *nearest) unmade(wanted string) *UnmadeError {
	e := &UnmadeError{Wanted: wanted}
	if n.result == nil {
		e.Err = errors.New("the schema's root takes no object")
		return e
	}
	if e.Errors = n.result.Errors; n.result.Stage == crdsem.StageDecode {
		e.Err = n.result.Err()
	}
	for i := range n.result.Explanations {
		e.Rules = append(e.Rules, n.result.Explanations[i].Rule)
	}
	return e
}

// creation is the request that creates.
func (s *Resources) creation(o *objects) *request {
	return &request{
		send: func(object map[string]any) *crdsem.Result {
			return s.version.Create(context.Background(), object, crdsem.Strict, crdsem.Explain)
		},
		restore: func(object map[string]any) {
			if s.hasStatus {
				delete(object, "status")
			}
			s.identify(o, object)
		},
		schema: s.main, places: s.createPlaces,
	}
}

// replacement is the request that updates an object.
func (s *Resources) replacement(old map[string]any) *request {
	kept := []string{"apiVersion", "kind", "metadata"}
	if s.hasStatus {
		kept = append(kept, "status")
	}
	return &request{
		send: func(object map[string]any) *crdsem.Result {
			return s.version.Update(context.Background(), object, old, crdsem.Strict, crdsem.Explain)
		},
		restore: func(object map[string]any) { restoreFrom(old, object, kept) },
		schema:  s.main, places: s.mainPlaces,
	}
}

// statusReplacement is the request that updates the status of an object.
func (s *Resources) statusReplacement(old map[string]any) *request {
	rest, _ := Clone(old).(map[string]any)
	delete(rest, "status")
	return &request{
		send: func(object map[string]any) *crdsem.Result {
			return s.version.UpdateStatus(context.Background(), object, old, crdsem.Strict, crdsem.Explain)
		},
		restore: func(object map[string]any) {
			status, there := object["status"]
			clear(object)
			maps.Copy(object, Clone(rest).(map[string]any))
			if there {
				object["status"] = status
			}
		},
		schema: s.status, places: s.statusPlaces,
	}
}

// restoreFrom gives members of an object the values that they have in an old one.
func restoreFrom(old, object map[string]any, kept []string) {
	for _, name := range kept {
		delete(object, name)
		if v, there := old[name]; there {
			object[name] = Clone(v)
		}
	}
}

// settled changes an object until the request is admitted, or it knows no further, and returns the last verdict.
func settled(o *objects, object map[string]any, q *request) *crdsem.Result {
	for step := 0; ; step++ {
		result := q.try(object)
		if result.Admitted() || step == maxRepairs || q.exhausted() || !o.mended(q.schema, object, result) {
			return result
		}
		o.sparse = min(1, o.sparse+0.05)
	}
}

// mended changes an object where it was refused, and reports whether it changed anything.
func (o *objects) mended(schema node, object map[string]any, result *crdsem.Result) bool {
	switch {
	case result.Stage == crdsem.StageDecode || len(result.Errors) > maxErrors:
		return false
	case len(result.Explanations) > 0:
		failed := result.Explanations[o.r.Intn(len(result.Explanations))]
		return o.mendRule(schema, object, failed.Field, failed.Rule)
	}
	return o.repair(schema, object, result.Errors[:min(len(result.Errors), repairsAtOnce)])
}

// mendRule changes what a rule that failed speaks of.
func (o *objects) mendRule(schema node, object map[string]any, path, rule string) bool {
	if path == "<nil>" {
		path = ""
	}
	found, ok := o.find(rootSpot(schema, object), object, path)
	if !ok || !found.exists {
		return false
	}
	if found.remove != nil && o.r.chance(0.15) {
		found.remove()
		return true
	}
	found.set(o.nudged(found.node, found.value, ruleHints(rule)))
	return true
}
