package generate_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/test/corpus"
	"github.com/crdsem/crdsem/kit/generate"
)

// seeds is how many objects of each kind are made for a version of a real
// definition.
const seeds = 3

// The limits of what can be made for real definitions, by version, and why. A
// test fails if a listed version is no longer one.
var (
	// The schema restricts nothing, or the status only.
	unbreakable = []string{
		"examples.lack.of.rights.yaml v1",
		"inferencepoolimports.inference.networking.x-k8s.io.yaml v1alpha1",
		"myresources.example.io.yaml v1alpha1",
		"useds.example.org.yaml v1alpha1", "usings.example.org.yaml v1alpha1",
	}
	// Every object keeps the junctor: a provider is there, or it is not.
	unbreakableKeywords = []string{
		authorizationPolicies + "--manifest-generate-output.yaml v1 oneOf",
		authorizationPolicies + "--manifest-generate-output.yaml v1beta1 oneOf",
		authorizationPolicies + ".yaml v1 oneOf", authorizationPolicies + ".yaml v1beta1 oneOf",
	}
	// An update can change nothing but the labels.
	labelsOnly = []string{
		// There is nothing but metadata and status.
		"inferencepoolimports.inference.networking.x-k8s.io.yaml v1alpha1",
		"useds.example.org.yaml v1alpha1", "usings.example.org.yaml v1alpha1",
		// The spec has no fields.
		"crdupgradetestas" + upgradeTests + ".yaml v2beta1",
		"crdupgradetestbs" + upgradeTests + "--v1-crds.yaml v2beta1",
		"crdupgradetestbs" + upgradeTests + ".yaml v2beta1",
		"crdupgradetestbs" + upgradeTests + ".yaml v2beta2",
		"crdupgradetestcs" + upgradeTests + ".yaml v2beta2",
		"crdupgradetestds" + upgradeTests + ".yaml v2beta1",
		"uuids.generators.external-secrets.io.yaml v1alpha1",
		// No spec is valid: a required int32 has a maximum that is no int32.
		"bgppeers.metallb.io.yaml v1beta1", "bgppeers.metallb.io.yaml v1beta2",
		// No spec is valid: a rule reads fields that may be absent, and another
		// rule forbids to set both.
		"upstreams.gateway.kgateway.dev.yaml v1alpha1",
		// The spec must not change (self == oldSelf).
		"topologies.kueue.x-k8s.io.yaml v1beta1", "topologies.kueue.x-k8s.io.yaml v1beta2",
	}
)

const (
	authorizationPolicies = "authorizationpolicies.security.istio.io"
	upgradeTests          = ".crd-upgrades.helmreleases.helm.toolkit.fluxcd.io"
)

// definitionFile is one version of a real definition.
type definitionFile struct {
	name    string // of the file and the version
	data    []byte
	version *crdsem.Version
	schema  map[string]any
	status  bool // is a subresource
}

// definitions returns the served versions of the real definitions; the test is
// skipped where there are none.
func definitions(t *testing.T) (all []definitionFile) {
	t.Helper()
	for _, file := range corpus.Definitions(t) {
		all = append(all, versionsOf(t, file)...)
	}
	return all
}

func versionsOf(t *testing.T, file corpus.File) (versions []definitionFile) {
	t.Helper()
	def, err := crdsem.Parse(file.Text)
	if err != nil {
		t.Fatalf("%s: %v", file.Name(), err)
	}
	document, _, err := jsonvalue.DecodeObject(file.Text)
	if err != nil {
		t.Fatalf("%s: %v", file.Name(), err)
	}
	declared, _ := document["spec"].(map[string]any)["versions"].([]any)
	for i, v := range def.Model().Versions() {
		if !v.Served {
			continue
		}
		version, err := def.Version(v.Name)
		if err != nil {
			t.Fatalf("%s: %v", file.Name(), err)
		}
		holder, _ := declared[i].(map[string]any)["schema"].(map[string]any)
		schema, _ := holder["openAPIV3Schema"].(map[string]any)
		versions = append(versions,
			definitionFile{file.Name() + " " + v.Name, file.Text, version, schema, v.HasStatus})
	}
	return versions
}

