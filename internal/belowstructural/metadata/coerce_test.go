package metadata

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/test/allocs"

	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

type object = map[string]any

func TestCoerce(t *testing.T) {
	cases := []struct {
		name    string // with the rule id
		in      any
		mode    Mode
		want    object
		unknown []string
		err     string
	}{
		{name: "META-005 unknown fields go at any depth",
			in:      object{"name": "a", "junk": int64(1), "ownerReferences": []any{object{"apiVersion": "v1", "kind": "K", "name": "n", "uid": "u", "zz": true}}},
			want:    object{"name": "a", "ownerReferences": []any{object{"apiVersion": "v1", "kind": "K", "name": "n", "uid": "u"}}},
			unknown: []string{"junk", "ownerReferences[0].zz"}},
		{name: "META-005 names are case-sensitive", in: object{"Name": "a"}, want: object{}, unknown: []string{"Name"}},
		{name: "META-006 number for a string", in: object{"name": int64(1)},
			err: "json: cannot unmarshal number into Go struct field ObjectMeta.name of type string"},
		{name: "META-006 string for the whole", in: "x", err: "json: cannot unmarshal string into Go value of type v1.ObjectMeta"},
		{name: "META-006 array for the whole", in: []any{}, err: "json: cannot unmarshal array into Go value of type v1.ObjectMeta"},
		{name: "META-006 fraction for an integer", in: object{"generation": 1.5},
			err: "json: cannot unmarshal number 1.5 into Go struct field ObjectMeta.generation of type int64"},
		{name: "META-006 no time", in: object{"creationTimestamp": "yesterday"},
			err: `parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"`},
		{name: "META-006 an error names the outer field of a map", in: object{"labels": object{"a": int64(1)}},
			err: "json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string"},
		{name: "META-006 within a list of structs", in: object{"ownerReferences": []any{object{"name": true}}},
			err: "json: cannot unmarshal bool into Go struct field OwnerReference.ownerReferences.name of type string"},
		{name: "META-006 a time's error wins over an earlier mismatch", in: object{"annotations": "x", "creationTimestamp": int64(5)},
			err: "json: cannot unmarshal number into Go struct field ObjectMeta.creationTimestamp of type string"},
		{name: "META-007 a field that fails is dropped whole", mode: Drop,
			in: object{"name": "a", "labels": object{"a": int64(1), "b": "c"}, "junk": nil}, want: object{"name": "a"}, unknown: []string{"junk"}},
		{name: "META-007 what is no object stays an error", mode: Drop, in: "x", err: "invalid metadata: expected object, got string"},
		{name: "META-008 empty fields vanish",
			in: object{"labels": object{}, "annotations": nil, "finalizers": []any{}, "ownerReferences": []any{}, "managedFields": []any{},
				"name": "", "generation": int64(0), "creationTimestamp": nil}, want: object{}},
		{name: "META-008 null becomes an empty object", in: nil, want: object{}},
		{name: "META-008 times are rendered in UTC seconds", in: object{"creationTimestamp": "2020-01-01T01:00:00.7+01:00"},
			want: object{"creationTimestamp": "2020-01-01T00:00:00Z"}},
		{name: "META-008 a pointer's zero stays", in: object{"deletionGracePeriodSeconds": int64(0)}, want: object{"deletionGracePeriodSeconds": int64(0)}},
		{name: "META-008 a null label value becomes empty", in: object{"labels": object{"a": nil}}, want: object{"labels": object{"a": ""}}},
		{name: "META-008 a whole float becomes an integer", in: object{"generation": 2.0}, want: object{"generation": int64(2)}},
		{name: "META-008 owner references gain their four names", in: object{"ownerReferences": []any{object{"controller": false}, nil}},
			want: object{"ownerReferences": []any{object{"apiVersion": "", "kind": "", "name": "", "uid": "", "controller": false},
				object{"apiVersion": "", "kind": "", "name": "", "uid": ""}}}},
		{name: "META-008 fieldsV1 is kept", in: object{"managedFields": []any{object{"fieldsV1": object{"f:a": object{}, "n": 1e21, "i": 3.0}, "time": nil}}},
			want: object{"managedFields": []any{object{"fieldsV1": object{"f:a": object{}, "n": 1e21, "i": int64(3)}}}}},
		{name: "META-006 no time in a list of structs", in: object{"managedFields": []any{object{"time": "x"}}},
			err: `parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"`},
		{name: "a number in a list that JSON has not", in: object{"junk": []any{int64(1), math.Inf(1)}}, err: "json: unsupported value: +Inf"},
		{name: "a type that JSON has not", in: object{"junk": []any{nil, true, "x", 1}}, err: "json: unsupported type: int"},
		{name: "META-008 nil lists and objects are null", in: object{"labels": object(nil), "finalizers": []any(nil), "managedFields": []any{object{"fieldsV1": object(nil)}}},
			want: object{"managedFields": []any{object{}}}},
		{name: "a number that JSON has not", in: object{"junk": math.NaN()}, err: "json: unsupported value: NaN"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			before := reprint(c.in)
			got, err := Coerce(c.in, c.mode)
			if reprint(c.in) != before {
				t.Errorf("the argument was changed: %v", c.in)
			}
			if errorText(err) != c.err {
				t.Fatalf("error %q, want %q", errorText(err), c.err)
			}
			if diff := cmp.Diff(c.want, got.Metadata); diff != "" {
				t.Errorf("metadata (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.unknown, got.Unknown); diff != "" {
				t.Errorf("unknown fields (-want +got):\n%s", diff)
			}
		})
	}
}

