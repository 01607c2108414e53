// Package openshift reads suites of OpenShift's tests, and the lists that say
// which feature gates a definition has. See
// https://github.com/openshift/api/blob/master/tests/README.md.
package openshift

import (
	"os"
	"path/filepath"

	"github.com/crdsem/crdsem/kit/crdtest/internal/source"
	"github.com/crdsem/crdsem/kit/manifest"
)

// Suite is a suite of OpenShift.
type Suite struct {
	Name string
	// CRDName is metadata.name of the definitions that it is run with. CRDFiles
	// are files and folders that hold them; without any they are given.
	CRDName  string
	CRDFiles []string
	// Version is the only version to be served. It is empty if the definition
	// has one version.
	Version string
	// FeatureGates are on in the definitions that the suite is run with, or off
	// with a - before the name. Gates are those of the suite's repository.
	FeatureGates []string
	Gates        *Gates

	OnCreate, OnUpdate []Test
}

// Test is one test of a suite. Its objects are nil if they are not stated.
type Test struct {
	Name string
	Line int
	// CRDPatches change the definition while the initial object is created.
	CRDPatches []Patch
	// Initial is created. Of a test on update, Updated replaces it.
	Initial, Updated map[string]any
	// Expected is what a client then reads.
	Expected map[string]any
	// Error is a text of the error of the last request, StatusError that of the
	// update of the status; empty without an error.
	Error, StatusError string
}

// Patch is an operation of a JSON patch.
type Patch struct {
	Op, Path string
	Value    any
}

// Reader reads suites, and each list of feature gates once. The zero value is
// ready for use.
type Reader struct{ gates map[string]*Gates }

// Read reads a suite. Fields that the format does not have are ignored, as by
// OpenShift's own tests.
func (r *Reader) Read(doc manifest.Object) (suite *Suite, err error) {
	root := source.NewFields(doc, &err)
	suite = &Suite{
		Name: root.Text("name"), CRDName: root.Text("crdName"), Version: root.Text("version"),
		FeatureGates: root.Texts("featureGates"),
	}
	folder := filepath.Dir(doc.File)
	if crd := root.Text("crd"); crd != "" {
		suite.CRDFiles = []string{filepath.Join(folder, crd)}
	}
	generated := filepath.Join(folder, "..", "..", "zz_generated.crd-manifests")
	if info, err := os.Stat(generated); len(suite.CRDFiles) == 0 && err == nil && info.IsDir() {
		suite.CRDFiles = []string{generated}
	}
	if len(suite.FeatureGates) > 0 {
		if suite.Gates, err = r.gatesNear(folder); err != nil {
			return nil, err
		}
	}
	tests := root.Inner("tests")
	for _, test := range tests.List("onCreate") {
		suite.OnCreate = append(suite.OnCreate, readTest(test))
	}
	for _, test := range tests.List("onUpdate") {
		t := readTest(test)
		t.Updated = test.Manifest("updated")
		suite.OnUpdate = append(suite.OnUpdate, t)
	}
	if suite.CRDName == "" && len(suite.CRDFiles) == 0 {
		root.Errorf("", "neither crdName nor crd says which definition is tested")
	}
	return suite, err
}

// readTest reads what tests on create and on update have.
func readTest(test *source.Fields) Test {
	t := Test{
		Name: test.Text("name"), Line: test.Line(), Initial: test.Manifest("initial"),
		Error: test.Text("expectedError"), StatusError: test.Text("expectedStatusError"),
	}
	if t.Error == "" && test.Take("expected") != nil {
		t.Expected = test.Manifest("expected")
	}
	for _, p := range test.List("initialCRDPatches") {
		patch := Patch{Op: p.Text("op"), Path: p.Text("path"), Value: p.Take("value")}
		t.CRDPatches = append(t.CRDPatches, patch)
	}
	return t
}
