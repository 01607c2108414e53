// Package metadata_test compares internal/belowstructural/metadata with the
// real code.
package metadata_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	ours "github.com/crdsem/crdsem/internal/belowstructural/metadata"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
	embedded "github.com/crdsem/crdsem/objectmeta"
	"github.com/crdsem/crdsem/structural"
)

var metadataCases = flag.Int(
	"metadata-cases",
	200_000,
	"how many random metadata maps the differential test takes",
)

// TestObjectMetaDifferential runs random metadata through the real code and
// ours: coercion in both modes, embedded validation, and the checks of create
// and update (META-001 to META-032).
func TestObjectMetaDifferential(t *testing.T) {
	n := *metadataCases
	if testing.Short() {
		n = 5_000
	}
	tally := map[string]int{}
	for seed := range n {
		g := &metaGen{rand.New(rand.NewPCG(uint64(seed), 37))}
		resource := g.resource()
		for _, mode := range []ours.Mode{ours.Strict, ours.Drop} {
			if diff := compareCoercion(resource, mode, tally); diff != "" {
				t.Fatalf("seed %d, mode %d: %s", seed, mode, diff)
			}
		}
		if diff := compareEmbedded(resource, tally); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
		if diff := compareRoot(g, resource, tally); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
	}
	t.Logf("%d maps: %v", n, tally)
	for _, what := range []string{
		"unknown", "strict error", "changed", "unchanged", "embedded errors", "create errors",
		"create valid", "update errors", "update valid",
	} {
		if tally[what] == 0 {
			t.Errorf("no case with %s", what)
		}
	}
}

var embeddedSchema = &schema.Structural{Extensions: schema.Extensions{XEmbeddedResource: true}}

// ourSchema is embeddedSchema in our form. Without it nothing is coerced.
var ourSchema, _ = structural.FromMap(
	map[string]any{"type": "object", "x-kubernetes-embedded-resource": true})

// coerced coerces an embedded resource and returns the paths of unknown fields.
func coerced(resource map[string]any, mode ours.Mode) ([]string, *field.Error) {
	if mode == ours.Drop {
		repairs := embedded.Repair(resource, ourSchema)
		return structural.Paths(repairs, structural.MetadataPruned), nil
	}
	changes, err := embedded.Coerce(resource, ourSchema)
	return structural.Paths(changes, structural.MetadataPruned), err
}

func compareCoercion(resource map[string]any, mode ours.Mode, tally map[string]int) string {
	want, got, before := clone(resource), clone(resource), clone(resource)
	metadata, _ := got["metadata"].(map[string]any)
	path := field.NewPath("spec").Key("k.x")
	wantErr, wantUnknown := objectmeta.CoerceWithOptions(
		path,
		want,
		embeddedSchema,
		false,
		objectmeta.CoerceOptions{
			DropInvalidFields:       mode == ours.Drop,
			ReturnUnknownFieldPaths: true,
		},
	)
	gotUnknown, gotErr := coerced(got, mode)
	for i := range gotUnknown {
		gotUnknown[i] = path.String() + "." + gotUnknown[i]
	}
	count(tally, "unknown", len(gotUnknown) > 0)
	count(tally, "strict error", gotErr != nil)
	if gotErr != nil {
		return compareStrictError(resource, wantErr, ours.At(path, gotErr)[0])
	}
	if wantErr != nil {
		return fmt.Sprintf("want error %v", wantErr)
	}
	if !slices.Equal(wantUnknown, gotUnknown) {
		return fmt.Sprintf("unknown: want %q, got %q", wantUnknown, gotUnknown)
	}
	if !same(want, got) {
		return fmt.Sprintf("%#v\nwant %#v\ngot  %#v", resource, want, got)
	}
	if metadata != nil && !same(metadata, before["metadata"]) {
		return fmt.Sprintf("metadata was changed: %#v", resource)
	}
	unchanged := same(got, before)
	count(tally, "unchanged", unchanged)
	count(tally, "changed", !unchanged)
	return ""
}

