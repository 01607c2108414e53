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

// workload is what is measured: every definition below a folder that both sides
// can serve, and every object that both admit.
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
	compiled   map[string]*compiled // by version
}

// compiled is a version, compiled stage by stage by both sides.
type compiled struct {
	real      *kube.Stages
	validator *validation.Validator
	rules     *celrules.Rules
}

type object struct {
	of      *definition
	name    string // of the version
	version *crdsem.Version
	readIn  *crdsem.Version // another version, if there is one

	*compiled

	json    []byte
	yaml    []byte
	clean   map[string]any // decoded and defaulted
	stored  map[string]any // clean, with the metadata of a stored object
	same    map[string]any // a copy of stored
	changed map[string]any // a copy of stored, with one field changed
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
		d := &definition{file: file, text: string(text), compiled: map[string]*compiled{}}
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

// admittedBy reads an object. It returns nil if no definition admits it.
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
	o := &object{
		of:      d,
		name:    version,
		version: v,
		json:    text,
		clean:   runtime.DeepCopyJSON(result.Object),
	}
	o.yaml, err = yaml.JSONToYAML(text)
	must(err)
	o.compiled, err = d.compile(v)
	must(err)
	o.readIn = d.otherThan(v)
	o.stored = kube.Stored(o.clean)
	o.same, o.changed = runtime.DeepCopyJSON(o.stored), runtime.DeepCopyJSON(o.stored)
	updates := func() bool { return d.real.Update(ctx, version, o.changed, o.stored) }
	if !updates() || !changeField(o.changed, updates) {
		return nil // a rule rejects it
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

func (d *definition) compile(v *crdsem.Version) (*compiled, error) {
	if known, ok := d.compiled[v.Name()]; ok {
		return known, nil
	}
	real, err := d.real.Stages(v.Name())
	c := &compiled{
		real:      real,
		validator: validation.Compile(v.Schema()),
		rules:     celrules.Compile(v.Schema()),
	}
	d.compiled[v.Name()] = c
	return c, err
}

// changeField changes one field of an object and keeps the object valid: the
// first string, integer or boolean below spec, or a label if none of them can
// be changed. It reports whether it could change one.
func changeField(object map[string]any, fits func() bool) bool {
	spec, _ := object["spec"].(map[string]any)
	if changeWithin(spec, fits) {
		return true
	}
	metadata, _ := object["metadata"].(map[string]any)
	metadata["labels"] = map[string]any{"touched": "yes"}
	return fits()
}

func changeWithin(fields map[string]any, fits func() bool) bool {
	for _, name := range sortedKeys(fields) {
		before := fields[name]
		switch value := before.(type) {
		case map[string]any:
			if changeWithin(value, fits) {
				return true
			}
			continue
		case string:
			fields[name] = value + "1"
		case int64:
			fields[name] = value + 1
		case bool:
			fields[name] = !value
		default:
			continue
		}
		if fits() {
			return true
		}
		fields[name] = before
	}
	return false
}

// otherThan returns another served version. It returns the same version if
// there is no other, or if a webhook would have to convert.
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
