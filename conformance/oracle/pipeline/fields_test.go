package pipeline_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	realdefaulting "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/crdsem/crdsem/defaulting"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/belowfacade/normalize"
	ourmeta "github.com/crdsem/crdsem/objectmeta"
	"github.com/crdsem/crdsem/prune"
	"github.com/crdsem/crdsem/structural"
)

var fieldCases = flag.Int(
	"field-cases",
	200_000,
	"how many random pairs of schema and object the differential test takes",
)

// pair is a schema in both models.
type pair struct {
	real *schema.Structural
	ours *structural.Schema
}

func newPair(text []byte) (pair, error) {
	external, internal := &v1.JSONSchemaProps{}, &apiextensions.JSONSchemaProps{}
	if err := json.Unmarshal(text, external); err != nil {
		return pair{}, err
	}
	err := v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(external, internal, nil)
	if err != nil {
		return pair{}, err
	}
	theirs, err := schema.NewStructural(internal)
	if err != nil {
		return pair{}, err
	}
	ours, err := structural.Parse(text)
	return pair{theirs, ours}, err
}

// copied returns a copy for the real code and one for ours.
func copied(value any) (theirs, ours any) {
	return runtime.DeepCopyJSONValue(value), runtime.DeepCopyJSONValue(value)
}

// compareFields runs one value through every step, each alone and all together.
// It returns the first difference.
func (p pair) compareFields(value any, tally map[string]int) string {
	for _, step := range []struct {
		name string
		run  func(pair, any, map[string]int) string
	}{
		{"prune a resource", pair.pruneResource}, {"prune a value", pair.pruneValue}, {"drop nulls", pair.dropNulls},
		{"coerce", pair.coerce}, {"repair", pair.repair}, {"default", pair.fill}, {"all", pair.all},
	} {
		if diff := step.run(p, value, tally); diff != "" {
			return step.name + ": " + diff
		}
	}
	return ""
}

