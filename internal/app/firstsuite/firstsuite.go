// Package firstsuite writes a first suite of tests for a definition, in the
// format of package crdtest: the smallest object, the defaults, and each rule
// kept and broken.
package firstsuite

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/crdtest"
	"github.com/crdsem/crdsem/kit/generate"
	"github.com/crdsem/crdsem/structural"
)

// effort is how many objects are judged for one case.
const effort = 200

// Suite is a suite that was made.
type Suite struct {
	cases []crdtest.Case
	// notMade says for which rules and defaults no case was found.
	notMade []string
}

// Of makes a suite for the stored version of a definition. All of its cases
// are as stated. It fails if the definition cannot be used or no object of it
// is valid, and with the context.
func Of(ctx context.Context, crd *crdtest.CRD) (*Suite, error) {
	object, _, err := definition.FromMap(crd.Object())
	if err != nil {
		return nil, err
	}
	def, err := crdsem.Compile(object)
	if err != nil {
		return nil, err
	}
	resources, err := generate.NewResources(def, "")
	if err != nil {
		return nil, err
	}
	version, err := def.Version(resources.Identity().Version)
	if err != nil {
		return nil, err
	}
	m := &maker{ctx: ctx, resources: resources, version: version,
		shown: map[string]bool{}, suite: &Suite{}}
	if err := m.smallest(); err != nil {
		return nil, err
	}
	m.walk(version.Schema(), nil, "openAPIV3Schema")
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return m.suite, m.suite.check(ctx, crd)
}

// check drops cases that are not as stated.
func (s *Suite) check(ctx context.Context, crd *crdtest.CRD) error {
	results, err := crdtest.Execute(ctx, []*crdtest.CRD{crd},
		[]*crdtest.Suite{{Name: "suite", Cases: s.cases}})
	for _, r := range results {
		isCase := func(c crdtest.Case) bool { return c.Name == r.Case }
		if r.Err != nil && slices.ContainsFunc(s.cases, isCase) {
			s.notMade = append(s.notMade, r.Case)
			s.cases = slices.DeleteFunc(s.cases, isCase)
		}
	}
	return err
}

// maker makes the cases.
type maker struct {
	ctx       context.Context
	resources *generate.Resources
	version   *crdsem.Version
	suite     *Suite
	shown     map[string]bool // the defaults that a case shows, by schema path
}

func (m *maker) create(object map[string]any) *crdsem.Result {
	return m.version.Create(m.ctx, object, crdsem.FieldValidation(crdsem.Strict),
		crdsem.NameFailures())
}

func (m *maker) search(node []string) *generate.Search { return m.seeded(node, 0) }

func (m *maker) seeded(node []string, seed uint64) *generate.Search {
	return m.resources.Search(m.ctx, generate.NewRand(seed), node, effort)
}

// smallest adds the case of the smallest object.
func (m *maker) smallest() error {
	object, err := m.resources.Valid(generate.NewRand(0))
	if err != nil {
		return err
	}
	object = m.shrunk(object, func(o map[string]any) bool { return m.create(o).Admitted() })
	m.shows("the smallest object", object)
	return nil
}

// shrunk makes an object smaller as long as it is interesting.
func (m *maker) shrunk(
	object map[string]any, interesting func(map[string]any) bool,
) map[string]any {
	left := 10 * effort
	small, _ := generate.Shrink(object, func(v any) bool {
		left--
		o, _ := v.(map[string]any)
		isSent := o["apiVersion"] == object["apiVersion"] && o["kind"] == object["kind"]
		return isSent && left > 0 && interesting(o)
	}).(map[string]any)
	return small
}

// shows adds a case that shows the defaults of an object.
func (m *maker) shows(name string, object map[string]any) {
	result := m.create(object)
	stored := m.version.Read(m.ctx, result.Object).Object
	if stored == nil {
		return // the context has ended
	}
	for _, change := range result.Provenance {
		if change.Action == crdsem.Defaulted {
			m.shown[change.Schema] = true
		}
	}
	m.add(name, crdtest.Step{Verb: crdtest.Create, Object: object,
		Want: crdtest.Want{Object: plain(stored)}})
}

func (m *maker) add(name string, steps ...crdtest.Step) {
	for i := 2; slices.ContainsFunc(m.suite.cases, func(c crdtest.Case) bool {
		return c.Name == name
	}); i++ {
		name = fmt.Sprintf("%s (%d)", strings.TrimSuffix(name, fmt.Sprintf(" (%d)", i-1)), i)
	}
	m.suite.cases = append(m.suite.cases, crdtest.Case{Name: name, Steps: steps})
}