func (d *definitionFile) resources(t *testing.T) *generate.Resources {
	t.Helper()
	resources, err := generate.ParseResources(d.data, d.version.Name())
	if err != nil {
		t.Fatalf("%s: %v", d.name, err)
	}
	return resources
}

// tally counts what was made of the corpus.
type tally struct {
	valid, boundary, updates, statuses       int
	broken, brokenUpdates, brokenStatuses    int
	values                                   int
	unbreakable, labelsOnly, withoutStatuses map[string]bool
}

// For real definitions, valid objects are admitted by a whole request, rules
// included and nothing pruned. Broken objects are refused at the path of the
// breakage, with an error of its type. All exceptions are listed above.
func TestCorpus(t *testing.T) {
	c := tally{
		unbreakable:     map[string]bool{},
		labelsOnly:      map[string]bool{},
		withoutStatuses: map[string]bool{},
	}
	versions := definitions(t)
	for i := range versions {
		d := &versions[i]
		resources := d.resources(t)
		for seed := range uint64(seeds) {
			r := generate.NewRand(seed)
			object := c.creates(t, d, resources, r)
			c.updatesOf(t, d, resources, r, object)
			c.statusesOf(t, d, resources, r, object)
		}
	}
	t.Logf(
		"%d versions: %d valid, %d boundary, %d updates, %d status updates; "+
			"broken: %d, %d updates, %d status updates; a valid object has %d values on average",
		len(versions),
		c.valid,
		c.boundary,
		c.updates,
		c.statuses,
		c.broken,
		c.brokenUpdates,
		c.brokenStatuses,
		c.values/max(1, c.valid),
	)
	t.Logf("%d versions have a status that the schema does not declare", len(c.withoutStatuses))
	same(t, "versions of which nothing can be broken", c.unbreakable, unbreakable)
	same(t, "versions of which only labels can be updated", c.labelsOnly, labelsOnly)
	if c.values < 20*c.valid {
		t.Error("valid objects are next to empty")
	}
}

func same(t *testing.T, what string, got map[string]bool, want []string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if !slices.Contains(want, name) {
			t.Errorf("%s: %s is one", what, name)
		}
	}
	for _, name := range want {
		if !got[name] {
			t.Errorf("%s: %s is no longer one", what, name)
		}
	}
}

// creates makes new objects and returns a valid one.
func (c *tally) creates(
	t *testing.T, d *definitionFile, resources *generate.Resources, r *rand.Rand,
) map[string]any {
	t.Helper()
	boundary, err := resources.Boundary(r)
	if made(t, d.name+" boundary", err) {
		c.boundary++
		admitted(t, d.name+" boundary",
			d.version.Create(context.Background(), boundary, strict), boundary)
	}
	object, err := resources.Valid(r)
	if !made(t, d.name, err) {
		t.FailNow()
	}
	c.valid++
	c.values += size(object)
	admitted(t, d.name, d.version.Create(context.Background(), object, strict), object)
	broken, breakage, err := resources.Broken(r)
	if nothing(err) {
		c.unbreakable[d.name] = true
		acceptsAnything(t, d, resources)
	} else if made(t, d.name+" broken", err) {
		c.broken++
		refused(t, d.name, d.version.Create(context.Background(), broken), breakage, broken)
	}
	return object
}

// acceptsAnything asks whether a schema that no object could be made to break
// can be broken at all.
func acceptsAnything(t *testing.T, d *definitionFile, resources *generate.Resources) {
	t.Helper()
	r := generate.NewRand(1)
	for range 50 {
		object, _ := generate.Wild(r, d.version.Schema()).(map[string]any)
		if object == nil {
			object = map[string]any{}
		}
		object["apiVersion"], object["kind"] = d.version.APIVersion(), resources.Identity().Kind
		object["metadata"] = map[string]any{"name": "a", "namespace": "default"}
		if result := d.version.Create(context.Background(), object); !result.Admitted() {
			t.Errorf("%s: no keyword can be broken, but it refuses an object: %v %v", d.name,
				result.Err(), result.Errors)
			return
		}
	}
}

