package metadata

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// texts returns the texts of errors, one a line.
func texts(errs field.ErrorList) string {
	lines := make([]string, len(errs))
	for i, err := range errs {
		lines[i] = err.Error()
	}
	return strings.Join(lines, "\n")
}

const (
	kindReason = "a DNS-1035 label must consist of lower case alphanumeric characters or '-', " +
		"start with an alphabetic character, and end with an alphanumeric character " +
		"(e.g. 'my-name',  or 'abc-123', " +
		"regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
	labelReason = "a valid label must be an empty string or consist of alphanumeric characters, " +
		"'-', '_' or '.', and must start and end with an alphanumeric character " +
		"(e.g. 'MyValue',  or 'my_value',  or '12345', " +
		"regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
)

func TestValidateEmbedded(t *testing.T) {
	cases := []struct {
		name string
		in   object
		want []string
	}{
		{"META-001 both are required", object{}, []string{"apiVersion: Required value", "kind: Required value"}},
		{"META-002 empty", object{"apiVersion": "", "kind": "K"}, []string{`apiVersion: Invalid value: "": must not be empty`}},
		{"META-002 slashes", object{"apiVersion": "a/b/c", "kind": "K"}, []string{`apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c`}},
		{"META-002 no further syntax", object{"apiVersion": "a b", "kind": "K"}, nil},
		{"META-002 no string", object{"apiVersion": int64(1), "kind": nil},
			[]string{"apiVersion: Invalid value: 1: must be a string", "kind: Invalid value: null: must be a string"}},
		{"META-003 kind", object{"apiVersion": "v1", "kind": "a_b"},
			[]string{`kind: Invalid value: "a_b": may have mixed case, but should otherwise match: ` + kindReason}},
		{"META-003 no kind", object{"apiVersion": "v1", "kind": ""}, []string{`kind: Invalid value: "": must not be empty`}},
		{"META-009 a namespace", object{"apiVersion": "v1", "kind": "K", "metadata": object{"namespace": "a"}}, nil},
		{"META-009 decoder text", object{"apiVersion": "v1", "kind": "K", "metadata": int64(5)},
			[]string{"metadata: Invalid value: 5: json: cannot unmarshal number into Go value of type v1.ObjectMeta"}},
		{"META-009 names are path segments", object{"apiVersion": "v1", "kind": "K", "metadata": object{"name": "A b_c", "generateName": "."}}, nil},
		{"META-009 forbidden names", object{"apiVersion": "v1", "kind": "K", "metadata": object{"name": "..", "generateName": "a/%"}},
			[]string{`metadata.generateName: Invalid value: "a/%": may not contain '/'`, `metadata.generateName: Invalid value: "a/%": may not contain '%'`,
				`metadata.name: Invalid value: "..": may not be '..'`}},
		{"META-025 the same text is told once", object{"apiVersion": "v1", "kind": "K", "metadata": object{"labels": object{"a": "b c", "d": "b c"}}},
			[]string{`metadata.labels: Invalid value: "b c": ` + labelReason}},
	}
	for _, c := range cases {
		got := texts(ValidateEmbedded(c.in, profile.Latest()))
		if diff := cmp.Diff(strings.Join(c.want, "\n"), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	former := texts(ValidateEmbedded(object{"apiVersion": "v1", "kind": object{}}, profile.Of(33)))
	if want := "kind: Invalid value: map[string]interface {}{}: must be a string"; former != want {
		t.Errorf("META-003 in 1.33: %s, want %s", former, want)
	}
}

func TestValidateCreate(t *testing.T) {
	owner := object{"apiVersion": "v1", "kind": "K", "name": "n", "uid": "<u>", "controller": true}
	cases := []struct {
		name  string
		meta  any
		scope Scope
		want  []string
	}{
		{"META-021 nothing", nil, Namespaced, []string{"metadata.name: Required value: name or generateName is required", "metadata.namespace: Required value"}},
		{"META-021 cluster", object{"name": "a", "namespace": "b"}, ClusterScoped, []string{"metadata.namespace: Forbidden: not allowed on this type"}},
		{"META-021 generation", object{"name": "a", "generation": int64(-1)}, ClusterScoped,
			[]string{"metadata.generation: Invalid value: -1: must be greater than or equal to 0"}},
		{"META-021 annotations", object{"name": "a", "annotations": object{"A.io/x": strings.Repeat("v", 262139)}}, ClusterScoped,
			[]string{"metadata.annotations: Too long: may not be more than 262144 bytes"}},
		{"META-021 annotations as long as they may be", object{"name": "a", "annotations": object{"A.io/x": strings.Repeat("v", 131066), "A.io/y": strings.Repeat("v", 131066)}}, ClusterScoped, nil},
		{"META-021 finalizers", object{"name": "a", "finalizers": []any{"orphan", "foregroundDeletion"}}, ClusterScoped,
			[]string{`metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set`}},
		{"META-021 no object", "x", ClusterScoped, []string{`metadata: Invalid value: "x": expected map[string]interface{}, got string`}},
		{"META-021 two controllers", object{"name": "a", "ownerReferences": []any{owner, owner}}, ClusterScoped,
			[]string{`metadata.ownerReferences: Invalid value: [{"apiVersion":"v1","kind":"K","name":"n","uid":"\u003cu\u003e","controller":true},` +
				`{"apiVersion":"v1","kind":"K","name":"n","uid":"\u003cu\u003e","controller":true}]: ` +
				`Only one reference can have Controller set to true. Found "true" in references for K/n and K/n`}},
		{"META-021 controllers told once by name", object{"name": "a", "ownerReferences": []any{
			object{"apiVersion": "v", "kind": "K", "name": "n", "uid": "1", "controller": true}, object{"apiVersion": "v", "kind": "K", "name": "m", "uid": "2", "controller": true},
			object{"apiVersion": "v", "kind": "K", "name": "m", "uid": "3", "controller": true}}}, ClusterScoped,
			[]string{`metadata.ownerReferences: Invalid value: [{"apiVersion":"v","kind":"K","name":"n","uid":"1","controller":true},` +
				`{"apiVersion":"v","kind":"K","name":"m","uid":"2","controller":true},{"apiVersion":"v","kind":"K","name":"m","uid":"3","controller":true}]: ` +
				`Only one reference can have Controller set to true. Found "true" in references for K/n and K/m`}},
		{"META-021 an event owns nothing", object{"name": "a", "ownerReferences": []any{object{"apiVersion": "v1", "kind": "Event", "name": "n"}}}, ClusterScoped,
			[]string{"metadata.ownerReferences[0].uid: Required value: must not be empty",
				`metadata.ownerReferences[0]: Invalid value: {"apiVersion":"v1","kind":"Event","name":"n","uid":""}: /v1, Kind=Event is disallowed from being an owner`}},
		{"META-021 managers", object{"name": "a", "managedFields": []any{object{"operation": "Delete", "manager": "a\x01", "fieldsType": "X"}}}, ClusterScoped,
			[]string{`metadata.managedFields[0].operation: Unsupported value: "Delete": supported values: "Apply", "Update"`,
				"metadata.managedFields[0].fieldsType: Invalid value: \"X\": must be `FieldsV1`",
				`metadata.managedFields[0].manager: Invalid value: "a\x01": invalid character U+0001 (at position 1)`}},
	}
	for _, c := range cases {
		got := ValidateCreate(object{"metadata": c.meta}, c.scope, Subdomain(), profile.Latest())
		if diff := cmp.Diff(strings.Join(c.want, "\n"), texts(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestValidateUpdate(t *testing.T) {
	old := object{
		"name":              "a",
		"namespace":         "n",
		"uid":               "u",
		"generation":        int64(4),
		"creationTimestamp": "2020-01-01T00:00:00Z",
		"deletionTimestamp": "2021-01-01T00:00:00Z",
		"finalizers":        []any{"x.io/a"},
	}
	changed := object{
		"name":                       "b",
		"uid":                        "v",
		"generation":                 int64(3),
		"deletionGracePeriodSeconds": int64(9),
		"finalizers":                 []any{"x.io/c", "bad name", "x.io/a"},
	}
	want := []string{
		`metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"bad name", "x.io/c"}`,
		`metadata.resourceVersion: Invalid value: "": must be specified for an update`,
		"metadata.generation: Invalid value: 3: must not be decremented",
		`metadata.name: Invalid value: "b": field is immutable`,
		`metadata.namespace: Invalid value: "": field is immutable`,
		`metadata.uid: Invalid value: "v": field is immutable`,
		"metadata.creationTimestamp: Invalid value: null: field is immutable",
		"metadata.deletionTimestamp: Invalid value: null: field is immutable",
		"metadata.deletionGracePeriodSeconds: Invalid value: 9: field is immutable",
	}
	got := ValidateUpdate(object{"metadata": changed}, object{"metadata": old}, profile.Latest())
	if diff := cmp.Diff(strings.Join(want, "\n"), texts(got)); diff != "" {
		t.Errorf("META-032 (-want +got):\n%s", diff)
	}
}

// Generations of an update.
func TestGenerations(t *testing.T) {
	const negative = "metadata.generation: Invalid value: %d: must be greater than or equal to 0"
	const less = "metadata.generation: Invalid value: %d: must not be decremented"
	for _, c := range []struct {
		old, updated int64
		want         []string
	}{
		{0, 0, nil}, {2, 2, nil}, {2, 3, nil}, {2, 1, []string{less}}, {1, 0, []string{less}},
		{0, -1, []string{negative, less}}, {-1, -1, []string{negative}},
	} {
		of := func(n int64) Meta {
			return ReadNormal(object{"name": "a", "resourceVersion": "1", "generation": n})
		}
		var want []string
		for _, text := range c.want {
			want = append(want, fmt.Sprintf(text, c.updated))
		}
		got := texts(of(c.updated).ValidateTransition(of(c.old), profile.Latest()))
		if diff := cmp.Diff(strings.Join(want, "\n"), got); diff != "" {
			t.Errorf("%d after %d: %s", c.updated, c.old, diff)
		}
	}
}

// The fields of ObjectMeta, with their types.
func TestFields(t *testing.T) {
	const want = "[{name string []} {namespace string []} {labels strings []} {annotations " +
		"strings []} {uid string []} " +
		"{resourceVersion string []} {generation integer []} {creationTimestamp time []} " +
		"{managedFields structs [{manager string []} {operation string []} {apiVersion string " +
		"[]} {time time []} {fieldsType string []} {fieldsV1  []} {subresource string []}]} " +
		"{ownerReferences structs [{apiVersion string []} {kind string []} {name string []} " +
		"{uid string []} {controller boolean []} {blockOwnerDeletion boolean []}]} " +
		"{finalizers string list []} {generateName string []} {deletionTimestamp time []} " +
		"{deletionGracePeriodSeconds integer []} {selfLink string []}]"
	if got := fmt.Sprint(Fields()); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestValidateType(t *testing.T) {
	want := "kind: Invalid value: \"\": must be K\n" +
		"apiVersion: Invalid value: \"g/v2\": must be g/v1"
	got := texts(ValidateType(object{"kind": int64(1), "apiVersion": "g/v2"}, "K", "g/v1"))
	if got != want {
		t.Errorf("META-020: %s, want %s", got, want)
	}
	if got := ValidateType(object{"kind": "K", "apiVersion": "g/v1"}, "K", "g/v1"); got != nil {
		t.Errorf("META-020: %v", got)
	}
}

func TestFinalizerWarnings(t *testing.T) {
	resource := object{
		"metadata": object{"finalizers": []any{"x", "x.y", "orphan", "a.io/b", "old", "x"}},
	}
	want := []string{
		`metadata.finalizers: "x": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers`,
		`metadata.finalizers: "x.y": prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers`,
	}
	diff := cmp.Diff(want,
		FinalizerWarnings(resource, object{"metadata": object{"finalizers": []any{"old"}}},
			profile.Latest()))
	if diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What is known to be a time as the server writes it is one: the library says
// so too.
func TestPlainTimes(t *testing.T) {
	plain := 0
	for _, year := range []string{"0000", "0001", "0010", "0999", "1970", "2024", "9999"} {
		for _, rest := range []string{
			"-01-01T00:00:00Z", "-12-28T23:59:59Z", "-02-29T00:00:00Z", "-00-10T00:00:00Z", "-13-10T00:00:00Z", "-10-00T00:00:00Z", "-10-31T00:00:00Z",
			"-01-01T24:00:00Z", "-01-01T23:60:00Z", "-01-01T23:59:60Z", "-01-01t00:00:00Z", "-01-01T00:00:00z", "-01-01 00:00:00Z", "-01-01T00:00:0:Z",
			"-01-01T00:00:00", "-01-01T00:00:00.0Z", "-01-01T00:00:00+00:00", "/01/01T00:00:00Z", "-1-1T00:00:00Z", "",
		} {
			text := year + rest
			if !isPlainTime(text) {
				continue
			}
			plain++
			read, err := time.Parse(time.RFC3339, text)
			if err != nil || read.IsZero() || read.UTC().Format(time.RFC3339) != text {
				t.Errorf("%s is no time of the server's form: %v", text, err)
			}
		}
	}
	if plain != 10 {
		t.Errorf("%d texts are plain times", plain)
	}
}

// Errors move to the place of a resource, whatever their own path begins with.
func TestAt(t *testing.T) {
	for own, want := range map[string]string{
		"metadata.name": "a.b.metadata.name", "[k]": "a.b[k]",
	} {
		errs := At(field.NewPath("a", "b"), &field.Error{Field: own})
		if len(errs) != 1 || errs[0].Field != want {
			t.Errorf("%s becomes %v, want %s", own, errs, want)
		}
	}
	if errs := At(nil, &field.Error{Field: "kind"}); errs[0].Field != "kind" {
		t.Errorf("without a place: %v", errs)
	}
}

// Metadata that cannot be read is refused on both sides of an update
// (META-032).
func TestValidateUpdateOfUnreadable(t *testing.T) {
	good := object{"metadata": object{"name": "a"}}
	bad := object{"metadata": object{"name": int64(1)}}
	for name, errs := range map[string]field.ErrorList{
		"new": ValidateUpdate(bad, good, profile.Latest()),
		"old": ValidateUpdate(good, bad, profile.Latest()),
	} {
		if len(errs) != 1 || errs[0].Field != "metadata" {
			t.Errorf("%s: %v", name, errs)
		}
	}
}