// compareStrictError accepts any of several bad fields, because the real code
// visits them in random order.
func compareStrictError(resource map[string]any, want, got *field.Error) string {
	if want == nil {
		return fmt.Sprintf("want no error, got %v", got)
	}
	if want.Field != got.Field {
		only := map[string]any{}
		name := strings.TrimPrefix(got.Field, "spec[k.x].")
		only[name] = resource[name]
		want, _ = objectmeta.CoerceWithOptions(field.NewPath("spec").Key("k.x"), only,
			embeddedSchema, false, objectmeta.CoerceOptions{})
	}
	if want == nil || want.Type != got.Type || want.Field != got.Field ||
		want.Error() != got.Error() {
		return fmt.Sprintf("want error %v\ngot %v", want, got)
	}
	return ""
}

func compareEmbedded(resource map[string]any, tally map[string]int) string {
	path := field.NewPath("spec", "a").Index(3)
	want := objectmeta.Validate(context.Background(), path, clone(resource), embeddedSchema, false)
	got := ours.At(path, ours.ValidateEmbedded(resource, profile.Latest())...)
	count(tally, "embedded errors", len(got) > 0)
	return compareErrors(want, got)
}

// compareRoot coerces a new and an old resource and compares the checks of
// create and update.
func compareRoot(g *metaGen, resource map[string]any, tally map[string]int) string {
	old := clone(resource)
	if g.IntN(3) > 0 {
		old["metadata"] = g.changed(old["metadata"])
	}
	for _, r := range []map[string]any{resource, old} {
		root, err := ours.Coerce(r["metadata"], ours.Drop)
		if err != nil {
			return ""
		}
		r["metadata"] = root.Metadata
	}
	newMeta, unreadable := typedMeta(resource)
	if unreadable != nil {
		return compareErrors(unreadable,
			ours.ValidateCreate(resource, ours.Namespaced, ours.Subdomain(), profile.Latest()))
	}
	oldMeta, unreadable := typedMeta(old)
	if unreadable != nil {
		return compareErrors(unreadable, ours.ValidateUpdate(resource, old, profile.Latest()))
	}
	ctx := context.Background()
	for _, scope := range []ours.Scope{ours.Namespaced, ours.ClusterScoped} {
		want := validation.ValidateObjectMetaDeclaratively(ctx, operation.Create, newMeta, nil,
			scope == ours.Namespaced, validation.NameIsDNSSubdomain, field.NewPath("metadata"),
			true)
		got := ours.ValidateCreate(resource, scope, ours.Subdomain(), profile.Latest())
		count(tally, "create errors", len(got) > 0)
		count(tally, "create valid", len(got) == 0)
		if diff := compareErrors(want, got); diff != "" {
			return diff
		}
	}
	want := validation.ValidateObjectMetaDeclaratively(ctx, operation.Update, newMeta, oldMeta,
		true, nil, field.NewPath("metadata"), true)
	got := ours.ValidateUpdate(resource, old, profile.Latest())
	count(tally, "update errors", len(got) > 0)
	count(tally, "update valid", len(got) == 0)
	return compareErrors(want, got)
}

// typedMeta decodes metadata as the server's validator of custom resources
// does.
func typedMeta(resource map[string]any) (*metav1.ObjectMeta, field.ErrorList) {
	m := &metav1.ObjectMeta{}
	metadata, _ := resource["metadata"].(map[string]any)
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(metadata, m); err != nil {
		return nil, field.ErrorList{field.Invalid(field.NewPath("metadata"), metadata, err.Error())}
	}
	return m, nil
}

func count(tally map[string]int, what string, happened bool) {
	if happened {
		tally[what]++
	}
}

func compareErrors(want, got field.ErrorList) string {
	w, g := errorTexts(want), errorTexts(got)
	if !slices.Equal(w, g) {
		return fmt.Sprintf("want %s\ngot  %s", strings.Join(w, "\n     "),
			strings.Join(g, "\n     "))
	}
	return ""
}

// errorTexts returns the texts of errors with everything that users see. They
// are sorted, because the real code's order is random.
func errorTexts(errs field.ErrorList) []string {
	texts := make([]string, len(errs))
	for i, err := range errs {
		texts[i] = fmt.Sprintf("%s|%s|%s|%s", string(err.Type), err.Field, err.Detail, err.Error())
	}
	slices.Sort(texts)
	return texts
}

// same reports whether two values are equal in everything that matters: Go
// types, nil maps and lists, signs of zero. A NaN equals a NaN.
func same(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && (a == nil) == (b == nil) && maps.EqualFunc(a, b, same)
	case []any:
		b, ok := b.([]any)
		return ok && (a == nil) == (b == nil) && slices.EqualFunc(a, b, same)
	case float64:
		b, ok := b.(float64)
		return ok && math.Float64bits(a) == math.Float64bits(b)
	}
	return a == b
}

