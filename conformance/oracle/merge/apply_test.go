package merge_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	realconversion "k8s.io/apiextensions-apiserver/pkg/apiserver/conversion"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/crdsem/crdsem/merge"
	"github.com/crdsem/crdsem/structural"
)

var applySequences = flag.Int(
	"apply-sequences",
	4_000,
	"how many random sequences of applies and updates the differential test takes",
)

// asking returns the object after a step.
type asking func(crd *apiextensionsv1.CustomResourceDefinition, live map[string]any, s step,
) (map[string]any, error)

// world is a CRD on both sides.
type world struct {
	// ask asks another program, which is of an older or newer minor, instead of
	// managers. It may be nil.
	ask      asking
	crd      *apiextensionsv1.CustomResourceDefinition
	ours     *merge.FieldManager
	convert  managedfields.TypeConverter
	between  runtime.ObjectConvertor
	managers map[string]*managedfields.FieldManager
}

type noDefaults struct{}

// Default does nothing.
func (noDefaults) Default(runtime.Object) {}

type creator struct{}

// New returns an empty object of a kind.
func (creator) New(kind schema.GroupVersionKind) (runtime.Object, error) {
	out := &unstructured.Unstructured{}
	out.SetGroupVersionKind(kind)
	return out, nil
}

func newConverter(t testing.TB, all map[string]*spec.Schema) managedfields.TypeConverter {
	t.Helper()
	c, err := managedfields.NewTypeConverter(all, false)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func newWorld(
	t testing.TB, crd *apiextensionsv1.CustomResourceDefinition, options ...structural.Option,
) *world {
	t.Helper()
	crd = crd.DeepCopy()
	crd.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{Strategy: "None"}
	w := &world{crd: crd, managers: map[string]*managedfields.FieldManager{}}
	var err error
	w.convert = newConverter(t, models(t, crd))
	factory, err := realconversion.NewCRConverterFactory(nil,
		func(r webhook.AuthenticationInfoResolver) webhook.AuthenticationInfoResolver { return r })
	if err != nil {
		t.Fatal(err)
	}
	if w.between, _, err = factory.NewConverter(crd); err != nil {
		t.Fatal(err)
	}
	var versions []merge.Version
	for _, v := range crd.Spec.Versions {
		versions = append(
			versions,
			merge.Version{
				APIVersion: crd.Spec.Group + "/" + v.Name, Type: ourType(t, v, options...),
				HasStatus: v.Subresources != nil && v.Subresources.Status != nil},
		)
	}
	if w.ours, err = merge.NewFieldManager(crd.Spec.Names.Kind, versions,
		merge.Hooks{Now: time.Now}); err != nil {
		t.Fatal(err)
	}
	return w
}

// manager returns the real field manager of a version and subresource.
func (w *world) manager(
	t testing.TB, version apiextensionsv1.CustomResourceDefinitionVersion, subresource string,
) *managedfields.FieldManager {
	t.Helper()
	key := version.Name + "/" + subresource
	if m, ok := w.managers[key]; ok {
		return m
	}
	gv := schema.GroupVersion{Group: w.crd.Spec.Group, Version: version.Name}
	reset := map[fieldpath.APIVersion]*fieldpath.Set{}
	for _, v := range w.crd.Spec.Versions {
		hasStatus := v.Subresources != nil && v.Subresources.Status != nil
		switch at := fieldpath.APIVersion(gv.Group + "/" + v.Name); {
		// Of all versions, as in the server.
		case subresource == "status" && (hasStatus || v.Name == version.Name):
			reset[at] = fieldpath.NewSet(fieldpath.MakePathOrDie("metadata"),
				fieldpath.MakePathOrDie("spec"))
		case subresource == "" && hasStatus && v.Name == version.Name:
			reset[at] = fieldpath.NewSet(fieldpath.MakePathOrDie("status"))
		}
	}
	m, err := managedfields.NewDefaultCRDFieldManager(w.convert, w.between, noDefaults{}, creator{},
		gv.WithKind(w.crd.Spec.Names.Kind), gv, subresource,
		fieldpath.NewExcludeFilterSetMap(reset))
	if err != nil {
		t.Fatal(err)
	}
	w.managers[key] = m
	return m
}

// step is one request of a sequence.
type step struct {
	version     apiextensionsv1.CustomResourceDefinitionVersion
	apply       bool
	force       bool
	manager     string
	subresource string
	object      map[string]any
}

// TestApplySequences sends the same random applies and updates to the real
// field manager and to ours. It compares objects, managed fields, conflicts and
// errors.
func TestApplySequences(t *testing.T) {
	n := *applySequences
	if testing.Short() {
		n = 200
	}
	list := crds(t)
	worlds := map[int]*world{}
	tally := map[string]int{}
	for seed := range n {
		g := &generator{rand.New(rand.NewPCG(uint64(seed), 5))}
		i := seed * 7 % len(list)
		if n < 10_000 {
			i = seed % 40 * len(list) / 40
		}
		if worlds[i] == nil {
			worlds[i] = newWorld(t, list[i])
		}
		if diff := runSequence(t, worlds[i], g, tally); diff != "" {
			t.Fatalf("seed %d, %s: %s", seed, list[i].Name, diff)
		}
	}
	t.Logf("%d sequences over %d CRDs: %v", n, len(worlds), tally)
	expectTally(t, tally, "apply", "update", "conflict", "bad object", "unchanged", "removed",
		"lumped")
}

// expectTally fails the test for every outcome that never occurred.
func expectTally(t *testing.T, tally map[string]int, all ...string) {
	t.Helper()
	for _, what := range all {
		if tally[what] == 0 {
			t.Errorf("no step with %s", what)
		}
	}
}

func runSequence(t *testing.T, w *world, g *generator, tally map[string]int) string {
	var live map[string]any
	var previous *step
	steps, crowd := 2+g.IntN(5), g.oneIn(25)
	if crowd {
		steps = 16
	}
	for i := range steps {
		s := w.step(g, live, previous)
		if crowd {
			// There are so many updaters that the oldest are merged into one
			// entry.
			s.apply, s.manager, s.subresource = false, fmt.Sprintf("updater-%d", i), ""
			if live != nil {
				s.object = cloneMap(live)
				s.object["apiVersion"] = w.crd.Spec.Group + "/" + s.version.Name
				s.object["metadata"].(map[string]any)["labels"] = labelled(s.object, s.manager)
			}
		}
		real, realErr := w.runReal(t, live, s)
		ours, oursErr := w.runOurs(live, s)
		if diff := compareErrors(realErr, oursErr, tally); diff != "" {
			return fmt.Sprintf("%+v\nlive %v\n%s", s, live, diff)
		}
		previous = &s
		if realErr != nil {
			continue
		}
		if a, b := masked(real), masked(ours); !reflect.DeepEqual(a, b) {
			return fmt.Sprintf("%+v\nlive %s\nwant %s\ngot  %s", s, asJSON(live), asJSON(a),
				asJSON(b))
		}
		if s.apply {
			tally["apply"]++
			tally["removed"] += btoi(live != nil && len(asJSON(ours)) < len(asJSON(live)))
		} else {
			tally["update"]++
		}
		tally["one key"] += btoi(oneKey.MatchString(asJSON(ours)))
		tally["lumped"] += btoi(strings.Contains(asJSON(ours), "ancient-changes"))
		tally["unchanged"] += btoi(live != nil && reflect.DeepEqual(masked(live), masked(ours)))
		live = real
		g.ageOwners(live)
	}
	return ""
}

// labelled returns the labels of an object and one more.
func labelled(object map[string]any, name string) map[string]any {
	labels, _ := object["metadata"].(map[string]any)["labels"].(map[string]any)
	out := map[string]any{name: "x"}
	maps.Copy(out, labels)
	return out
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (w *world) step(g *generator, live map[string]any, previous *step) step {
	v := w.crd.Spec.Versions[g.IntN(len(w.crd.Spec.Versions))]
	if previous != nil && !g.oneIn(5) {
		v = previous.version
	}
	s := step{
		version: v,
		apply:   g.oneIn(2),
		force:   g.oneIn(3),
		manager: pick(g, "a", "b", "c", "kubectl"),
	}
	if live != nil && v.Subresources != nil && v.Subresources.Status != nil && g.oneIn(5) {
		s.subresource = "status"
	}
	s.object = g.resource(w.crd, v)
	if previous != nil && g.oneIn(3) && previous.version.Name == v.Name {
		s.object = cloneMap(previous.object)
		g.change(s.object)
	}
	if !s.apply && live != nil && g.oneIn(2) {
		if metadata, ok := live["metadata"].(map[string]any); ok {
			s.object["metadata"] = cloneValue(metadata)
		}
		if g.oneIn(8) {
			s.object["metadata"].(map[string]any)["managedFields"] = []any{}
		}
	}
	return s
}

func (w *world) runReal(t testing.TB, live map[string]any, s step) (map[string]any, error) {
	if w.ask != nil {
		return w.ask(w.crd, live, s)
	}
	m := w.manager(t, s.version, s.subresource)
	gvk := schema.GroupVersionKind{
		Group:   w.crd.Spec.Group,
		Version: s.version.Name,
		Kind:    w.crd.Spec.Names.Kind,
	}
	var liveObject runtime.Object
	liveObject, _ = creator{}.New(gvk)
	if live != nil {
		liveObject = &unstructured.Unstructured{Object: cloneMap(live)}
	}
	object := &unstructured.Unstructured{Object: cloneMap(s.object)}
	var out runtime.Object
	var err error
	if s.apply {
		out, err = m.Apply(liveObject, object, s.manager, s.force)
	} else {
		out, err = m.Update(liveObject, object, s.manager)
	}
	if err != nil {
		return nil, err
	}
	return out.(*unstructured.Unstructured).Object, nil
}

func (w *world) runOurs(live map[string]any, s step) (map[string]any, error) {
	request := merge.Request{
		APIVersion:  w.crd.Spec.Group + "/" + s.version.Name,
		Manager:     s.manager,
		Subresource: s.subresource,
		Force:       s.force,
	}
	liveBefore, objectBefore := asJSON(live), asJSON(s.object)
	var out map[string]any
	var err error
	if s.apply {
		out, err = w.ours.Apply(context.Background(), live, s.object, request)
	} else {
		out, err = w.ours.Update(context.Background(), live, s.object, request)
	}
	if asJSON(live) != liveBefore || asJSON(s.object) != objectBefore {
		return nil, errors.New("an argument was changed")
	}
	return out, err
}

// compareErrors compares conflicts as sets. Type errors with several problems
// are compared by the text before the problems.
func compareErrors(want, got error, tally map[string]int) string {
	if (want == nil) != (got == nil) {
		return fmt.Sprintf("error %v\nwant  %v", got, want)
	}
	if want == nil {
		return ""
	}
	w, g := oneVerb.Replace(want.Error()), got.Error()
	var conflicts *merge.ConflictError
	if errors.As(got, &conflicts) {
		tally["conflict"]++
		w, g = sortedLines(w), sortedLines(g)
	} else {
		tally["bad object"]++
		return compareProblems(w, g)
	}
	if w != g {
		return fmt.Sprintf("error %q\nwant  %q", g, w)
	}
	return ""
}

// oneKey matches a path element with a single key, in managed fields.
var oneKey = regexp.MustCompile(`k:\{[^,}]*\}`)

var firstProblem = regexp.MustCompile(`: (errors:\n  )?(\.|element )`)

// splitProblems splits a type error into the text before the problems, and the
// problems.
func splitProblems(text string) (before string, problems []string) {
	at := firstProblem.FindStringIndex(text)
	if at == nil {
		return text, nil
	}
	return text[:at[0]], strings.Split(strings.TrimPrefix(text[at[0]+2:], "errors:\n  "), "\n  ")
}

// compareProblems accepts additional problems of ours. The real code stops at
// an unknown field, and visits fields in random order.
func compareProblems(want, got string) string {
	w, wantProblems := splitProblems(want)
	g, gotProblems := splitProblems(got)
	missing := slices.ContainsFunc(wantProblems,
		func(p string) bool { return !slices.Contains(gotProblems, p) })
	if w != g || missing || len(wantProblems) == 0 != (len(gotProblems) == 0) {
		return fmt.Sprintf("error %q\nwant  %q", got, want)
	}
	return ""
}

func sortedLines(text string) string {
	lines := strings.Split(text, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// masked returns an object without the times of its managed fields, and with
// the managed fields in a fixed order.
func masked(object map[string]any) map[string]any {
	out := cloneMap(object)
	metadata, _ := out["metadata"].(map[string]any)
	list, _ := metadata["managedFields"].([]any)
	for _, item := range list {
		if entry := item.(map[string]any); entry["time"] != nil {
			entry["time"] = "some time"
		}
	}
	slices.SortFunc(list, func(a, b any) int { return strings.Compare(asJSON(a), asJSON(b)) })
	return out
}

func asJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func cloneMap(object map[string]any) map[string]any {
	out, _ := cloneValue(object).(map[string]any)
	return out
}

func cloneValue(value any) any {
	return runtime.DeepCopyJSONValue(value)
}
