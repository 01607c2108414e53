package crdtest

import (
	"path/filepath"
	"slices"
	"strings"
)

// nativeSuffix ends the names of files in the format of this package.
const nativeSuffix = ".crdtest"

// isNative reports whether a file is in the format of this package.
func isNative(file string) bool { return strings.HasSuffix(stem(file), nativeSuffix) }

// parseNative reads a suite in the format of this package.
func parseNative(doc decoded) (suite *Suite, err error) {
	if len(doc.strict) > 0 {
		return nil, doc.strict[0]
	}
	file := doc.File
	root := newFields(doc, &err)
	suite = &Suite{Name: root.text("name"), File: file}
	if suite.Name == "" {
		suite.Name = strings.TrimSuffix(stem(file), nativeSuffix)
	}
	for _, path := range root.texts("crds") {
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(file), path)
		}
		suite.CRDFiles = append(suite.CRDFiles, path)
	}
	suite.Kubernetes = root.minors("kubernetes")
	suite.FieldValidation = root.fieldValidation("fieldValidation")
	for _, test := range root.list("cases") {
		suite.Cases = append(suite.Cases, parseCase(test))
	}
	root.done()
	return suite, err
}

// parseCase reads a case. A case with one step may have its fields itself.
func parseCase(test *fields) Case {
	c := Case{Name: test.text("name"), Line: test.line(), Stored: test.objectAt("stored")}
	c.Kubernetes = test.minors("kubernetes")
	if c.Name == "" {
		test.errorf("", "the case has no name")
	}
	for _, step := range test.list("steps") {
		c.Steps = append(c.Steps, parseStep(step))
		step.done()
	}
	if len(c.Steps) == 0 {
		c.Steps = []Step{parseStep(test)}
	}
	test.done()
	return c
}

// parseStep reads a verb with its object, and what is stated.
func parseStep(step *fields) Step {
	s := Step{Line: step.line(), path: step.path}
	for _, verb := range []Verb{Create, Update, UpdateStatus} {
		if object := step.objectAt(string(verb)); object != nil {
			step.setVerb(&s, verb)
			s.Object = object
		}
	}
	if version := step.text(string(Read)); version != "" {
		step.setVerb(&s, Read)
		s.Version = version
	}
	if s.Verb == "" {
		step.errorf("", "say what is done: one of %v", []Verb{Create, Update, UpdateStatus, Read})
	}
	for _, p := range step.list("crdPatches") {
		patch := Patch{Op: p.text("op"), Path: p.text("path"), Value: p.take("value")}
		s.CRDPatches = append(s.CRDPatches, patch)
		p.done()
	}
	if want := step.inner("want"); want != nil {
		s.Want = parseWant(want)
		want.done()
	}
	return s
}

func (f *fields) setVerb(s *Step, verb Verb) {
	if s.Verb != "" {
		f.errorf(string(verb), "a step does one thing, and this one has %s already", s.Verb)
	}
	s.Verb = verb
}

func parseWant(want *fields) Want {
	w := Want{
		Errors: want.texts("error"), Object: want.objectAt("object"),
		Warnings: want.texts("warnings"), Ratcheted: want.texts("ratcheted"),
	}
	w.Errors = slices.DeleteFunc(w.Errors, func(text string) bool { return text == "" })
	switch cost := want.take("cost").(type) {
	case nil:
	case int64:
		w.Cost = &cost
	default:
		want.wrong("cost", "an integer", cost)
	}
	if len(w.Errors) > 0 && w.Object != nil {
		want.errorf("object", "a refused request has no object: state error or object")
	}
	return w
}
