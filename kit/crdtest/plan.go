package crdtest

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/minors"
)

// planner finds the definitions of suites.
type planner struct {
	given   *server
	cache   *crdsem.Cache
	folders map[string][]*CRD
	loaded  map[string]*server
	jobs    []*Job
}

// Jobs returns the cases of suites with the definitions that they are run with,
// for programs that look at each request, or run cases again with a changed
// definition. [Execute] runs them all. A suite that cannot be run is one job
// that fails.
//
// crds are the definitions for the suites that have no definitions of their
// own; see [Suite.CRDFiles].
func Jobs(crds []*CRD, suites []*Suite) []*Job {
	cache := &crdsem.Cache{}
	p := &planner{
		given: newServer(crds, "", cache), cache: cache,
		folders: map[string][]*CRD{}, loaded: map[string]*server{},
	}
	for _, suite := range suites {
		if err := p.addSuite(suite); err != nil {
			c := &Case{Name: "definitions"}
			p.jobs = append(p.jobs, &Job{suite: suite, c: c, name: suite.Name, err: err})
		}
	}
	return p.jobs
}

func (p *planner) addSuite(suite *Suite) error {
	if suite.skip != "" {
		why := skipped{errors.New(suite.skip)}
		for i := range suite.Cases {
			c := &suite.Cases[i]
			p.jobs = append(p.jobs, &Job{suite: suite, c: c, name: suite.Name, err: why})
		}
		return nil
	}
	if err := checkFieldValidation(suite.FieldValidation); err != nil {
		return suite.errorf("%w", err)
	}
	all, err := p.serverOf(suite)
	if err != nil {
		return err
	}
	all = p.withWebhook(all, suite)
	if suite.CRDName == "" && suite.Version == "" && !suite.oneByOne {
		return p.addJobs(suite, all, suite.Name)
	}
	variants, err := suite.variants(all.crds)
	if err != nil {
		return err
	}
	if len(variants) == 0 {
		return suite.errorf("no definition %s is given%s", suite.CRDName,
			forGates(suite.FeatureGates))
	}
	for _, crd := range variants {
		version, err := suite.versionFor(crd)
		if err != nil {
			return err
		}
		name := suite.Name
		if len(variants) > 1 {
			name += "/" + strings.TrimSuffix(stem(crd.File), ".crd")
		}
		server := p.withWebhook(p.serverFor(crd, version), suite)
		if err := p.addJobs(suite, server, name); err != nil {
			return err
		}
	}
	return nil
}

// forGates names feature gates in a message.
func forGates(gates []string) string {
	if len(gates) == 0 {
		return ""
	}
	return fmt.Sprintf(" that has the feature gates %v", gates)
}

// addJobs adds the cases of a suite, once for each of its minors. A case that
// runs with none of them is skipped.
func (p *planner) addJobs(suite *Suite, server *server, name string) error {
	runs, err := p.runsOf(Job{suite: suite, server: server, name: name})
	if err != nil {
		return err
	}
	before := len(p.jobs)
	for _, run := range runs {
		if err := p.addJobsOf(run); err != nil {
			return err
		}
	}
	added := map[*Case]bool{}
	for i := range p.jobs[before:] {
		added[p.jobs[before+i].c] = true
	}
	for i := range suite.Cases {
		if c := &suite.Cases[i]; !added[c] {
			why := skipped{fmt.Errorf("it is for Kubernetes %s, and the suite is run with %s",
				c.Kubernetes, cmp.Or(suite.Kubernetes, server.minorOrNewest().String()))}
			p.jobs = append(p.jobs, &Job{suite: suite, c: c, server: server, name: name, err: why})
		}
	}
	return nil
}

// runsOf returns the runs of a suite: one with the newest minor, or one for
// each of its minors. Both the argument and the results have no case.
func (p *planner) runsOf(suite Job) ([]Job, error) {
	if suite.suite.Kubernetes == "" {
		return []Job{suite}, nil
	}
	all, err := minorsOf(suite.suite.Kubernetes)
	if err != nil {
		return nil, suite.suite.errorf("%w", err)
	}
	runs := make([]Job, len(all))
	for i, minor := range all {
		runs[i] = suite
		runs[i].server = p.serverOfMinor(suite.server, minor)
		runs[i].minor = minor.String()
		runs[i].name += "/" + runs[i].minor
	}
	return runs, nil
}

// addJobsOf adds the cases of a suite that are run with a server of one minor.
// The argument is a job without a case.
func (p *planner) addJobsOf(j Job) error {
	for i := range j.suite.Cases {
		j.c = &j.suite.Cases[i]
		only, err := minorsOf(j.c.Kubernetes)
		if err != nil {
			return j.suite.errorf("%s: %w", j.c.Name, err)
		}
		if j.c.Kubernetes == "" || slices.Contains(only, j.server.minorOrNewest()) {
			run := j
			p.jobs = append(p.jobs, &run)
		}
	}
	return nil
}

// serverOfMinor returns the server of a minor with the definitions of another.
func (p *planner) serverOfMinor(of *server, minor minors.Minor) *server {
	key := fmt.Sprintf("%p %s", of, minor)
	if p.loaded[key] == nil {
		p.loaded[key] = of.of(minor)
	}
	return p.loaded[key]
}

// withWebhook returns a server with the webhook of a suite, if it has one.
func (p *planner) withWebhook(of *server, suite *Suite) *server {
	if suite.Webhook == nil {
		return of
	}
	key := fmt.Sprintf("%p by %p", of, suite.Webhook)
	if p.loaded[key] == nil {
		p.loaded[key] = of.with(suite.Webhook)
	}
	return p.loaded[key]
}

// minorsOf returns the minors of a text, nil for an empty one.
func minorsOf(text string) ([]minors.Minor, error) {
	if text == "" {
		return nil, nil
	}
	return minors.ParseRange(text)
}

// serverOf returns the server with the suite's own definitions or, if it has
// none, with those that were given.
func (p *planner) serverOf(suite *Suite) (*server, error) {
	if len(suite.CRDFiles) == 0 {
		return p.given, nil
	}
	key := strings.Join(suite.CRDFiles, "\n")
	if found := p.loaded[key]; found != nil {
		return found, nil
	}
	var crds []*CRD
	for _, path := range suite.CRDFiles {
		found, err := p.read(path)
		if err != nil {
			return nil, err
		}
		crds = append(crds, found...)
	}
	p.loaded[key] = newServer(crds, "", p.cache)
	return p.loaded[key], nil
}

// read reads the definitions of a path once. A definition that was given is
// taken instead of reading it again, because it may have options.
func (p *planner) read(path string) ([]*CRD, error) {
	path = filepath.Clean(path)
	if found := p.folders[path]; found != nil {
		return found, nil
	}
	found, err := ReadCRDs(path)
	if err != nil {
		return nil, err
	}
	for i, crd := range found {
		for _, given := range p.given.crds {
			if filepath.Clean(given.File) == crd.File && given.source.Line == crd.source.Line &&
				given.source.Item == crd.source.Item {
				found[i] = given
			}
		}
	}
	p.folders[path] = found
	return found, nil
}

// serverFor returns the server with one version of one definition.
func (p *planner) serverFor(crd *CRD, version string) *server {
	key := fmt.Sprintf("%p %s", crd, version)
	if p.loaded[key] == nil {
		p.loaded[key] = newServer([]*CRD{crd}, version, p.cache)
	}
	return p.loaded[key]
}