// Every kind of field, with values of every type (META-006, META-008).
func TestCoerceValues(t *testing.T) {
	table, err := os.ReadFile("testdata/values.txt")
	if err != nil {
		t.Fatal(err)
	}
	name, compared := "", 0
	for line := range strings.Lines(string(table)) {
		line = strings.TrimSuffix(line, "\n")
		columns := strings.Split(line, "\t")
		if len(columns) == 1 {
			name = line
			continue
		}
		for _, text := range columns[2:] {
			in := `{"` + name + `":` + text + `}`
			if list, below, ok := strings.Cut(name, "[]."); ok {
				in = `{"` + list + `":[{"` + below + `":` + text + `}]}`
			}
			value, _, err := jsonvalue.DecodeObject([]byte(in))
			if err != nil {
				t.Fatal(err)
			}
			coerced, err := Coerce(value, Strict)
			got := errorText(err)
			if err == nil {
				data, _ := json.Marshal(coerced.Metadata)
				got = string(data)
			}
			if got != columns[1] {
				t.Errorf("%s: %s, want %s", in, got, columns[1])
			}
			changed := !cmp.Equal(value,
				coerced.Metadata) || text == "1e30" // is decoded in any case
			if err == nil && changed != coerced.Changed {
				t.Errorf("%s becomes %s, a change: %t", in, got, coerced.Changed)
			}
			compared++
		}
	}
	if compared != 300 {
		t.Errorf("%d values", compared)
	}
}

func TestCoerceReportsAtMostHundredUnknownFields(t *testing.T) {
	in := object{}
	for _, a := range strings.Split("a b c d e f g h i j k", " ") {
		for _, b := range strings.Split("a b c d e f g h i j k", " ") {
			in[a+b] = true
		}
	}
	got, err := Coerce(in, Strict)
	if err != nil || len(got.Unknown) != 100 || len(got.Metadata) != 0 {
		t.Errorf("Coerce: %d unknown fields, %v, %v", len(got.Unknown), got.Metadata, err)
	}
}

