package crdtest

import (
	"context"
	"sync"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/internal/chapter/ruleoptions"
	"github.com/crdsem/crdsem/manifest"
)

// Coverage says what of definitions has been exercised by cases.
type Coverage struct {
	// Versions are the versions of the definitions that an object was sent to,
	// in the order of the definitions.
	Versions []*VersionCoverage `json:"versions"`
}

// VersionCoverage is the coverage of one version of a definition.
type VersionCoverage struct {
	// File is the file of the definition, Name its name.
	File string `json:"file"`
	Name string `json:"name"`
	// Version is the name of the version, e.g. v1.
	Version string `json:"version"`
	// Items are in the order of the schema: a node comes before the nodes below
	// it.
	Items []*Item `json:"items"`

	crd *CRD
}

// Class is a kind of [Item].
type Class string

// The classes of items.
const (
	// Fields are seen if an object has the field.
	Fields Class = "fields"
	// Constraints are keywords that restrict values, e.g. maxLength. They are
	// seen to pass and to fail. A required field is one constraint, a junctor
	// and each of its branches are too.
	Constraints Class = "constraints"
	// EnumValues are seen if an object has the value.
	EnumValues Class = "enum values"
	// Defaults are seen to be filled in, and to be left out because the object
	// has the field.
	Defaults Class = "defaults"
	// ValidationRules are the x-kubernetes-validations. They are seen to pass
	// and to fail.
	ValidationRules Class = "rules"
	// Operands are those of &&, || and ? : in rules. They are seen to be true
	// and to be false, or to be evaluated if they are not boolean.
	Operands Class = "operands"
)

// Classes are all classes in the order of reports.
var classes = []Class{Fields, Constraints, EnumValues, Defaults, ValidationRules, Operands}

// Item is a part of a schema that cases can exercise.
type Item struct {
	Class Class `json:"class"`
	// Path is the path of the schema node, e.g.
	// openAPIV3Schema.properties[spec].
	Path string `json:"path"`
	// Keyword is the keyword of the node, e.g. maxLength or
	// x-kubernetes-validations[0]. It is empty for a field.
	Keyword string `json:"keyword,omitempty"`
	// Text is the value of the keyword, or the operand as CEL.
	Text string `json:"text,omitempty"`
	// Line and Column are its position in the file.
	Line   int `json:"line"`
	Column int `json:"column"`
	// Goals are what can be seen of the item, and how often it was.
	Goals []Goal `json:"goals"`
}

// Goal is one thing that can be seen of an item, e.g. that a constraint fails.
type Goal struct {
	// Name is what is seen, e.g. failed.
	Name string `json:"name"`
	// Count is how often it was seen.
	Count int `json:"count"`
}

// reached returns the number of goals that were seen.
func (i *Item) reached() int {
	n := 0
	for _, goal := range i.Goals {
		if goal.Count > 0 {
			n++
		}
	}
	return n
}

// Cover runs suites and returns what of the definitions they exercised. A case
// that is not as stated counts too. Steps with patches of the definition do not
// count, since they have another schema. A definition that no object was sent
// to is left out.
//
// crds are the definitions for the suites that have no definitions of their
// own. The error is that of the context.
func Cover(ctx context.Context, crds []*CRD, suites []*Suite) (*Coverage, error) {
	runs, err := runCovered(ctx, plan(crds, suites))
	if err != nil {
		return nil, err
	}
	return runs.coverage(), nil
}

// covered is the observation of some jobs.
type covered struct {
	jobs  []job
	mu    sync.Mutex
	byKey map[coverageKey]*schemaCoverage
	// visited are the nodes that each job had values of, and errs the results.
	visited []map[*node]bool
	errs    []error
}

type coverageKey struct{ place, version string }

