// Package coverage measures what of a definition the cases of package crdtest
// exercise: which fields, enum values and defaults were seen, and which
// constraints, rules and operands of &&, || and ? : were seen to pass and to
// fail.
//
// # Terms
//
//   - item: a part of a schema that cases can exercise, e.g. the maximum of
//     spec.replicas.
//   - goal: one thing to be seen of an item, e.g. that it refuses a value.
//
// # Deviations
//
// A constraint below a junctor counts as part of its branch. The newest minor
// of Kubernetes is the only one that is known: cases of other minors count as
// if it had run them. Definitions of v1beta1 have no coverage.
package coverage

import (
	"context"
	"strings"
	"sync"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/internal/app/spine"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowfacade/ruleoptions"
	"github.com/crdsem/crdsem/internal/kit/parallel"
	"github.com/crdsem/crdsem/kit/crdtest"
	"github.com/crdsem/crdsem/kit/manifest"
)

// Report says what of definitions has been exercised by cases.
type Report struct {
	// Versions are the versions of the definitions that an object was sent to,
	// in the order of the definitions.
	Versions []*Version `json:"versions"`
	// Unused are the other served versions of these definitions.
	Unused []Unused `json:"unused,omitempty"`
}

// Unused is a served version of a definition that no object was sent to.
type Unused struct {
	File    string `json:"file"`
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Version is the coverage of one version of a definition.
type Version struct {
	// File is the file of the definition, Name its name.
	File string `json:"file"`
	Name string `json:"name"`
	// Version is the name of the version, e.g. v1.
	Version string `json:"version"`
	// Items are in the order of the schema: a node comes before the nodes below
	// it.
	Items []*Item `json:"items"`

	crd *crdtest.CRD
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

// classes are all classes in the order of reports.
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

// Measure runs suites and returns what of the definitions they exercised. A
// case that is not as stated counts too. Steps with patches of the definition
// do not count, since they have another schema. A definition that no object was
// sent to is left out.
//
// crds are the definitions for the suites that have no definitions of their
// own. The error is that of the context.
func Measure(ctx context.Context, crds []*crdtest.CRD, suites []*crdtest.Suite) (*Report, error) {
	jobs := crdtest.Jobs(crds, suites)
	c := &covered{byKey: map[coverageKey]*schemaCoverage{}}
	err := parallel.Each(ctx, len(jobs), func(i int) {
		visited := map[*node]bool{}
		jobs[i].Run(ctx, func(seen *crdtest.Exchange) { c.observe(ctx, seen, visited) })
	})
	if err != nil {
		return nil, err
	}
	return c.report(jobs), nil
}

// covered is what was observed of some jobs.
type covered struct {
	mu    sync.Mutex
	byKey map[coverageKey]*schemaCoverage
}

// coverageKey identifies a version of a definition. A definition that several
// suites read is the same one.
type coverageKey struct{ place, version string }

// schemaCoverage counts for one version of a definition.
type schemaCoverage struct {
	Version
	prefix string // of the paths of nodes in the document
	root   *spine.Node
	rules  *celrules.Rules
	nodes  map[*spine.Node]*node
	byPath map[string]*node
}

// of returns the counters for the version of a request. The lock is held.
func (c *covered) of(seen *crdtest.Exchange) *schemaCoverage {
	key := coverageKey{seen.CRD.Document().String(), seen.Version.Name()}
	s := c.byKey[key]
	if s == nil {
		s = newSchemaCoverage(seen.CRD, key.version)
		s.addRules(seen.Version.Schema())
		c.byKey[key] = s
	}
	return s
}

// observe counts one request. visited gets the nodes that it has values of.
func (c *covered) observe(ctx context.Context, seen *crdtest.Exchange, visited map[*node]bool) {
	res := seen.Result
	if res.Object == nil {
		return
	}
	c.mu.Lock()
	s := c.of(seen)
	c.mu.Unlock()
	rules := s.observeRules(ctx, seen)
	c.mu.Lock()
	defer c.mu.Unlock()
	s.root.Walk(ctx, seen, func(n *spine.Node, value any, typed bool) {
		visited[s.nodes[n]] = true
		s.nodes[n].count(ctx, value, typed)
	})
	s.countRules(rules)
	for _, change := range res.Provenance {
		if change.Action == crdsem.Defaulted {
			s.countDefault(change.Schema, visited)
		}
	}
}

// watching is an option for one validation. The interface, which is nil, makes
// it one.
type watching struct {
	celrules.ValidateOption
	observe func(ruleoptions.Observation)
}

// ForValidate asks for the evaluations of rules.
func (w watching) ForValidate(s *ruleoptions.Validate) { s.Watch = w.observe }

// observeRules evaluates the rules of a request that a server evaluates.
func (s *schemaCoverage) observeRules(
	ctx context.Context, seen *crdtest.Exchange,
) (rules []ruleoptions.Observation) {
	if seen.Result.Rules != crdsem.RulesEvaluated {
		return nil
	}
	watch := watching{observe: func(o ruleoptions.Observation) { rules = append(rules, o) }}
	var old any
	if seen.Old != nil {
		old = seen.Old
	}
	s.rules.Validate(ctx, seen.Result.Object, old, watch)
	return rules
}

// report returns what was counted for the definitions of jobs, each once.
func (c *covered) report(jobs []*crdtest.Job) *Report {
	out := &Report{}
	known := map[*crdtest.CRD]bool{}
	for _, j := range jobs {
		for _, crd := range j.CRDs() {
			if known[crd] {
				continue
			}
			known[crd] = true
			out.add(c.versionsOf(crd))
		}
	}
	return out
}

// versionsOf returns what was counted for the versions of a definition, and the
// others that are served.
func (c *covered) versionsOf(crd *crdtest.CRD) (found []*Version, unused []Unused) {
	document, _, _ := crd.Document().Object() // nil with an error
	versions, _ := jsonvalue.At(document, "spec", "versions").([]any)
	for i, name := range crd.Versions() {
		if s := c.byKey[coverageKey{crd.Document().String(), name}]; s != nil {
			s.finish()
			found = append(found, &s.Version)
		} else if i < len(versions) && jsonvalue.At(versions[i], "served") == true {
			unused = append(unused, Unused{Version: name})
		}
	}
	return found, unused
}

// add adds the versions of a definition, unless none was used.
func (c *Report) add(found []*Version, unused []Unused) {
	if len(found) == 0 {
		return
	}
	c.Versions = append(c.Versions, found...)
	for _, u := range unused {
		u.File, u.Name = found[0].File, found[0].Name
		c.Unused = append(c.Unused, u)
	}
}

// locate fills in the positions of the items.
func (s *schemaCoverage) locate() {
	for _, item := range s.Items {
		path := strings.TrimSuffix(s.prefix+item.Path+"."+item.Keyword, ".")
		item.at(s.crd.Document().Find(path).Key)
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
	return s.crd.Document().Find(s.prefix+rule.Path+"."+rule.Keyword).Within(line, column)
}