func TestCoerceRoot(t *testing.T) {
	cases := []struct {
		name, err string
		in        object
	}{
		{"META-022 kind", ".kind accessor error: 5 is of the type int64, expected string", object{"kind": int64(5), "apiVersion": true}},
		{"META-022 null is present", ".apiVersion accessor error: <nil> is of the type <nil>, expected string", object{"kind": "K", "apiVersion": nil}},
		{"META-022 metadata", "json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string", object{"metadata": object{"labels": object{"a": int64(1)}}}},
		{"META-022 slashes", "unexpected GroupVersion string: a/b/c", object{"apiVersion": "a/b/c"}},
	}
	for _, c := range cases {
		if _, err := CoerceRoot(c.in, Strict); errorText(err) != c.err {
			t.Errorf("%s: error %q, want %q", c.name, errorText(err), c.err)
		}
	}
	root, err := CoerceRoot(
		object{"apiVersion": "g.io/v1", "kind": "K", "metadata": object{"name": "n", "zz": nil}},
		Strict,
	)
	want := Root{
		Metadata:    Coerced{Metadata: object{"name": "n"}, Unknown: []string{"zz"}, Changed: true},
		HasMetadata: true,
		Unknown:     []string{"metadata.zz"},
		Group:       "g.io",
		Version:     "v1",
		Kind:        "K",
	}
	if diff := cmp.Diff(want, root); diff != "" || err != nil {
		t.Errorf("META-023: %v (-want +got):\n%s", err, diff)
	}
	if root, err := CoerceRoot(object{}, Strict); err != nil || root.HasMetadata {
		t.Errorf("META-023 absent metadata: %+v, %v", root, err)
	}
}

// normalMetadata has every field, in normal form.
func normalMetadata() object {
	return object{
		"name": "web-0", "namespace": "prod", "uid": "u-1", "resourceVersion": "12",
		"generation": int64(3), "generateName": "web-",
		"creationTimestamp": "2020-01-01T00:00:00Z", "deletionTimestamp": "2021-01-01T00:00:00Z",
		"deletionGracePeriodSeconds": int64(0),
		"labels": object{
			"app.example.com/name": "web",
			"tier":                 "",
		}, "annotations": object{"Example.com/note": "any text", "short": ""},
		"finalizers": []any{"example.com/cleanup"},
		"ownerReferences": []any{
			object{
				"apiVersion":         "apps/v1",
				"kind":               "StatefulSet",
				"name":               "web",
				"uid":                "u-0",
				"controller":         true,
				"blockOwnerDeletion": false,
			},
		},
		"managedFields": []any{
			object{
				"manager":     "kubectl",
				"operation":   "Apply",
				"apiVersion":  "g.io/v1",
				"time":        "2020-01-01T00:00:00Z",
				"fieldsType":  "FieldsV1",
				"fieldsV1":    object{"f:spec": object{".": object{}, "f:n": object{}}},
				"subresource": "status",
			},
		},
	}
}

func TestNormalMetadataAllocatesNothing(t *testing.T) {
	resource := object{"apiVersion": "g.io/v1", "kind": "K", "metadata": normalMetadata()}
	old := object{"metadata": normalMetadata()}
	works := map[string]func() int{
		"Coerce": func() int {
			c, err := Coerce(resource["metadata"], Strict)
			return len(c.Unknown) + len(errorText(err))
		},
		"CoerceRoot": func() int {
			root, err := CoerceRoot(resource, Strict)
			return len(root.Unknown) + len(errorText(err))
		},
		"ValidateCreate":   func() int { return len(ValidateCreate(resource, Namespaced, Subdomain(), profile.Latest())) },
		"ValidateUpdate":   func() int { return len(ValidateUpdate(resource, old, profile.Latest())) },
		"ValidateEmbedded": func() int { return len(ValidateEmbedded(resource, profile.Latest())) },
	}
	for name, work := range works {
		if n := work(); n != 0 {
			t.Errorf("%s finds %d", name, n)
		}
		allocs.AtMost(t, 0, name, func() { work() })
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// A resource with a normal fieldsV1 is not looked at again, so it must not be
// nested deeper than jsonvalue.Check allows.
func TestFieldsV1Depth(t *testing.T) {
	deepest := 0
	for levels := 9990; levels <= 10005; levels++ {
		fields := object{}
		for range levels - 1 {
			fields = object{"f:a": fields}
		}
		resource := object{"kind": "K", "metadata": object{
			"managedFields": []any{object{"fieldsV1": fields}}}}
		_, normal := NormalRoot(resource)
		if err := jsonvalue.Check(resource); normal != (err == nil) {
			t.Errorf("%d levels: normal %v, though the check says %v", levels, normal, err)
		}
		if normal {
			deepest = levels
		}
	}
	if deepest != jsonvalue.MaxDepth-3 {
		t.Errorf("the deepest one has %d levels", deepest)
	}
}
