package crdsem

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

type object = map[string]any

// stored is an object as somebody else has it.
func stored() object {
	return object{
		"kind":     "K",
		"metadata": object{"name": "n", "generation": int64(3), "labels": object{"a": "b"}},
		"spec":     object{"list": []any{"x"}},
	}
}

// Every write reaches the object and nothing that it was made from; reading
// copies nothing.
// same reports whether two values are one map, or equal scalars.
func same(a, b any) bool {
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	if x.Kind() == reflect.Map && y.Kind() == reflect.Map {
		return x.UnsafePointer() == y.UnsafePointer()
	}
	return a == b
}

func TestWrites(t *testing.T) {
	for name, c := range map[string]struct {
		write func(o *sharedObject)
		want  func(want object) // changes a copy of what is stored
	}{
		"set a field": {
			func(o *sharedObject) { o.Set("spec", "y") },
			func(want object) { want["spec"] = "y" },
		},
		"remove a field": {
			func(o *sharedObject) { o.Remove("spec") },
			func(want object) { delete(want, "spec") },
		},
		"set metadata": {
			func(o *sharedObject) { o.SetMeta("uid", "u") },
			func(want object) { want["metadata"].(object)["uid"] = "u" },
		},
		"set an empty string": {
			func(o *sharedObject) { o.SetMetaText("name", "") },
			func(want object) { delete(want["metadata"].(object), "name") },
		},
		"set no generation": {
			func(o *sharedObject) { o.SetGeneration(0) },
			func(want object) { delete(want["metadata"].(object), "generation") },
		},
		"several": {
			func(o *sharedObject) {
				o.SetGeneration(4)
				o.RemoveMeta("labels")
				o.Set("metadata2", o.Meta("generation"))
				o.SetMetaText("name", "m")
			},
			func(want object) {
				meta := want["metadata"].(object)
				meta["generation"], meta["name"], want["metadata2"] = int64(4), "m", int64(4)
				delete(meta, "labels")
			},
		},
	} {
		original, want := stored(), stored()
		c.want(want)
		o := newShared(original)
		shared := o.Share()
		c.write(&o)
		if diff := cmp.Diff(want, o.Fields()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if diff := cmp.Diff(stored(), original); diff != "" {
			t.Errorf("%s changes the original: %s", name, diff)
		}
		if !same(shared.Fields(), original) {
			t.Errorf("%s changes an object that was shared before", name)
		}
		if !same(o.Fields()["kind"], original["kind"]) {
			t.Errorf("%s copies what it does not write", name)
		}
	}
}

// Writes that change nothing copy nothing.
func TestWritesWithoutEffect(t *testing.T) {
	original := stored()
	o := newShared(original)
	o.SetMeta("name", "n")
	o.SetMetaText("name", "n")
	o.SetGeneration(3)
	o.SetMetaText("namespace", "")
	o.RemoveMeta("uid")
	o.Remove("status")
	if !same(o.Fields(), original) {
		t.Error("the object was copied")
	}
	if o.MetaText("name") != "n" || o.MetaText("labels") != "" || o.Generation() != 3 {
		t.Errorf("read %q, %q, %d", o.MetaText("name"), o.MetaText("labels"), o.Generation())
	}
}

// The object and its metadata are copied once, however often they are written.
func TestCopiesOnce(t *testing.T) {
	o := newShared(stored())
	o.SetMeta("uid", "u")
	first := o.Fields()
	o.SetMeta("uid", "v")
	o.Set("spec", "y")
	if !same(o.Fields(), first) {
		t.Error("the second write copies the object")
	}
	if !same(first["metadata"], o.Fields()["metadata"]) ||
		o.MetaText("uid") != "v" {
		t.Error("the second write copies the metadata")
	}
}

// An object of one's own is not copied.
func TestOwn(t *testing.T) {
	original := stored()
	meta := original["metadata"]
	o := newShared(original)
	o.Own()
	o.Set("spec", "y")
	o.SetMeta("uid", "u")
	if !same(o.Fields(), original) || !same(original["metadata"], meta) ||
		original["spec"] != "y" || o.MetaText("uid") != "u" {
		t.Errorf("%v was written to a copy", o.Fields())
	}
}

// Metadata that is absent is made; anything but an object stays in its place.
func TestOddMetadata(t *testing.T) {
	absent := newShared(object{"kind": "K"})
	absent.SetMeta("name", "n")
	want := object{"kind": "K", "metadata": object{"name": "n"}}
	if diff := cmp.Diff(want, absent.Fields()); diff != "" {
		t.Error(diff)
	}
	for _, value := range []any{nil, "text", []any{}} {
		original := object{"metadata": value}
		o := newShared(original)
		o.SetMeta("name", "n")
		o.RemoveMeta("name")
		if !same(o.Fields(), original) || o.MetaText("name") != "" {
			t.Errorf("metadata %v becomes %v", value, o.Fields())
		}
	}
}

// Metadata in normal form is read as it would be decoded, until a write gives
// it another form.
func TestNormalMetadata(t *testing.T) {
	normal, plain := newNormalShared(stored()), newShared(stored())
	for _, write := range []func(o *sharedObject){
		func(o *sharedObject) { o.SetMeta("resourceVersion", "1") },
		func(o *sharedObject) { o.SetMeta("uid", "u") },
		func(o *sharedObject) { o.SetMeta("finalizers", []any{"a.io/b", "c.io/d"}) },
		func(o *sharedObject) { o.SetMeta("finalizers", []any{int64(1)}) },
	} {
		write(&normal)
		write(&plain)
		got, gotErrs := normal.ReadMeta()
		want, wantErrs := plain.ReadMeta()
		if len(gotErrs) != len(wantErrs) {
			t.Fatalf("%v: %v, want %v", plain.Fields(), gotErrs, wantErrs)
		}
		if len(wantErrs) > 0 {
			continue
		}
		p := profile.Latest()
		a, b := got.ValidateTransition(want, p), want.ValidateTransition(got, p)
		if len(a)+len(b) > 0 {
			t.Errorf("%v is read differently: %v %v", plain.Fields(), a, b)
		}
	}
}

// Metadata that is not known to be in normal form is decoded (META-020).
func TestMetadataIsDecoded(t *testing.T) {
	o := newShared(object{"metadata": object{"labels": object{"a": int64(1)}}})
	if _, errs := o.ReadMeta(); len(errs) == 0 {
		t.Error("a label may be a number")
	}
}
