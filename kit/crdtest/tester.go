package crdtest

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/crdsem/crdsem"
)

// Tester sends requests of tests that are written in Go, e.g. of a table of
// objects and the errors that they give. It is safe for concurrent use.
//
//	api := crdtest.NewTester(crds)
//	for _, tc := range tests {
//		t.Run(tc.name, func(t *testing.T) { api.Create(t, tc.object, tc.wantErrors...) })
//	}
//
// An object is a map[string]any or a value of a Go type, see [Step.Object]. A
// Go type that does not say its kind and apiVersion has the name of the kind,
// in a package with the name of the version.
//
// The first test that sends an object to a definition that a server refuses
// fails with the errors of the definition, too.
type Tester struct {
	server *server

	mu      sync.Mutex
	cases   []Case
	checked map[*CRD]bool // those that were validated
}

// NewTester returns a Tester for some definitions.
func NewTester(crds []*CRD) *Tester {
	return &Tester{
		server: newServer(crds, "", &crdsem.Cache{}), checked: map[*CRD]bool{},
	}
}

// Create creates an object. The test fails if the server refuses it, or if
// errors are wanted and it admits the object or its error lacks one of them.
func (x *Tester) Create(t testing.TB, object any, wantErrors ...string) {
	t.Helper()
	create := Step{Verb: Create, Object: object, Want: Want{Errors: wantErrors}}
	x.run(t, Case{Name: t.Name(), Steps: []Step{create}})
}

// Update creates the old object, which must be admitted, and replaces it by
// another. The test fails as that of Create does.
func (x *Tester) Update(t testing.TB, object, old any, wantErrors ...string) {
	t.Helper()
	x.run(t, Case{Name: t.Name(), Steps: []Step{
		{Verb: Create, Object: old},
		{Verb: Update, Object: object, Want: Want{Errors: wantErrors}},
	}})
}

// UpdateStatus is like Update, and replaces the status only. Both objects may
// have a status.
func (x *Tester) UpdateStatus(t testing.TB, object, old any, wantErrors ...string) {
	t.Helper()
	x.run(t, Case{Name: t.Name(), Steps: []Step{
		{Verb: Create, Object: old},
		{Verb: UpdateStatus, Object: old},
		{Verb: UpdateStatus, Object: object, Want: Want{Errors: wantErrors}},
	}})
}

// Apply creates the live object by a manager, which must be admitted, and
// applies the object by another manager. The test fails as that of Create does.
func (x *Tester) Apply(t testing.TB, object, live any, wantErrors ...string) {
	t.Helper()
	x.run(t, Case{Name: t.Name(), Steps: []Step{
		{Verb: Create, Object: live, Manager: "live"},
		{Verb: Apply, Object: object, Want: Want{Errors: wantErrors}},
	}})
}

// Convert takes an object to each other served version and back; see [Convert].
// The test fails if a conversion fails, if a version would refuse what its
// clients read, or if other fields than those that may be lost differ
// afterwards. The conversion is an option of the definition, e.g.
//
//	functions, err := conversion.HubAndSpoke("example.com/v1", spokes...)
//	...
//	crd.Options = []crdsem.DefinitionOption{crdsem.ConversionWebhook(functions)}
func (x *Tester) Convert(t testing.TB, object any, mayLose ...string) {
	t.Helper()
	x.run(t, Case{Name: t.Name(), Steps: []Step{
		{Verb: Convert, Object: object, Want: Want{MayLose: mayLose}},
	}})
}

func (x *Tester) run(t testing.TB, c Case) {
	t.Helper()
	x.mu.Lock()
	x.cases = append(x.cases, c)
	x.mu.Unlock()
	for _, crd := range x.unchecked(&c) {
		err := crd.refusal(t.Context(), x.server.minor)
		switch _, stored := errors.AsType[warning](err); {
		case stored:
			t.Logf("%s: %v", crd.title(), err)
		case err != nil:
			t.Error(fmt.Errorf("%s: %w", crd.title(), err))
		}
	}
	p := play{server: x.server, suite: &Suite{}}
	if err := p.run(t.Context(), &c); err != nil {
		t.Error(err)
	}
}

// unchecked returns the definitions that a case is the first to need.
func (x *Tester) unchecked(c *Case) []*CRD {
	needed := (&Job{server: x.server, c: c}).definitions()
	x.mu.Lock()
	defer x.mu.Unlock()
	var all []*CRD
	for _, crd := range needed {
		if !x.checked[crd] {
			x.checked[crd] = true
			all = append(all, crd)
		}
	}
	return all
}

// Suite returns the requests so far as a suite, e.g. for [Cover] and [Mutate].
func (x *Tester) Suite(name string) *Suite {
	x.mu.Lock()
	defer x.mu.Unlock()
	return &Suite{Name: name, Cases: slices.Clone(x.cases)}
}