// runCovered runs jobs and observes them.
func runCovered(ctx context.Context, jobs []job) (*covered, error) {
	c := &covered{
		jobs: jobs, byKey: map[coverageKey]*schemaCoverage{},
		visited: make([]map[*node]bool, len(jobs)), errs: make([]error, len(jobs)),
	}
	err := inParallel(ctx, len(jobs), func(i int) {
		c.visited[i] = map[*node]bool{}
		c.errs[i] = jobs[i].play(ctx, func(seen *observed) { c.observe(ctx, seen, c.visited[i]) })
	})
	return c, err
}

// schemaCoverage counts for one version of a definition.
type schemaCoverage struct {
	VersionCoverage
	key    coverageKey
	prefix string // of the paths of nodes in the document
	root   *node
	rules  *celrules.Rules
	nodes  map[string]*node // by path
}

// of returns the counters for the version of a request. The lock is held.
func (c *covered) of(seen *observed) *schemaCoverage {
	key := coverageKey{seen.of.crd.place(), seen.version.Name()}
	s := c.byKey[key]
	if s == nil {
		s = newSchemaCoverage(seen.of.crd, key)
		s.addRules(seen.version.Schema())
		c.byKey[key] = s
	}
	return s
}

// observe counts one request. visited gets the nodes that it has values of.
func (c *covered) observe(ctx context.Context, seen *observed, visited map[*node]bool) {
	res := seen.result
	if res.Object == nil {
		return
	}
	c.mu.Lock()
	s := c.of(seen)
	c.mu.Unlock()
	var rules []ruleoptions.Observation
	if res.Rules == crdsem.RulesEvaluated {
		watch := func(o *ruleoptions.Validate) {
			o.Watch = func(o ruleoptions.Observation) { rules = append(rules, o) }
		}
		var old any
		if seen.old != nil {
			old = seen.old
		}
		s.rules.Validate(ctx, res.Object, old, watch)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	w := &walk{ctx, visited}
	if seen.verb == UpdateStatus {
		w.field(s.root, "status", res.Object)
	} else {
		w.value(s.root, res.Object)
	}
	s.countRules(rules)
	for _, change := range res.Provenance {
		if change.Action == crdsem.Defaulted {
			s.countDefault(change.Schema, w.visited)
		}
	}
}

// coverage returns what was counted.
func (c *covered) coverage() *Coverage {
	out := &Coverage{}
	for _, crd := range c.definitions() {
		for _, name := range crd.versions() {
			if s := c.byKey[coverageKey{crd.place(), name}]; s != nil {
				s.finish()
				out.Versions = append(out.Versions, &s.VersionCoverage)
			}
		}
	}
	return out
}

// definitions returns the definitions of all jobs, each once.
func (c *covered) definitions() []*CRD {
	var all []*CRD
	known := map[*CRD]bool{}
	for i := range c.jobs {
		if c.jobs[i].server == nil {
			continue
		}
		for _, crd := range c.jobs[i].server.crds {
			if !known[crd] {
				known[crd] = true
				all = append(all, crd)
			}
		}
	}
	return all
}

// passed reports whether a job was run and is as stated.
func (c *covered) passed(i int) bool { return c.errs[i] == nil }

// locate fills in the positions of the items.
func (s *schemaCoverage) locate() {
	for _, item := range s.Items {
		path := s.prefix + item.Path
		if item.Keyword != "" {
			path += "." + item.Keyword
		}
		item.at(s.crd.position(path))
	}
}

// at sets the position.
func (i *Item) at(p manifest.Position) { i.Line, i.Column = p.Line, p.Column }

// within returns the position of a character in the text of a rule, given by
// its offset in code points.
func (s *schemaCoverage) within(rule *Item, offset int) manifest.Position {
	line, column := 1, 1
	for i, r := range []rune(rule.Text) {
		if i == offset {
			break
		}
		column++
		if r == '\n' {
			line, column = line+1, 1
		}
	}
	return s.crd.source.Find(s.prefix+rule.Path+"."+rule.Keyword).Within(line, column)
}