func clone(object map[string]any) map[string]any {
	return cloneValue(object).(map[string]any)
}

func cloneValue(value any) any {
	switch v := value.(type) {
	case map[string]any:
		if v == nil {
			return v
		}
		out := make(map[string]any, len(v))
		for k, item := range v {
			out[k] = cloneValue(item)
		}
		return out
	case []any:
		if v == nil {
			return v
		}
		out := make([]any, len(v))
		for i := range v {
			out[i] = cloneValue(v[i])
		}
		return out
	}
	return value
}

// metaGen makes metadata that is mostly valid.
type metaGen struct{ *rand.Rand }

func pick[T any](g *metaGen, list ...T) T { return list[g.IntN(len(list))] }

func (g *metaGen) oneIn(n int) bool { return g.IntN(n) == 0 }

func (g *metaGen) resource() map[string]any {
	r := map[string]any{"apiVersion": "v1", "kind": "Pod"}
	if !g.oneIn(20) {
		r["metadata"] = g.metadata()
	}
	if g.oneIn(10) {
		r["apiVersion"] = pick[any](g, "", "a/b/c", "/", "x/", "a b", nil, int64(5), "apps/v1",
			"g.io/v1/")
	}
	if g.oneIn(10) {
		r["kind"] = pick[any](g, "", "po_d", "Pod", "Kod", "-x", nil, true, strings.Repeat("K", 64),
			"9x")
	}
	if g.oneIn(30) {
		delete(r, pick(g, "apiVersion", "kind"))
	}
	return r
}

func (g *metaGen) metadata() any {
	if g.oneIn(60) {
		return g.anything(2)
	}
	m := map[string]any{}
	for range g.IntN(9) {
		name := pick(g, "name", "generateName", "namespace", "selfLink", "uid", "resourceVersion",
			"generation", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds",
			"labels", "annotations", "ownerReferences", "finalizers", "managedFields")
		m[name] = g.field(name)
		if g.oneIn(40) {
			m[name] = g.anything(2)
		}
	}
	if !g.oneIn(3) {
		m["name"], m["namespace"], m["resourceVersion"] = "a", "b", "1"
	}
	if g.oneIn(8) {
		name := pick(g, "junk", "Name", "clusterName", "a.b", "", "ownerReferences[0].junk", "\xff",
			"initializers")
		m[name] = g.anything(3)
	}
	if g.oneIn(400) {
		for i := range 120 {
			m[fmt.Sprintf("junk%d", i)] = int64(i)
		}
	}
	return m
}

func (g *metaGen) field(name string) any {
	switch name {
	case "generation", "deletionGracePeriodSeconds":
		return pick[any](g, int64(0), int64(5), int64(-3), 2.0, 1.5, 1e21, 0.0,
			math.Copysign(0, -1), 9.3e18, 1e-7, nil, int64(math.MaxInt64), 9007199254740993.0)
	case "creationTimestamp", "deletionTimestamp":
		return g.time()
	case "labels", "annotations":
		return g.texts()
	case "finalizers":
		return g.finalizers()
	case "ownerReferences":
		return g.structs(g.owner)
	case "managedFields":
		return g.structs(g.manager)
	}
	return g.text()
}

func (g *metaGen) text() any {
	return pick[any](g, "a", "a", "a-b", "n.x", "", "A", "a_b", "a/b", "..", ".", "50%", "a-", "-",
		"xK", "a\xffb", "<&>", strings.Repeat("n", 64), strings.Repeat("n.", 130), nil)
}

func (g *metaGen) time() any {
	return pick[any](g, "2020-01-01T00:00:00Z", "2020-01-01T00:00:00Z", "2020-01-01T01:00:00+01:00",
		"2020-01-01T00:00:00.5Z", "yesterday", "", nil, "0001-01-01T00:00:00Z",
		"9999-12-31T23:59:59-01:00", "0000-01-01T00:00:00+02:00", "2020-13-01T00:00:00Z",
		"2020-01-01T1:00:00Z", "2020-01-01T00:00:00,25Z", "2020-02-30T00:00:00Z",
		"2020-01-01t00:00:00z", "2020-01-01T00:00:00+00:00", "2020-01-01T00:00:00-00:00", int64(5),
		true, map[string]any{}, []any{}, "x\xff")
}

