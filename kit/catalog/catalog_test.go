package catalog_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/kit/catalog"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/minors"
)

// crd returns the text of a definition.
func crd(group, kind, plural string) string {
	return fmt.Sprintf(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: %[3]s.%[1]s}
spec:
  group: %[1]s
  scope: Cluster
  names: {kind: %[2]s, plural: %[3]s}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
`, group, kind, plural)
}

// read returns a catalog of definitions, and the warnings.
func read(t *testing.T, texts ...string) (*catalog.Catalog, []string) {
	t.Helper()
	c := catalog.New()
	duplicates, err := c.Read("crds.yaml", strings.NewReader(strings.Join(texts, "---")))
	if err != nil {
		t.Fatal(err)
	}
	var warnings []string
	for _, d := range duplicates {
		warnings = append(warnings, d.Error())
	}
	return c, warnings
}

func object(apiVersion, kind string) map[string]any {
	return map[string]any{"apiVersion": apiVersion, "kind": kind}
}

// An object finds its definition, or what was meant.
func TestOf(t *testing.T) {
	c, _ := read(t, crd("a.io", "CronTab", "crontabs"), crd("b.io", "Shirt", "shirts"))
	for _, test := range []struct{ apiVersion, kind, want string }{
		{"a.io/v1", "CronTab", ""},
		{"a.io/v2", "CronTab", `crontabs.a.io does not serve version "v2"`},
		{"a.io/v1", "Crontab", "no definition of a.io/v1 Crontab was given; did you mean `CronTab`?"},
		{"c.io/v1", "CronTab", "no definition of c.io/v1 CronTab was given; did you mean the group `a.io`?"},
		{"c.io/v1", "Other", "no definition of c.io/v1 Other was given"},
		{"apps/v1", "Deployment", "apps/v1 Deployment is built into Kubernetes"},
		{"apps/v1", "Deploymet", "no definition of apps/v1 Deploymet was given; did you mean `Deployment`?"},
		{"extensions/v1beta1", "Ingress", "no definition of extensions/v1beta1 Ingress was given; " +
			"Kubernetes serves it until 1.21: write `networking.k8s.io/v1`"},
		{"policy/v1beta1", "PodDisruptionBudget", "no definition of policy/v1beta1 " +
			"PodDisruptionBudget was given; Kubernetes serves it until 1.24: write `policy/v1`"},
		{"apps/v2", "Deployment", "no definition of apps/v2 Deployment was given; did you mean " +
			"the apiVersion `apps/v1`?"},
		{"apps/v1", "DeploymentList", "apps/v1 DeploymentList is built into Kubernetes"},
		{"v1", "List", "v1 List is built into Kubernetes"},
		{"extensions/v1beta1", "Foo", "no definition of extensions/v1beta1 Foo was given"},
		{"v1", "Pod", "v1 Pod is built into Kubernetes"},
		{"", "CronTab", `apiVersion "" and kind "CronTab" name no custom resource`},
	} {
		_, err := c.Version(object(test.apiVersion, test.kind))
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s %s: got %q, want %q", test.apiVersion, test.kind, got, test.want)
		}
	}
	_, err := c.Definition(object("apps/v1", "Deployment"))
	unknown, ok := errors.AsType[*manifest.UnknownKindError](err)
	if !ok || !unknown.BuiltIn || !unknown.ServedBy("1.30") ||
		unknown.Type.String() != "apps/v1 Deployment" {
		t.Errorf("%#v", err)
	}
}

// A type is built into the minors that serve it.
func TestServedBy(t *testing.T) {
	var c catalog.Catalog
	for _, test := range []struct{ apiVersion, kind, minors string }{
		{"flowcontrol.apiserver.k8s.io/v1beta3", "FlowSchema", "1.30 1.31"},
		{"resource.k8s.io/v1", "ResourceClaim", "1.34 1.35 1.36 1.37 1.38"},
		{"resource.k8s.io/v1alpha3", "DeviceClass", "1.31 1.32 1.33"},
		{"policy/v1beta1", "PodDisruptionBudget", ""},
		{"apps/v1", "Deploymet", ""},
	} {
		_, err := c.Definition(object(test.apiVersion, test.kind))
		unknown, ok := errors.AsType[*manifest.UnknownKindError](err)
		if !ok {
			t.Fatal(err)
		}
		var served []string
		for _, minor := range minors.All() {
			if unknown.ServedBy(minor.String()) {
				served = append(served, minor.String())
			}
		}
		if got := strings.Join(served, " "); got != test.minors {
			t.Errorf("%s %s: %q, want %q", test.apiVersion, test.kind, got, test.minors)
		}
	}
}

// Of two definitions of one kind or one plural name the later one counts.
func TestDuplicates(t *testing.T) {
	c, warnings := read(t, crd("a.io", "A", "as"), crd("a.io", "A", "aas"), crd("a.io", "B", "aas"))
	want := []string{
		"crds.yaml:12:1: A.a.io is defined twice, first at crds.yaml:2:1; the later definition counts",
		"crds.yaml:22:1: B.a.io is defined twice, first at crds.yaml:12:1; the later definition counts",
	}
	if diff := cmp.Diff(want, warnings); diff != "" {
		t.Error(diff)
	}
	var left []manifest.Names
	for names := range c.Kinds().All() {
		left = append(left, names)
	}
	b := manifest.Names{GroupKind: manifest.GroupKind{Group: "a.io", Kind: "B"}, Plural: "aas"}
	if diff := cmp.Diff([]manifest.Names{b}, left); diff != "" {
		t.Error(diff)
	}
	if _, found := c.Kinds().Resource("a.io", "as"); found {
		t.Error("a plural name of a definition that was replaced")
	}
	if !c.Remove(b.GroupKind) || c.Remove(b.GroupKind) {
		t.Error("a definition is removed once")
	}
	if _, found := c.Kinds().Resource("a.io", "aas"); found {
		t.Error("a plural name of a definition that was removed")
	}
}

// Definitions come and go while others read.
func TestConcurrentChanges(t *testing.T) {
	c, _ := read(t, crd("a.io", "A", "as"))
	def, err := crdsem.Parse([]byte(crd("a.io", "B", "bs")))
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 200 {
				c.Add(&catalog.Entry{Definition: def})
				c.Remove(manifest.GroupKind{Group: "a.io", Kind: "B"})
			}
		})
		group.Go(func() {
			for range 200 {
				if _, err := c.Version(object("a.io/v1", "A")); err != nil {
					t.Error(err)
				}
				_, _ = c.Version(object("a.io/v1", "Bs"))
				_, _ = c.Kinds().Resource("a.io", "bs")
			}
		})
	}
	group.Wait()
}

// An error of a text names its place. What was read before it stays.
func TestReadErrors(t *testing.T) {
	c := catalog.New()
	twice := crd("a.io", "A", "as") + "---\n" + crd("a.io", "A", "as")
	bad := twice + "---\napiVersion: apiextensions.k8s.io/v1\n" +
		"kind: CustomResourceDefinition\nspec: {versions: 1}\n"
	if replaced, err := c.Read("f", strings.NewReader(bad)); err == nil || len(replaced) != 1 ||
		!strings.HasPrefix(err.Error(), "f:23:1: ") {
		t.Error(replaced, err)
	}
	if _, err := c.Version(object("a.io/v1", "A")); err != nil {
		t.Error(err)
	}
	for _, path := range []string{"testdata/objects", "nothing.yaml"} {
		if _, err := c.ReadFiles(path); err == nil || !strings.HasPrefix(err.Error(), path+": ") {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := c.ReadFiles("testdata/objects"); !errors.Is(err, manifest.ErrNoDefinition) {
		t.Error(err)
	}
}

// Other objects are left out. What was replaced before an error is returned
// with it. Of a definition that was not read no place is shown.
func TestReplaced(t *testing.T) {
	dir := t.TempDir()
	texts := strings.Join([]string{
		"kind: Other\n", crd("a.io", "A", "as"), "kind: Other\n", crd("a.io", "B", "bs"),
		crd("a.io", "A", "bs"), "kind: [\n", crd("a.io", "C", "cs"),
	}, "---\n")
	file := filepath.Join(dir, "crds.yaml")
	if err := os.WriteFile(file, []byte(texts), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, read := range map[string]func(*catalog.Catalog) ([]*catalog.Duplicate, error){
		"Read": func(c *catalog.Catalog) ([]*catalog.Duplicate, error) {
			return c.Read("f", strings.NewReader(texts))
		},
		"ReadFiles": func(c *catalog.Catalog) ([]*catalog.Duplicate, error) { return c.ReadFiles(file) },
	} {
		c := catalog.New()
		duplicates, err := read(c)
		if err == nil || len(duplicates) != 2 || duplicates[0].Before.Names().Kind != "A" ||
			duplicates[1].Before.Names().Kind != "B" {
			t.Fatalf("%s: %v, %v", name, duplicates, err)
		}
		after := duplicates[0].After
		made := c.Add(&catalog.Entry{Definition: after.Definition})
		const twice = "A.a.io is defined twice, first at "
		if len(made) != 1 || !strings.HasPrefix(made[0].Error(), twice) {
			t.Errorf("%s: %v", name, made)
		}
		if made = c.Add(made[0].After); len(made) != 1 ||
			made[0].Error() != "A.a.io is defined twice; the later definition counts" {
			t.Errorf("%s: %v", name, made)
		}
	}
}