func (c *tally) updatesOf(
	t *testing.T,
	d *definitionFile,
	resources *generate.Resources,
	r *rand.Rand,
	old map[string]any,
) {
	t.Helper()
	update, err := resources.Update(r, old)
	if made(t, d.name+" update", err) {
		c.updates++
		admitted(t, d.name+" update",
			d.version.Update(context.Background(), update, old, strict), update)
		if !reflect.DeepEqual(update["metadata"], old["metadata"]) {
			c.labelsOnly[d.name] = true
		}
		if reflect.DeepEqual(update, old) {
			t.Errorf("%s: an update changes nothing", d.name)
		}
	}
	broken, breakage, err := resources.BrokenUpdate(r, old)
	if !nothing(err) && made(t, d.name+" broken update", err) {
		c.brokenUpdates++
		refused(t, d.name+" update", d.version.Update(context.Background(), broken, old), breakage,
			broken)
	}
}

func (c *tally) statusesOf(
	t *testing.T,
	d *definitionFile,
	resources *generate.Resources,
	r *rand.Rand,
	old map[string]any,
) {
	t.Helper()
	update, err := resources.UpdateStatus(r, old)
	if without := d.withoutStatus(); without || !d.status {
		if err == nil {
			t.Errorf("%s: there is no status to update, but %v is called an update of it", d.name,
				update)
		}
		if without && d.status {
			c.withoutStatuses[d.name] = true
		}
		return
	}
	if made(t, d.name+" status", err) {
		c.statuses++
		admitted(t, d.name+" status",
			d.version.UpdateStatus(context.Background(), update, old, strict), update)
	}
	broken, breakage, err := resources.BrokenStatus(r, old)
	if !nothing(err) && made(t, d.name+" broken status", err) {
		c.brokenStatuses++
		refused(t, d.name+" status", d.version.UpdateStatus(context.Background(), broken, old),
			breakage, broken)
	}
}

// withoutStatus reports whether the schema has no status, so that one is
// pruned.
func (d *definitionFile) withoutStatus() bool {
	properties, _ := d.schema["properties"].(map[string]any)
	return properties["status"] == nil && d.schema["x-kubernetes-preserve-unknown-fields"] == nil
}

// nothing reports whether an error says that a schema has no keyword that can
// be broken.
func nothing(err error) bool {
	var unmade *generate.UnmadeError
	return errors.As(err, &unmade) && unmade.Wanted == "object that can be broken" &&
		unmade.Errors == nil &&
		unmade.Err == nil
}

func made(t *testing.T, what string, err error) bool {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v", what, err)
	}
	return err == nil
}

func admitted(t *testing.T, at string, result *crdsem.Result, object map[string]any) {
	t.Helper()
	if !result.Admitted() || len(result.Pruned) > 0 {
		t.Errorf("%s: refused: %v %v, pruned %q\n%s", at, result.Err(), result.Errors,
			result.Pruned, text(object))
	}
}

// refused checks that there is an error of the type and at the path of the
// breakage. Errors of junctors and of the formats of numbers are reported at
// the root, with the path in their text.
func refused(
	t *testing.T,
	at string,
	result *crdsem.Result,
	broken generate.Breakage,
	object map[string]any,
) {
	t.Helper()
	for _, err := range result.Errors {
		names := err.Field == "<nil>" && strings.Contains(err.Detail, broken.Path)
		if err.Type == broken.Type && (err.Field == broken.Path || names) {
			return
		}
	}
	t.Errorf("%s: %s at %q is not refused: %v %v\n%s", at, broken.Keyword, broken.Path,
		result.Err(), result.Errors, text(object))
}

func text(object map[string]any) string {
	data, err := json.Marshal(object)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// size counts the values in a value.
func size(v any) int {
	n := 1
	switch v := v.(type) {
	case map[string]any:
		for _, member := range v {
			n += size(member)
		}
	case []any:
		for _, item := range v {
			n += size(item)
		}
	}
	return n
}
