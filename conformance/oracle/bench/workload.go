package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/conformance/oracle/kube"
	"github.com/crdsem/crdsem/validation"
)

// workload is what is measured: every definition below a folder that both sides can serve, and every object that both admit.
type workload struct {
	definitions []*definition
	objects     []*object
	ruled       []*object // those whose version has rules
	withStatus  []*object // those whose version has the status subresource
	bytes       int
}

type definition struct {
	file, text string
	real       *kube.Serving
	ours       *crdsem.Definition
	stages     map[string]*kube.Stages // by version, as are those below
	checks     map[string]checks
}

type checks struct {
	validator *validation.Validator
	rules     *celrules.Rules
}

type object struct {
	of      *definition
	name    string // of the version
	version *crdsem.Version
	readIn  *crdsem.Version // another version, if there is one

	stages    *kube.Stages
	validator *validation.Validator
	rules     *celrules.Rules

	json    []byte
	yaml    []byte
	clean   map[string]any // decoded and defaulted
	stored  map[string]any // clean, with what a stored object has
	changed map[string]any // stored, with one field changed
}

func loadWorkload(ctx context.Context, folder string) (*workload, error) {
	w := &workload{}
	files, err := filepath.Glob(filepath.Join(folder, "*", "crds", "*.yaml"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no definitions in %s", folder)
	}
	byKind := map[string]*definition{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		d := &definition{file: file, text: string(text), stages: map[string]*kube.Stages{}, checks: map[string]checks{}}
		if d.real, err = kube.NewServing(d.text); err != nil {
			continue // its converter is a webhook
		}
		if d.ours, err = crdsem.Parse(text); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		w.definitions = append(w.definitions, d)
		model := d.ours.Model()
		byKind[model.Group()+"/"+model.Names().Kind] = d
	}
	objects, err := filepath.Glob(filepath.Join(folder, "*", "objects", "*.yaml"))
	if err != nil {
		return nil, err
	}
	sort.Strings(objects)
	for _, file := range objects {
		if o := admittedBy(ctx, file, byKind); o != nil {
			w.add(o)
		}
	}
	return w, nil
}

// admittedBy reads an object; nil if no definition takes it.
func admittedBy(ctx context.Context, file string, byKind map[string]*definition) *object {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	var content map[string]any
	if text, err = yaml.YAMLToJSON(text); err != nil || json.Unmarshal(text, &content) != nil {
		return nil
	}
	apiVersion, _ := content["apiVersion"].(string)
	kind, _ := content["kind"].(string)
	group, version, _ := strings.Cut(apiVersion, "/")
	d := byKind[group+"/"+kind]
	if d == nil || !d.real.Serves(version) {
		return nil
	}
	v, err := d.ours.Version(version)
	if err != nil {
		return nil
	}
	result := v.CreateBytes(ctx, text)
	if ok, _ := d.real.CreateJSON(ctx, version, text); !ok || !result.Admitted() {
		return nil
	}
	o := &object{of: d, name: version, version: v, json: text, clean: runtime.DeepCopyJSON(result.Object)}
	o.yaml, err = yaml.JSONToYAML(text)
	must(err)
	o.stages, err = d.stagesOf(version)
	must(err)
	o.validator, o.rules = d.checksOf(v)
	o.readIn = d.otherThan(v)
	o.stored = kube.Stored(o.clean)
	o.changed = runtime.DeepCopyJSON(o.stored)
	metadata := o.changed["metadata"].(map[string]any)
	metadata["labels"] = map[string]any{"touched": "yes"}
	if !d.real.Update(ctx, version, o.stored, o.stored) || !d.real.Update(ctx, version, o.changed, o.stored) {
		return nil // a rule forbids it
	}
	return o
}

func (w *workload) add(o *object) {
	w.objects = append(w.objects, o)
	w.bytes += len(o.json)
	if !o.rules.Empty() {
		w.ruled = append(w.ruled, o)
	}
	if o.of.real.HasStatus(o.name) {
		w.withStatus = append(w.withStatus, o)
	}
}

func (d *definition) stagesOf(version string) (*kube.Stages, error) {
	if known, ok := d.stages[version]; ok {
		return known, nil
	}
	s, err := d.real.Stages(version)
	d.stages[version] = s
	return s, err
}

// checksOf returns what validates objects of a version, ready.
func (d *definition) checksOf(v *crdsem.Version) (*validation.Validator, *celrules.Rules) {
	known, ok := d.checks[v.Name()]
	if !ok {
		known = checks{validation.Compile(v.Schema()), celrules.Compile(v.Schema())}
		known.rules.Prepare()
		d.checks[v.Name()] = known
	}
	return known.validator, known.rules
}

// otherThan returns another served version, or the same if it is the only one or a webhook would have to convert.
func (d *definition) otherThan(v *crdsem.Version) *crdsem.Version {
	if d.ours.Model().Conversion().Webhook != nil {
		return v
	}
	for _, other := range d.ours.Model().Versions() {
		if other.Served && other.Name != v.Name() {
			version, err := d.ours.Version(other.Name)
			must(err)
			return version
		}
	}
	return v
}
