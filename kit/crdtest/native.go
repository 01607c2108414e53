package crdtest

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/kit/crdtest/internal/source"
	"github.com/crdsem/crdsem/kit/manifest"
)

// nativeSuffix ends the names of files in the format of this package.
const nativeSuffix = ".crdtest"

// isNative reports whether a file is in the format of this package.
func isNative(file string) bool { return strings.HasSuffix(stem(file), nativeSuffix) }

// parseNative reads a suite in the format of this package.
func parseNative(doc manifest.Object) (suite *Suite, err error) {
	if len(doc.Strict) > 0 {
		return nil, doc.Strict[0]
	}
	file := doc.File
	root := source.NewFields(doc, &err)
	suite = &Suite{Name: root.Text("name"), File: file}
	if suite.Name == "" {
		suite.Name = strings.TrimSuffix(stem(file), nativeSuffix)
	}
	for _, path := range root.Texts("crds") {
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(file), path)
		}
		suite.CRDFiles = append(suite.CRDFiles, path)
	}
	suite.Kubernetes = minorsAt(root)
	suite.FieldValidation = fieldValidationAt(root)
	for _, test := range root.List("cases") {
		suite.Cases = append(suite.Cases, parseCase(test))
	}
	root.Done()
	return suite, err
}

// parseCase reads a case. A case with one step may have its fields itself.
func parseCase(test *source.Fields) Case {
	c := Case{Name: test.Text("name"), Line: test.Line(), Stored: test.Object("stored")}
	c.Kubernetes = minorsAt(test)
	if c.Name == "" {
		test.Errorf("", "the case has no name")
	}
	for _, step := range test.List("steps") {
		c.Steps = append(c.Steps, parseStep(step))
		step.Done()
	}
	if len(c.Steps) == 0 {
		c.Steps = []Step{parseStep(test)}
	}
	test.Done()
	return c
}

// parseStep reads a verb with its object, and what is stated.
func parseStep(step *source.Fields) Step {
	s := Step{Line: step.Line(), path: step.Path()}
	for _, verb := range verbs {
		if body := bodyOf(step, verb); body != nil {
			setVerb(step, &s, verb)
			s.Object = body
		}
	}
	if version := step.Text(string(Read)); version != "" {
		setVerb(step, &s, Read)
		s.Version = version
	}
	switch {
	case s.Verb == "":
		step.Errorf("", "say what is done: one of %v", append(slices.Clone(verbs), Read))
	case s.Verb.isPatch():
		s.Version = step.Text("version")
	}
	if s.Verb != Read && s.Verb != Convert {
		s.Manager = step.Text("manager")
	}
	if s.Verb.isApply() {
		s.Force = step.Bool("force")
	}
	for _, p := range step.List("crdPatches") {
		patch := Patch{Op: p.Text("op"), Path: p.Text("path"), Value: p.Take("value")}
		s.CRDPatches = append(s.CRDPatches, patch)
		p.Done()
	}
	if want := step.Inner("want"); want != nil {
		s.Want = parseWant(want)
		want.Done()
	}
	return s
}

// bodyOf returns the body of a verb, nil if the step does not have it. Only a
// patch may be a list.
func bodyOf(step *source.Fields, verb Verb) any {
	if list, isList := step.Take(string(verb)).([]any); isList && verb.isPatch() {
		return list
	}
	if object := step.Object(string(verb)); object != nil {
		return object
	}
	return nil
}

// setVerb sets the verb of a step, which must not have one.
func setVerb(step *source.Fields, s *Step, verb Verb) {
	if s.Verb != "" {
		step.Errorf(string(verb), "a step does one thing, and this one has %s already", s.Verb)
	}
	s.Verb = verb
}

func parseWant(want *source.Fields) Want {
	w := Want{
		Errors: want.Texts("error"), Object: want.Object("object"),
		Warnings: want.Texts("warnings"), Ratcheted: want.Texts("ratcheted"),
		MayLose: want.Texts("mayLose"),
	}
	if versions := want.Inner("versions"); versions != nil {
		w.Versions = map[string]map[string]any{}
		for _, name := range versions.Keys() {
			w.Versions[name] = versions.Object(name)
		}
	}
	w.Errors = slices.DeleteFunc(w.Errors, func(text string) bool { return text == "" })
	switch cost := want.Take("cost").(type) {
	case nil:
	case int64:
		w.Cost = &cost
	default:
		want.Wrong("cost", "an integer", cost)
	}
	if len(w.Errors) > 0 && w.Object != nil {
		want.Errorf("object", "a refused request has no object: state error or object")
	}
	return w
}

// minorsAt returns the text that names minor versions of Kubernetes.
func minorsAt(fields *source.Fields) string {
	const key = "kubernetes"
	text := fields.Text(key)
	if _, err := minorsOf(text); err != nil {
		fields.ValueErrorf(key, "%v", err)
	}
	return text
}

// fieldValidationAt returns the level of field validation of a suite.
func fieldValidationAt(root *source.Fields) crdsem.Strictness {
	const key = "fieldValidation"
	level := crdsem.Strictness(root.Text(key))
	if err := checkFieldValidation(level); err != nil {
		root.ValueErrorf(key, "%v", err)
	}
	return level
}
