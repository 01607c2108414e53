package metadata

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// manyNames returns all short texts of some characters, and texts at the limits
// of length.
func manyNames() []string {
	names, last := []string{""}, []string{""}
	for range 4 {
		var longer []string
		for _, s := range last {
			for _, c := range []string{"a", "z", "A", "Z", "0", "9", "-", ".", "_", "/", "é"} {
				longer = append(longer, s+c)
			}
		}
		names, last = append(names, longer...), longer
	}
	for _, n := range []int{62, 63, 64, 252, 253, 254} {
		for _, name := range []string{strings.Repeat("a", n), strings.Repeat("a.", n)[:n],
			strings.Repeat("a", n-1) + "-", strings.Repeat("A", n)} {
			names = append(names, name, name+"/a", "a/"+name)
		}
	}
	return append(names, "@", "[", "`", "{", ":", "a@a", "a[a", "a`a", "a{a", "a:a", "a/", "/a")
}

// newest returns the words of the newest minor for those of an older version of
// the library, which a program may have.
func newest(reasons []string) []string {
	for i, reason := range reasons {
		reasons[i] = strings.NewReplacer("no more than 63 characters", "no more than 63 bytes",
			"no more than 253 characters", "no more than 253 bytes",
			"a qualified name must", "a valid label key must").Replace(reason)
	}
	return reasons
}

// The checks of names accept what the library accepts.
func TestNamesOfLibrary(t *testing.T) {
	for _, name := range manyNames() {
		lower := strings.ToLower(name)
		for check, c := range map[string]struct {
			fast    bool
			reasons []string
			library []string
		}{
			"qualified":  {isQualifiedName(name), qualifiedNameErrors(name), newest(validation.IsQualifiedName(name))},
			"annotation": {false, annotationKeyErrors(name), newest(validation.IsQualifiedName(lower))},
			"label": {isNamePart(name) || name == "", labelValueErrors(name),
				newest(validation.IsValidLabelValue(name))},
			"DNS label": {len(name) <= 63 && isDNSLabel(name, isLowerAlnum), dnsLabelErrors(name),
				validation.IsDNS1123Label(name)},
			"subdomain": {isSubdomain(name, isLowerAlnum), subdomainErrors(name),
				validation.IsDNS1123Subdomain(name)},
			"kind": {isKind(name), kindErrors(name), validation.IsDNS1035Label(lower)},
		} {
			if diff := cmp.Diff(c.library, c.reasons); diff != "" {
				t.Errorf("%s %q: %s", check, name, diff)
			}
			if check != "annotation" && c.fast != (len(c.library) == 0) {
				t.Errorf("%s %q is plain: %v", check, name, c.fast)
			}
		}
	}
}

// A generated name is checked with its last two bytes replaced, as the server
// does, if it ends with a dash.
func TestPrefixes(t *testing.T) {
	for name, want := range map[string]int{
		"a": 0, "-": 1, "a-": 0, "ab-": 0, "a.-": 0, ".-": 0, "a..-": 0, "A-": 0, "Ab-": 1, "a--": 0,
		"a_-": 0, "_a-": 1, strings.Repeat("a", 253) + "-": 0, strings.Repeat("a", 254) + "-": 1, "": 1,
	} {
		if got := Subdomain().Prefix(name); len(got) != want {
			t.Errorf("%q: %q, want %d reasons", name, got, want)
		}
	}
	if got := PathSegment().Prefix("."); got != nil {
		t.Errorf("a prefix of a path segment: %q", got)
	}
}

// Before 1.37, owners have other paths and texts (META-021).
func TestFormerOwners(t *testing.T) {
	for _, c := range []struct {
		owner object
		minor profile.Minor
		want  []string
	}{
		{object{"apiVersion": "v1", "kind": "K", "name": "n", "uid": "u"}, 36, nil},
		{object{"apiVersion": "a/", "kind": "K", "uid": "u"}, 36, []string{
			`metadata.ownerReferences.apiVersion: Invalid value: "a/": version must not be empty`,
			`metadata.ownerReferences.name: Invalid value: "": must not be empty`}},
		{object{"apiVersion": "v1", "name": "n"}, 36, []string{
			`metadata.ownerReferences.kind: Invalid value: "": must not be empty`,
			`metadata.ownerReferences.uid: Invalid value: "": must not be empty`}},
		{object{"apiVersion": "v1", "kind": "Event", "name": "n", "uid": "u"}, 36, []string{
			`metadata.ownerReferences: Invalid value: {"apiVersion":"v1","kind":"Event","name":"n",` +
				`"uid":"u"}: /v1, Kind=Event is disallowed from being an owner`}},
		{object{"apiVersion": "a/b/c", "kind": "K", "name": "n", "uid": "u"}, 37, []string{
			`metadata.ownerReferences[0].apiVersion: Invalid value: "a/b/c": ` +
				`must be <group>/<version> or <version>`}},
		{object{"apiVersion": "a/", "kind": "", "name": "n", "uid": "u"}, 37, []string{
			`metadata.ownerReferences[0].apiVersion: Invalid value: "a/": ` +
				`must be <group>/<version> or <version>`,
			"metadata.ownerReferences[0].kind: Required value: must not be empty"}},
		{object{"apiVersion": "", "kind": "Event", "name": "n", "uid": "u"}, 37, []string{
			"metadata.ownerReferences[0].apiVersion: Required value: must not be empty"}},
		{object{"apiVersion": "v2", "kind": "Event", "name": "n", "uid": "u"}, 37, nil},
		{object{"apiVersion": "a/v1", "kind": "Event", "name": "n", "uid": "u"}, 37, nil},
	} {
		meta := object{"name": "a", "ownerReferences": []any{c.owner}}
		p := profile.Of(c.minor)
		got := texts(ValidateCreate(object{"metadata": meta}, ClusterScoped, Subdomain(), p))
		if diff := cmp.Diff(strings.Join(c.want, "\n"), got); diff != "" {
			t.Errorf("%v in %v: %s", c.owner, c.minor, diff)
		}
	}
}

