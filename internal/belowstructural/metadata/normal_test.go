package metadata

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Metadata is in normal form if and only if the decoder leaves it as it is.
func TestNormalIsUnchanged(t *testing.T) {
	values := []any{
		nil, "", "x", "\xff", int64(0), int64(7), 7.0, 7.5, math.NaN(), true, false,
		"2024-02-03T04:05:06Z", "2024-02-30T04:05:06Z", "2024-02-29T04:05:06Z", "2024-12-31T23:59:59Z",
		"2024-02-03T04:05:06.5Z", "2024-02-03T04:05:06+01:00", "0001-01-01T00:00:00Z",
		"0001-01-02T00:00:00Z",
		object{}, object(nil), object{"a": "b"}, object{"a": ""}, object{"a": int64(1)},
		object{"a": nil}, object{"\xff": "a"}, object{"a": "\xff"},
		object{"a": []any{1.5, true, nil, int64(1), "x"}}, object{"a": []any{"\xff"}},
		object{"a": []any{[]any(nil)}}, object{"a": 1e300}, object{"a": object{"b": 3.0}},
		[]any{}, []any(nil), []any{"a", "b"}, []any{"a", int64(1)}, []any{"a", "\xff"}, []any{nil},
		[]any{object{}}, []any{object(nil)}, []any{object{"name": "n"}}, []any{object{"operation": "Apply"}},
		[]any{object{"apiVersion": "", "kind": "K", "name": "n", "uid": "u"}},
		[]any{object{"apiVersion": "v", "kind": "K", "name": "n", "uid": "u", "controller": true}},
		[]any{object{"apiVersion": "v", "kind": "K", "name": "n", "uid": "u", "controller": nil}},
		[]any{object{"apiVersion": "v", "kind": "K", "name": "n", "uid": "u", "x": nil}},
		[]any{object{"manager": "m", "time": "2024-02-03T04:05:06Z", "fieldsV1": object{"f:a": object{}}}},
		[]any{object{"manager": "m", "fieldsV1": []any{1.5, 2.0}}},
		[]any{object{"manager": "m"}, object{"manager": ""}},
	}
	normal, changed := 0, 0
	for i := range objectMetaSpec.fields {
		name := objectMetaSpec.fields[i].name
		for _, value := range values {
			meta := object{name: value}
			coerced, err := Coerce(meta, Strict)
			want := err == nil && !coerced.Changed
			if got := IsNormal(meta); got != want {
				t.Errorf("%s: %#v: normal is %v, the decoder leaves it: %v, %v",
					name, value, got, want, err)
			}
			if IsNormalField(name, value) != IsNormal(meta) {
				t.Errorf("%s: %#v: the field alone differs", name, value)
			}
			if want {
				normal++
				continue
			}
			changed++
			if err == nil && cmp.Equal(meta, coerced.Metadata) && len(coerced.Unknown) == 0 {
				t.Errorf("%s: %#v: nothing changed", name, value)
			}
		}
	}
	if normal < 40 || changed < normal {
		t.Errorf("%d are normal, %d are not", normal, changed)
	}
	if IsNormalField("unheard", "x") || IsNormal(object{"unheard": "x"}) {
		t.Error("an unknown field is normal")
	}
}

// Each part of a value is looked at, not only the first one.
func TestNotNormal(t *testing.T) {
	for name, value := range map[string]any{
		"labels": object{"a": "b", "c": int64(1)}, "finalizers": []any{"a", int64(1)},
		"managedFields":   []any{object{"manager": "m"}, object{"manager": ""}},
		"ownerReferences": []any{object{"apiVersion": "v", "kind": "K", "name": "n"}},
		"uid":             "", "generation": int64(0), "creationTimestamp": "0001-01-01T00:00:00Z",
	} {
		coerced, err := Coerce(object{name: value}, Drop)
		if IsNormalField(name, value) || err == nil && cmp.Equal(coerced.Metadata[name], value) {
			t.Errorf("%s: %v is normal: %v, %v", name, value, coerced, err)
		}
	}
}

// Bytes that are no UTF-8 are replaced in each kind of text, as the JSON writer
// does.
func TestInvalidUTF8(t *testing.T) {
	const bad, good = "a\xff", "a\ufffd"
	in := object{
		"name": bad, "labels": object{bad: bad}, "finalizers": []any{bad},
		"managedFields": []any{object{"fieldsV1": object{bad: []any{bad}}}},
		"ownerReferences": []any{
			object{"apiVersion": bad, "kind": bad, "name": bad, "uid": bad},
		},
	}
	want := object{
		"name": good, "labels": object{good: good}, "finalizers": []any{good},
		"managedFields": []any{object{"fieldsV1": object{good: []any{good}}}},
		"ownerReferences": []any{
			object{"apiVersion": good, "kind": good, "name": good, "uid": good},
		},
	}
	got, err := Coerce(in, Strict)
	if diff := cmp.Diff(want, got.Metadata); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
}

// What is nested as deep as the decoder accepts is normal, and no deeper.
func TestNormalDepth(t *testing.T) {
	for _, most := range []bool{true, false} {
		var value any = object{}
		depth := maxDepth - rawDepth
		if !most {
			depth++
		}
		for range depth {
			value = []any{value}
		}
		entry := object{"managedFields": []any{object{"fieldsV1": value}}}
		if got := IsNormal(entry); got != most {
			t.Errorf("%d levels: normal is %v", depth, got)
		}
	}
}

// A root that needs no change has the fields that the decoder finds.
func TestNormalRoot(t *testing.T) {
	good := object{"name": "n"}
	for _, c := range []struct {
		in     object
		normal bool
	}{
		{object{"kind": "K", "apiVersion": "g/v1", "metadata": good}, true},
		{object{"kind": "K", "apiVersion": "v1", "metadata": good}, true},
		{object{"kind": "K", "metadata": good}, true}, {object{"kind": "K"}, true},
		{object{"kind": "K", "apiVersion": ""}, true}, {object{"kind": "", "apiVersion": "v1"}, false},
		{object{"apiVersion": "v1"}, false}, {object{"kind": int64(1)}, false},
		{object{"kind": "K", "apiVersion": int64(1)}, false}, {object{"kind": "K", "apiVersion": nil}, false},
		{object{"kind": "K", "apiVersion": "a/b/c"}, false}, {object{"kind": "\xff"}, false},
		{object{"kind": "K", "apiVersion": "\xff"}, false},
		{object{"kind": "K", "metadata": nil}, false}, {object{"kind": "K", "metadata": object(nil)}, false},
		{object{"kind": "K", "metadata": "x"}, false},
		{object{"kind": "K", "metadata": object{"name": int64(1)}}, false},
	} {
		got, normal := NormalRoot(c.in)
		if normal != c.normal {
			t.Errorf("%v: normal is %v", c.in, normal)
		}
		want, err := CoerceRoot(c.in, Strict)
		if !normal {
			continue
		}
		if err != nil || fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
			t.Errorf("%v: got %+v, want %+v, %v", c.in, got, want, err)
		}
	}
}
