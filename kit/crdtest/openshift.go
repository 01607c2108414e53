package crdtest

import (
	"fmt"
	"strings"

	"github.com/crdsem/crdsem/kit/crdtest/internal/openshift"
	"github.com/crdsem/crdsem/kit/manifest"
)

// parseOpenShift reads a suite in the format of OpenShift.
func (r *reader) parseOpenShift(doc manifest.Object) (*Suite, error) {
	found, err := r.openShift.Read(doc)
	if err != nil {
		return nil, err
	}
	suite := &Suite{
		Name: found.Name, File: doc.File, CRDName: found.CRDName, CRDFiles: found.CRDFiles,
		Version: found.Version, FeatureGates: found.FeatureGates, gates: found.Gates,
		oneByOne: true,
	}
	for i := range found.OnCreate {
		suite.Cases = append(suite.Cases, onCreate(&found.OnCreate[i]))
	}
	for i := range found.OnUpdate {
		suite.Cases = append(suite.Cases, onUpdate(&found.OnUpdate[i]))
	}
	return suite, nil
}

// onCreate returns the case of a test that creates an object.
func onCreate(test *openshift.Test) Case {
	create := Step{Verb: Create, Object: test.Initial, Want: openShiftWant(test)}
	return Case{Name: "onCreate/" + test.Name, Line: test.Line, Steps: []Step{create}}
}

// onUpdate returns the case of a test that updates an object. The objects are
// sent first without and then with their status.
func onUpdate(test *openshift.Test) Case {
	c := Case{Name: "onUpdate/" + test.Name, Line: test.Line}
	var patches []Patch
	for _, p := range test.CRDPatches {
		patches = append(patches, Patch(p))
	}
	withoutName(test.Updated)
	c.Steps = append(c.Steps, Step{Verb: Create, Object: test.Initial, CRDPatches: patches})
	if test.Initial["status"] != nil {
		c.Steps = append(c.Steps,
			Step{Verb: UpdateStatus, Object: test.Initial, CRDPatches: patches})
	}
	want := openShiftWant(test)
	update := Step{Verb: Update, Object: test.Updated, Want: want}
	if test.Updated["status"] == nil || len(want.Errors) > 0 {
		c.Steps = append(c.Steps, update)
		return c
	}
	update.Want = Want{}
	status := Step{Verb: UpdateStatus, Object: test.Updated, Want: want}
	if test.StatusError != "" {
		status.Want = Want{Errors: []string{test.StatusError}}
	}
	c.Steps = append(c.Steps, update, status)
	return c
}

// openShiftWant returns what both kinds of tests state.
func openShiftWant(test *openshift.Test) Want {
	if test.Error != "" {
		return Want{Errors: []string{test.Error}}
	}
	withoutName(test.Expected)
	return Want{Object: test.Expected}
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
		ok, err := s.gates.Has(crd.annotations(), s.FeatureGates)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", s.File, crd.place(), err)
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
	versions := crd.Versions()
	if len(versions) != 1 {
		return "", s.errorf("name one version of %s: it has %s", crd.place(),
			strings.Join(versions, ", "))
	}
	return versions[0], nil
}