// References that are equal are repeated, whatever their uid.
func TestDistinctOwnerReferences(t *testing.T) {
	ref := func(uid, name string) object { return object{"uid": uid, "name": name} }
	for _, c := range []struct {
		refs     []any
		kept     int
		repeated []string
	}{
		{nil, 0, nil},
		{[]any{ref("1", "a"), ref("2", "a")}, 2, nil},
		{[]any{ref("1", "a"), ref("2", "b"), ref("1", "a")}, 2, []string{"1"}},
		{[]any{ref("1", "a"), ref("1", "b"), ref("1", "c"), ref("1", "b"), ref("1", "a")}, 3,
			[]string{"1", "1"}},
		{[]any{ref("", "a"), ref("", "a")}, 1, []string{""}},
		{[]any{ref("1", "a"), ref("1", "b"), ref("2", "b"), ref("2", "b")}, 3, []string{"2"}},
	} {
		kept, repeated := DistinctOwnerReferences(c.refs)
		if len(kept) != c.kept || !cmp.Equal(c.repeated, repeated) {
			t.Errorf("%v: kept %v, repeated %q", c.refs, kept, repeated)
		}
	}
}

// Labels and annotations alone have the errors that metadata has.
func TestEntriesAlone(t *testing.T) {
	labels := object{"ok": "v", "a b": "v", "c": "d e"}
	p := profile.Latest()
	got := ValidateLabels(labels, p)
	if len(got) != 2 || got[0].Field != "metadata.labels" || got[0].BadValue != "a b" ||
		got[1].BadValue != "d e" || got[1].Origin != entriesRule {
		t.Errorf("labels: %v", got)
	}
	got = ValidateAnnotations(object{"ok": "d e", "a b": "", "B c": ""}, "notes", p)
	if len(got) != 2 || got[0].Field != "metadata.notes" || got[0].BadValue != "B c" {
		t.Errorf("annotations: %v", got)
	}
	if got := ValidateLabels(object{"ok": "v"}, p); got != nil {
		t.Errorf("labels: %v", got)
	}
}

// A transition has the errors of an update without those of a create.
func TestTransition(t *testing.T) {
	meta := ReadNormal(object{"name": "b", "labels": object{"a b": "c"}, "resourceVersion": "1"})
	old := ReadNormal(object{"name": "a"})
	p := profile.Latest()
	const immutable = `metadata.name: Invalid value: "b": field is immutable`
	if got := texts(meta.ValidateTransition(old, p)); got != immutable {
		t.Errorf("transition: %s", got)
	}
	if got := meta.ValidateUpdate(old, p); len(got) != 2 {
		t.Errorf("update: %v", got)
	}
}

// Managers have their limits, and before 1.37 another text for the operation.
func TestManagers(t *testing.T) {
	for _, c := range []struct {
		entry object
		minor profile.Minor
		want  []string
	}{
		{object{"operation": "Apply", "manager": strings.Repeat("m", 128), "subresource": "status"}, 37, nil},
		{object{"operation": "Update", "manager": strings.Repeat("m", 129)}, 37,
			[]string{"metadata.managedFields[0].manager: Too long: may not be more than 128 bytes"}},
		{object{"operation": "Update", "subresource": strings.Repeat("m", 257)}, 37,
			[]string{"metadata.managedFields[0].subresource: Too long: may not be more than 256 bytes"}},
		{object{"operation": "Update", "subresource": strings.Repeat("m", 256), "fieldsType": "FieldsV1"}, 37, nil},
		{object{}, 37, []string{"metadata.managedFields[0].operation: Required value: must not be empty"}},
		{object{"operation": "X"}, 36,
			[]string{"metadata.managedFields[0].operation: Invalid value: \"X\": must be `Apply` or `Update`"}},
		{object{"operation": "Apply", "manager": "é\x00\x7f"}, 37, []string{
			`metadata.managedFields[0].manager: Invalid value: "é\x00\x7f": invalid character U+0000 (at position 2)`,
			`metadata.managedFields[0].manager: Invalid value: "é\x00\x7f": invalid character U+007F (at position 3)`}},
	} {
		meta := object{"name": "a", "managedFields": []any{c.entry}}
		p := profile.Of(c.minor)
		got := texts(ValidateCreate(object{"metadata": meta}, ClusterScoped, Subdomain(), p))
		if diff := cmp.Diff(strings.Join(c.want, "\n"), got); diff != "" {
			t.Errorf("%v in %v: %s", c.entry, c.minor, diff)
		}
	}
}

// Each finalizer has one warning, unless it is old or has a domain and a path.
func TestFinalizerWarningsOfOne(t *testing.T) {
	for name, want := range map[string]int{
		"a": 1, "a.b": 1, "a.b/c": 0, "a/b": 0, "orphan": 0, "foregroundDeletion": 0,
		"kubernetes": 0, "A b": 2, "a b/c": 1,
	} {
		in := object{"metadata": object{"finalizers": []any{name, name}}}
		if got := FinalizerWarnings(in, nil, profile.Latest()); len(got) != want {
			t.Errorf("%s: %q, want %d", name, got, want)
		}
		if got := FinalizerWarnings(in, in, profile.Latest()); got != nil {
			t.Errorf("%s is old: %q", name, got)
		}
	}
	in := object{"metadata": object{"finalizers": []any{"a", int64(1)}}}
	if got := FinalizerWarnings(in, nil, profile.Latest()); got != nil {
		t.Errorf("not a string: %q", got)
	}
}
