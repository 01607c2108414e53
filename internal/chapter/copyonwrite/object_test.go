package copyonwrite_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/chapter/copyonwrite"
	"github.com/crdsem/crdsem/internal/chapter/profile"
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
func TestWrites(t *testing.T) {
	for name, c := range map[string]struct {
		write func(o *copyonwrite.Object)
		want  func(want object) // changes a copy of what is stored
	}{
		"set a field": {
			func(o *copyonwrite.Object) { o.Set("spec", "y") },
			func(want object) { want["spec"] = "y" },
		},
		"remove a field": {
			func(o *copyonwrite.Object) { o.Remove("spec") },
			func(want object) { delete(want, "spec") },
		},
		"set metadata": {
			func(o *copyonwrite.Object) { o.SetMeta("uid", "u") },
			func(want object) { want["metadata"].(object)["uid"] = "u" },
		},
		"set an empty string": {
			func(o *copyonwrite.Object) { o.SetMetaText("name", "") },
			func(want object) { delete(want["metadata"].(object), "name") },
		},
		"set no generation": {
			func(o *copyonwrite.Object) { o.SetGeneration(0) },
			func(want object) { delete(want["metadata"].(object), "generation") },
		},
		"several": {
			func(o *copyonwrite.Object) {
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
		o := copyonwrite.New(original)
		shared := o.Share()
		c.write(&o)
		if diff := cmp.Diff(want, o.Fields()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if diff := cmp.Diff(stored(), original); diff != "" {
			t.Errorf("%s changes the original: %s", name, diff)
		}
		if !jsonvalue.Identical(shared.Fields(), original) {
			t.Errorf("%s changes an object that was shared before", name)
		}
		if !jsonvalue.Identical(o.Fields()["kind"], original["kind"]) {
			t.Errorf("%s copies what it does not write", name)
		}
	}
}

// Writes that change nothing copy nothing.
func TestWritesWithoutEffect(t *testing.T) {
	original := stored()
	o := copyonwrite.New(original)
	o.SetMeta("name", "n")
	o.SetMetaText("name", "n")
	o.SetGeneration(3)
	o.SetMetaText("namespace", "")
	o.RemoveMeta("uid")
	o.Remove("status")
	if !jsonvalue.Identical(o.Fields(), original) {
		t.Error("the object was copied")
	}
	if o.MetaText("name") != "n" || o.MetaText("labels") != "" || o.Generation() != 3 {
		t.Errorf("read %q, %q, %d", o.MetaText("name"), o.MetaText("labels"), o.Generation())
	}
}

// The object and its metadata are copied once, however often they are written.
func TestCopiesOnce(t *testing.T) {
	o := copyonwrite.New(stored())
	o.SetMeta("uid", "u")
	first := o.Fields()
	o.SetMeta("uid", "v")
	o.Set("spec", "y")
	if !jsonvalue.Identical(o.Fields(), first) {
		t.Error("the second write copies the object")
	}
	if !jsonvalue.Identical(first["metadata"], o.Fields()["metadata"]) ||
		o.MetaText("uid") != "v" {
		t.Error("the second write copies the metadata")
	}
}

// Metadata that is absent is made; anything but an object stays in its place.
func TestOddMetadata(t *testing.T) {
	absent := copyonwrite.New(object{"kind": "K"})
	absent.SetMeta("name", "n")
	want := object{"kind": "K", "metadata": object{"name": "n"}}
	if diff := cmp.Diff(want, absent.Fields()); diff != "" {
		t.Error(diff)
	}
	for _, value := range []any{nil, "text", []any{}} {
		original := object{"metadata": value}
		o := copyonwrite.New(original)
		o.SetMeta("name", "n")
		o.RemoveMeta("name")
		if !jsonvalue.Identical(o.Fields(), original) || o.MetaText("name") != "" {
			t.Errorf("metadata %v becomes %v", value, o.Fields())
		}
	}
}

// Metadata in normal form is read as it would be decoded, until a write gives
// it another form.
func TestNormalMetadata(t *testing.T) {
	normal, plain := copyonwrite.NewNormal(stored()), copyonwrite.New(stored())
	for _, write := range []func(o *copyonwrite.Object){
		func(o *copyonwrite.Object) { o.SetMeta("resourceVersion", "1") },
		func(o *copyonwrite.Object) { o.SetMeta("uid", "u") },
		func(o *copyonwrite.Object) { o.SetMeta("finalizers", []any{"a.io/b", "c.io/d"}) },
		func(o *copyonwrite.Object) { o.SetMeta("finalizers", []any{int64(1)}) },
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
	o := copyonwrite.New(object{"metadata": object{"labels": object{"a": int64(1)}}})
	if _, errs := o.ReadMeta(); len(errs) == 0 {
		t.Error("a label may be a number")
	}
}
