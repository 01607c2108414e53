package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/kit/builtin"
	"github.com/crdsem/crdsem/kit/manifest"
)

// inVolumes reports whether all errors are about volumes of a template.
func inVolumes(r *builtin.Result) bool {
	return len(r.Unknown) == 0 && !slices.ContainsFunc(r.Errors, func(e *field.Error) bool {
		return !strings.HasPrefix(e.Field, "spec.template.spec.volumes[")
	})
}

// folders returns the folders whose manifests are changed: those of the source
// of Kubernetes, and of this module.
func folders(t *testing.T) (all []string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(),
		"go", "list", "-m", "-f", "{{.Dir}}", "k8s.io/kubernetes")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"cluster", "hack/testdata", "test"} {
		all = append(all, filepath.Join(strings.TrimSpace(string(out)), name))
	}
	return append(all, "testdata", "../../../kube/server/internal/tables/testdata")
}

// What the structure refuses, a server refuses: objects are changed in one
// place, and both judge them. The log says how many of the server's refusals
// the structure finds.
func TestCreate(t *testing.T) {
	const shown = 10 // of each kind
	type counts struct{ seeds, unfit, objects, refused, found, wrong int }
	all := map[string]*counts{}
	for _, seed := range readSeeds(t) {
		kind, err := builtin.Find(manifest.TypeOf(seed), newest)
		if err != nil || strategies[kind.Group+"/"+kind.Kind] == nil {
			continue
		}
		c := all[kind.String()]
		if c == nil {
			c = &counts{}
			all[kind.String()] = c
		}
		if refusal, known := isRefused(seed, kind); refusal != nil || !known {
			c.unfit++
			continue
		}
		c.seeds++
		for what, object := range changed(seed) {
			want, known := isRefused(object, kind)
			if !known {
				continue
			}
			r := kind.Validate(context.Background(), object)
			c.objects++
			switch got := len(r.Errors)+len(r.Unknown) > 0; {
			case want == nil && got && kind.Kind == "StatefulSet" && inVolumes(r):
				// The volume is replaced by the claim of its name.
			case want == nil && got:
				c.wrong++
				if c.wrong < shown {
					t.Errorf("%s %s is refused wrongly: %v %v",
						kind.Type, what, r.Unknown, r.Errors)
				}
			case want != nil:
				c.refused++
				if got {
					c.found++
				}
			}
		}
	}
	sum := counts{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		c := all[name]
		t.Logf("%-60s %4d seeds, %4d unfit, %6d objects, %6d refused, %3d%% found", name,
			c.seeds, c.unfit, c.objects, c.refused, 100*c.found/max(1, c.refused))
		sum.seeds, sum.objects = sum.seeds+c.seeds, sum.objects+c.objects
		sum.refused, sum.found = sum.refused+c.refused, sum.found+c.found
		sum.wrong += c.wrong
	}
	t.Logf("%d seeds, %d objects, %d refused, %d of these found, %d refused wrongly",
		sum.seeds, sum.objects, sum.refused, sum.found, sum.wrong)
}

// readSeeds reads the objects of folders.
func readSeeds(t *testing.T) (all []map[string]any) {
	t.Helper()
	for _, folder := range folders(t) {
		found, err := objectsIn(folder)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, found...)
	}
	return all
}

// changed returns an object and what it becomes if one place is changed.
func changed(seed map[string]any) map[string]map[string]any {
	out := map[string]map[string]any{"": seed}
	var walk func(value any, path string, set func(any, bool))
	add := func(what string) {
		out[what] = runtime.DeepCopyJSON(seed)
	}
	walk = func(value any, path string, set func(any, bool)) {
		if path != "" && path != ".apiVersion" && path != ".kind" {
			set(nil, true)
			add(path + " removed")
			for _, v := range values {
				set(v, false)
				add(fmt.Sprintf("%s = %#v", path, v))
			}
			set(value, false)
		}
		switch v := value.(type) {
		case map[string]any:
			v["nonsense"] = "text"
			add(path + ".nonsense")
			delete(v, "nonsense")
			for _, key := range slices.Sorted(maps.Keys(v)) {
				walk(v[key], path+"."+key, func(value any, isRemoved bool) {
					if v[key] = value; isRemoved {
						delete(v, key)
					}
				})
			}
		case []any:
			for i := range v {
				walk(v[i], fmt.Sprintf("%s[%d]", path, i), func(value any, _ bool) { v[i] = value })
			}
			set(append(slices.Clone(v), v...), false)
			add(path + " twice")
			set(v, false)
		}
	}
	walk(seed, "", nil)
	return out
}

// isRefused returns why a server refuses a new object, nil if it does not.
// known is false if that needs more than the object.
func isRefused(object map[string]any, kind *builtin.Kind) (refusal error, known bool) {
	gvk := schema.GroupVersionKind{Group: kind.Group, Version: kind.Version, Kind: kind.Kind}
	typed, strict, err := defaulted(object, gvk)
	if err = errors.Join(err, strict); err != nil {
		return err, true
	}
	errs, known, err := created(typed, gvk, kind.Plural)
	return errors.Join(err, errs.ToAggregate()), known
}