// plain returns an object without the metadata that a server writes.
func plain(object map[string]any) map[string]any {
	metadata := map[string]any{}
	for _, key := range []string{"name", "namespace"} {
		if v := jsonvalue.At(object, "metadata", key); v != nil {
			metadata[key] = v
		}
	}
	out := jsonvalue.DeepCopyMap(object)
	out["metadata"] = metadata
	return out
}

// walk adds the cases of a node and of those below it.
func (m *maker) walk(s *structural.Schema, node []string, path string) {
	if m.ctx.Err() != nil {
		return
	}
	for _, rule := range s.Rules() {
		m.rule(rule, node)
	}
	below := func(child *structural.Schema, step, at string) {
		if child.Default() != nil && !m.shown[at] {
			m.defaulted(node, step, at)
		}
		m.walk(child, append(node[:len(node):len(node)], step), at)
	}
	for name, property := range s.Properties() {
		isMetadata := len(node) == 0 && name == "metadata"
		if !isMetadata {
			below(property, "."+name, path+".properties["+name+"]")
		}
	}
	if items := s.Items(); items != nil {
		below(items, "[]", path+".items")
	}
	if additional := s.AdditionalSchema(); additional != nil {
		below(additional, "{}", path+".additionalProperties")
	}
}

// defaulted adds a case in which a field below a node gets its default.
func (m *maker) defaulted(node []string, step, path string) {
	name, isMember := strings.CutPrefix(step, ".")
	search := m.search(node)
	if !isMember || search.IsStatus() || len(node) == 0 && name == "status" {
		return // a create keeps no status, and items have no defaults
	}
	object, err := search.Valid()
	isDefaulted := func(o map[string]any) bool {
		result := m.create(o)
		return result.Admitted() && slices.ContainsFunc(result.Provenance,
			func(c crdsem.Change) bool { return c.Action == crdsem.Defaulted && c.Schema == path })
	}
	if err == nil {
		without(object, node, name)
	}
	where := strings.TrimPrefix(strings.Join(append(node[:len(node):len(node)], step), ""), ".")
	if err != nil || !isDefaulted(object) {
		m.suite.notMade = append(m.suite.notMade, "the default of "+where)
		return
	}
	m.shows("the default of "+where, m.shrunk(object, isDefaulted))
}

// without removes a member of all objects at a node.
func without(v any, node []string, name string) {
	if len(node) == 0 {
		if object, ok := v.(map[string]any); ok {
			delete(object, name)
		}
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for key, member := range v {
			if node[0] == "{}" || node[0] == "."+key {
				without(member, node[1:], name)
			}
		}
	case []any:
		for _, item := range v {
			without(item, node[1:], name)
		}
	}
}

// Text returns the suite as a file of package crdtest. crds is the path of the
// definition from the folder of the file.
func (s *Suite) Text(crds string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "crds: %s\n", scalar(crds))
	for _, name := range s.notMade {
		fmt.Fprintf(&b, "# no case was found: %s\n", strings.ReplaceAll(name, "\n", " "))
	}
	b.WriteString("cases:\n")
	for _, c := range s.cases {
		fmt.Fprintf(&b, "- name: %s\n", scalar(c.Name))
		if len(c.Steps) > 1 {
			b.WriteString("  steps:\n")
		}
		for _, step := range c.Steps {
			fields := stepText(&step)
			if len(c.Steps) > 1 {
				b.WriteString("  - " + strings.TrimPrefix(indented(fields, "    "), "    "))
			} else {
				b.WriteString(indented(fields, "  "))
			}
		}
	}
	return []byte(b.String())
}

func scalar(text string) string { return strings.TrimSuffix(written(text), "\n") }

// written returns a string or an object as YAML, which each of them has.
func written(value any) string {
	out, _ := yaml.Marshal(value)
	return string(out)
}

// stepText returns the fields of a step: the request and the outcome.
func stepText(step *crdtest.Step) string {
	request := written(map[string]any{string(step.Verb): step.Object})
	want := map[string]any{}
	if len(step.Want.Errors) > 0 {
		want["error"] = step.Want.Errors[0]
	}
	if step.Want.Object != nil {
		want["object"] = step.Want.Object
	}
	if len(want) == 0 {
		return request
	}
	return request + written(map[string]any{"want": want})
}

func indented(text, by string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(by + line)
	}
	return b.String()
}