func (p pair) pruneResource(value any, tally map[string]int) string {
	object, ok := value.(map[string]any)
	if !ok {
		return ""
	}
	theirs, ours := copied(object)
	want := pruning.PruneWithOptions(theirs, p.real, true,
		schema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
	got := structural.Paths(prune.Resource(ours.(map[string]any), p.ours))
	tally["pruned"] += len(want)
	return difference(theirs, ours, want, got)
}

func (p pair) pruneValue(value any, _ map[string]int) string {
	theirs, ours := copied(value)
	want := pruning.PruneWithOptions(theirs, p.real, false,
		schema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
	got := structural.Paths(prune.Value(ours, p.ours))
	return difference(theirs, ours, want, got)
}

func (p pair) dropNulls(value any, tally map[string]int) string {
	theirs, ours := copied(value)
	realdefaulting.PruneNonNullableNullsWithoutDefaults(theirs, p.real)
	tally["null dropped"] += len(defaulting.DropNulls(ours, p.ours))
	return difference(theirs, ours, nil, nil)
}

func (p pair) coerce(value any, tally map[string]int) string {
	theirs, ours := copied(value)
	bad, want := objectmeta.CoerceWithOptions(nil, theirs, p.real, false,
		objectmeta.CoerceOptions{ReturnUnknownFieldPaths: true})
	changes, ourBad := ourmeta.Coerce(ours, p.ours)
	switch {
	case (bad == nil) != (ourBad == nil):
		return fmt.Sprintf("errors %v and %v", bad, ourBad)
	case bad != nil:
		tally["malformed"]++
		return p.sameError(value, ourBad.Error())
	}
	tally["metadata pruned"] += len(want)
	return difference(theirs, ours, want, structural.Paths(changes, structural.MetadataPruned))
}

// sameError reports whether our error is among those of the real code, which
// reports a random one of several.
func (p pair) sameError(value any, text string) string {
	var seen []string
	for range 200 {
		theirs, _ := copied(value)
		bad, _ := objectmeta.CoerceWithOptions(nil, theirs, p.real, false,
			objectmeta.CoerceOptions{ReturnUnknownFieldPaths: true})
		if bad.Error() == text {
			return ""
		}
		if !slices.Contains(seen, bad.Error()) {
			seen = append(seen, bad.Error())
		}
	}
	return fmt.Sprintf("error %s, want one of %q", text, seen)
}

func (p pair) repair(value any, tally map[string]int) string {
	theirs, ours := copied(value)
	bad, _ := objectmeta.CoerceWithOptions(nil, theirs, p.real, false,
		objectmeta.CoerceOptions{DropInvalidFields: true})
	if bad != nil {
		return "the real code fails: " + bad.Error()
	}
	tally["repaired"] += len(ourmeta.Repair(ours, p.ours))
	return difference(theirs, ours, nil, nil)
}

func (p pair) fill(value any, tally map[string]int) string {
	theirs, ours := copied(value)
	realdefaulting.Default(theirs, p.real)
	tally["defaulted"] += len(defaulting.Default(ours, p.ours))
	return difference(theirs, ours, nil, nil)
}

// all compares all steps as the server runs them, one after another, with our
// single walk, which changes nothing.
func (p pair) all(value any, tally map[string]int) string {
	object, ok := value.(map[string]any)
	if !ok {
		return ""
	}
	theirs, original := copied(object)
	want := pruning.PruneWithOptions(theirs, p.real, true,
		schema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
	realdefaulting.PruneNonNullableNullsWithoutDefaults(theirs, p.real)
	bad, unknown := objectmeta.CoerceWithOptions(nil, theirs, p.real, false,
		objectmeta.CoerceOptions{ReturnUnknownFieldPaths: true})
	const steps = normalize.Prune | normalize.ResourceRoot | normalize.DropNulls |
		normalize.CoerceMetadata | normalize.Default
	ours, changes, ourBad := normalize.Unlimited.Copy(object, p.ours, steps)
	if diff := unlike(original, any(object)); diff != "" {
		return "the argument was changed: " + diff
	}
	if (bad == nil) != (ourBad == nil) {
		return fmt.Sprintf("errors %v and %v", bad, ourBad)
	}
	if bad != nil {
		return ""
	}
	realdefaulting.Default(theirs, p.real)
	tally["all steps"]++
	paths := append(
		structural.Paths(changes.List, structural.Pruned),
		structural.Paths(changes.List, structural.MetadataPruned)...)
	return difference(theirs, ours, append(want, unknown...), paths)
}

// unlike describes two values if they differ, types included.
func unlike(theirs, ours any) string {
	if reflect.DeepEqual(theirs, ours) {
		return ""
	}
	return fmt.Sprintf("real %s, ours %s", shown(theirs), shown(ours))
}

func shown(value any) string {
	text, err := protocol.AppendValue(nil, value)
	if err != nil {
		return fmt.Sprintf("%#v", value)
	}
	return string(text)
}

func difference(theirs, ours any, want, got []string) string {
	if diff := unlike(theirs, ours); diff != "" {
		return "values differ: " + diff
	}
	if !slices.Equal(want, got) {
		return fmt.Sprintf("paths %q, want %q", got, want)
	}
	return ""
}

// comparePrunedDefaults compares the defaults that remain after pruning.
func (p pair) comparePrunedDefaults(tally map[string]int) string {
	theirs := p.real.DeepCopy()
	want := realdefaulting.PruneDefaults(theirs)
	ours, got := defaulting.PruneDefaults(p.ours)
	if (want == nil) != (got == nil) || want != nil && want.Error() != got.Error() {
		return fmt.Sprintf("pruning defaults: errors %v and %v", want, got)
	}
	if want != nil {
		return ""
	}
	if ours != p.ours {
		tally["changed defaults"]++
	}
	return compareDefaults("", theirs, ours)
}

func compareDefaults(at string, theirs *schema.Structural, ours *structural.Schema) string {
	if theirs == nil {
		return ""
	}
	if diff := unlike(theirs.Default.Object, ours.Default()); diff != "" {
		return "default at " + at + ": " + diff
	}
	for name, property := range theirs.Properties {
		if diff := compareDefaults(at+"."+name, &property, ours.Property(name)); diff != "" {
			return diff
		}
	}
	if theirs.AdditionalProperties != nil {
		diff := compareDefaults(at+"[*]", theirs.AdditionalProperties.Structural,
			ours.AdditionalSchema())
		if diff != "" {
			return diff
		}
	}
	return compareDefaults(at+"[]", theirs.Items, ours.Items())
}

// Random schemas and values give the same values, paths, errors and defaults in
// the real code and in ours.
func TestFieldsDifferential(t *testing.T) {
	n := *fieldCases
	if testing.Short() {
		n = 10_000
	}
	tally := map[string]int{}
	for seed := range uint64(n) {
		g := newGenerator(seed)
		text := g.schema(4)
		encoded, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		p, err := newPair(encoded)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		value := g.value(text, 4)
		if g.one(2) {
			value = g.fields(text, 4)
		}
		diff := p.compareFields(value, tally)
		if diff == "" {
			diff = p.comparePrunedDefaults(tally)
		}
		if diff != "" {
			t.Fatalf("seed %d: %s\nschema %s\nvalue %s", seed, diff, encoded, shown(value))
		}
	}
	t.Logf("seeds 0 to %d: %v", n-1, tally)
	for _, what := range []string{
		"pruned", "null dropped", "malformed", "metadata pruned", "repaired", "defaulted",
		"all steps", "changed defaults",
	} {
		if tally[what] == 0 {
			t.Errorf("no case was %s", what)
		}
	}
}