func (g *metaGen) texts() any {
	m := map[string]any{}
	for range g.IntN(4) {
		key := pick(g, "a", "b", "g.io/x", "G.io/x", "/x", "x/", "a/b/c", "-", "", "Kk", "\xff",
			"\xfe", strings.Repeat("k", 64))
		m[key] = pick[any](g, "", "v", "v", "bad value", "-", nil, strings.Repeat("v", 64), "a\xff")
		if g.oneIn(30) {
			m[key] = g.anything(1)
		}
	}
	if g.oneIn(100) {
		m["big"] = strings.Repeat("x", pick(g, 262141, 262142, 262143))
	}
	return m
}

func (g *metaGen) finalizers() any {
	list := []any{}
	for range g.IntN(4) {
		list = append(
			list,
			pick[any](g, "orphan", "foregroundDeletion", "g.io/x", "kubernetes", "bad finalizer",
				"x", "x.y", nil, ""),
		)
		if g.oneIn(30) {
			list[len(list)-1] = g.anything(1)
		}
	}
	return list
}

func (g *metaGen) structs(one func() map[string]any) any {
	list := []any{}
	for range g.IntN(4) {
		item := one()
		if g.oneIn(12) {
			item[pick(g, "junk", "Kind", "x.y")] = g.anything(2)
		}
		list = append(list, item)
		if g.oneIn(40) {
			list[len(list)-1] = g.anything(1)
		}
	}
	return list
}

func (g *metaGen) owner() map[string]any {
	m := map[string]any{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "x", "uid": "u"}
	if g.oneIn(3) {
		m["apiVersion"] = pick[any](g, "v1", "a/b/c", "", "/", "x/", nil)
		m["kind"] = pick[any](g, "Event", "Pod", "", nil)
	}
	for _, name := range []string{"controller", "blockOwnerDeletion"} {
		if g.oneIn(2) {
			m[name] = pick[any](g, true, true, false, nil)
		}
	}
	if g.oneIn(6) {
		delete(m, pick(g, "apiVersion", "kind", "name", "uid"))
	}
	if g.oneIn(30) {
		m[pick(g, "apiVersion", "kind", "name", "uid", "controller")] = g.anything(1)
	}
	return m
}

func (g *metaGen) manager() map[string]any {
	m := map[string]any{
		"manager":   pick[any](g, "kubectl", "a\x01b", strings.Repeat("m", 129), "é", "a b\tc", ""),
		"operation": pick[any](g, "Apply", "Update", "Apply", "Update", "Delete", "<x>", "", nil),
		"time":      g.time(),
		"fieldsV1":  g.anything(3),
	}
	if g.oneIn(2) {
		m["fieldsType"] = pick[any](g, "FieldsV1", "FieldsV2", "")
	}
	if g.oneIn(4) {
		m["subresource"] = pick[any](g, "status", strings.Repeat("s", 257), "", int64(5))
	}
	if g.oneIn(2) {
		m["time"] = "2020-01-01T00:00:00Z"
	}
	return m
}

// anything makes a value of any type.
func (g *metaGen) anything(depth int) any {
	switch n := g.IntN(9); {
	case n < 2 && depth > 0:
		m := map[string]any{}
		for range g.IntN(4) {
			m[pick(g, "a", "f:b", ".", "\xff", "<x>")] = g.anything(depth - 1)
		}
		return m
	case n == 2 && depth > 0:
		list := []any{}
		for range g.IntN(3) {
			list = append(list, g.anything(depth-1))
		}
		return list
	}
	return pick[any](g, nil, "s", "", int64(7), 1.5, 2.0, 1e21, -1e-7, true, false,
		math.Copysign(0, -1), 1e300, map[string]any{}, []any{}, map[string]any(nil), []any(nil),
		pick[any](g, "x", "x", "x", math.NaN(), math.Inf(1), math.Inf(-1)))
}

// changed changes some fields of metadata, for the old resource of an update.
func (g *metaGen) changed(metadata any) any {
	m, _ := metadata.(map[string]any)
	if m == nil {
		return metadata
	}
	for range 1 + g.IntN(2) {
		name := pick(g, "name", "namespace", "uid", "creationTimestamp", "deletionTimestamp",
			"deletionGracePeriodSeconds", "generation", "finalizers")
		m[name] = g.field(name)
	}
	return m
}
