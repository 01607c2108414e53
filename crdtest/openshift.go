package crdtest

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// parseOpenShift reads a suite in the format of OpenShift; see
// https://github.com/openshift/api/blob/master/tests/README.md. Fields that
// the format does not have are ignored, as there.
func (r *reader) parseOpenShift(doc decoded) (suite *Suite, err error) {
	file := doc.File
	root := newFields(doc, &err)
	suite = &Suite{
		Name: root.text("name"), File: file, CRDName: root.text("crdName"),
		Version: root.text("version"), FeatureGates: root.texts("featureGates"),
		oneByOne: true,
	}
	folder := filepath.Dir(file)
	if crd := root.text("crd"); crd != "" {
		suite.CRDFiles = []string{filepath.Join(folder, crd)}
	}
	generated := filepath.Join(folder, "..", "..", "zz_generated.crd-manifests")
	if info, err := os.Stat(generated); len(suite.CRDFiles) == 0 && err == nil && info.IsDir() {
		suite.CRDFiles = []string{generated}
	}
	if len(suite.FeatureGates) > 0 {
		if suite.gates, err = r.gatesNear(folder); err != nil {
			return nil, err
		}
	}
	tests := root.inner("tests")
	for _, test := range tests.list("onCreate") {
		suite.Cases = append(suite.Cases, onCreate(test))
	}
	for _, test := range tests.list("onUpdate") {
		suite.Cases = append(suite.Cases, onUpdate(test))
	}
	if err == nil && suite.CRDName == "" && len(suite.CRDFiles) == 0 {
		root.errorf("", "neither crdName nor crd says which definition is tested")
	}
	return suite, err
}

// onCreate reads a test that creates an object.
func onCreate(test *fields) Case {
	create := Step{Verb: Create, Object: test.manifest("initial"), Want: openShiftWant(test)}
	return Case{
		Name: "onCreate/" + test.text("name"), Line: test.line(), Steps: []Step{create},
	}
}

// onUpdate reads a test that updates an object. The objects are sent first
// without and then with their status.
func onUpdate(test *fields) Case {
	c := Case{Name: "onUpdate/" + test.text("name"), Line: test.line()}
	var patches []Patch
	for _, p := range test.list("initialCRDPatches") {
		patch := Patch{Op: p.text("op"), Path: p.text("path"), Value: p.take("value")}
		patches = append(patches, patch)
	}
	initial, updated := test.manifest("initial"), test.manifest("updated")
	withoutName(updated)
	c.Steps = append(c.Steps, Step{Verb: Create, Object: initial, CRDPatches: patches})
	if initial["status"] != nil {
		c.Steps = append(c.Steps, Step{Verb: UpdateStatus, Object: initial, CRDPatches: patches})
	}
	want := openShiftWant(test)
	statusError := test.text("expectedStatusError")
	update := Step{Verb: Update, Object: updated, Want: want}
	if updated["status"] == nil || len(want.Errors) > 0 {
		c.Steps = append(c.Steps, update)
		return c
	}
	update.Want = Want{}
	status := Step{Verb: UpdateStatus, Object: updated, Want: want}
	if statusError != "" {
		status.Want = Want{Errors: []string{statusError}}
	}
	c.Steps = append(c.Steps, update, status)
	return c
}

// openShiftWant reads what both kinds of tests state.
func openShiftWant(test *fields) Want {
	if text := test.text("expectedError"); text != "" {
		return Want{Errors: []string{text}}
	}
	if test.object["expected"] == nil {
		return Want{}
	}
	object := test.manifest("expected")
	withoutName(object)
	return Want{Object: object}
}

// manifest reads a field that holds YAML as a string.
func (f *fields) manifest(key string) map[string]any {
	object, _, err := jsonvalue.DecodeObject([]byte(f.text(key)))
	if err != nil {
		f.errorf(key, "%v", err)
		return map[string]any{}
	}
	return object
}

// withoutName removes the metadata that the format ignores.
func withoutName(object map[string]any) {
	if metadata, ok := object["metadata"].(map[string]any); ok {
		for _, key := range serverMetadata {
			delete(metadata, key)
		}
	}
}

// variants returns the definitions that a suite is run with, each by itself.
func (s *Suite) variants(crds []*CRD) ([]*CRD, error) {
	var all []*CRD
	for _, crd := range crds {
		if s.CRDName != "" && crd.Name() != s.CRDName {
			continue
		}
		ok, err := s.hasGates(crd)
		if err != nil {
			return nil, err
		}
		if ok {
			all = append(all, crd)
		}
	}
	return all, nil
}

// versionFor returns the only version of the definition for a suite of
// OpenShift that names none.
func (s *Suite) versionFor(crd *CRD) (string, error) {
	if s.Version != "" {
		return s.Version, nil
	}
	versions := crd.versions()
	if len(versions) != 1 {
		return "", s.errorf("name one version of %s: it has %s", crd.place(),
			strings.Join(versions, ", "))
	}
	return versions[0], nil
}
