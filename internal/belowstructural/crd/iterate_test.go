package crd

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// holders are schemas that hold others, named by their title, one for each
// keyword that has schemas.
var holders = strings.Fields(`{"items":{"title":"a"}} {"items":[{"title":"a"},{"title":"b"}]}
	{"allOf":[{"title":"a"},{"title":"b"}]} {"anyOf":[{"title":"a"},{"title":"b"}]}
	{"oneOf":[{"title":"a"},{"title":"b"}]} {"not":{"title":"a"}}
	{"properties":{"y":{"title":"b"},"x":{"title":"a"}}} {"additionalProperties":{"title":"a"}}
	{"patternProperties":{"y":{"title":"b"},"x":{"title":"a"}}} {"additionalItems":{"title":"a"}}
	{"definitions":{"y":{"title":"b"},"x":{"title":"a"}}}
	{"dependencies":{"y":{"title":"b"},"x":{"title":"a"},"z":["x"]}}`)

// Each keyword is entered, its schemas come in order, and a walk can stop.
func TestAll(t *testing.T) {
	together := `{"items":{"title":"1"},"allOf":[{"title":"2"}],"anyOf":[{"title":"3"}],
"oneOf":[{"title":"4"}],"not":{"title":"5"},"properties":{"a":{"title":"6"}},
"additionalProperties":{"title":"7"},"patternProperties":{"a":{"title":"8"}},
"additionalItems":{"title":"9"},"definitions":{"a":{"title":"10"}},
"dependencies":{"a":{"title":"11"}}}`
	for _, text := range append(holders, together) {
		p, err := DecodeSchema([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"", "a", "b"}[:2+strings.Count(text, `"b"`)]
		if text == together {
			want = strings.Fields("- 1 2 3 4 5 6 7 8 9 10 11")
			want[0] = ""
		}
		for most := 1; most <= len(want); most++ {
			if diff := cmp.Diff(want[:most], titles(p.All(), most)); diff != "" {
				t.Errorf("%s, %d: %s", text, most, diff)
			}
			if got := titles(p.Distinct(), most); len(got) != most || got[0] != "" {
				t.Errorf("%s, %d: distinct %q", text, most, got)
			}
		}
		got := titles(p.Distinct(), 100)
		if slices.Sort(got); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
			t.Errorf("%s: distinct %q", text, got)
		}
	}
	if got := titles((*JSONSchemaProps)(nil).All(), 9); got != nil {
		t.Errorf("no schema has %q", got)
	}
}

// titles returns at most a number of titles.
func titles(all iter.Seq[*JSONSchemaProps], most int) (found []string) {
	for p := range all {
		if found = append(found, p.Title); len(found) == most {
			break
		}
	}
	return found
}

// A schema that stands at two places is entered once, and comes twice in All.
func TestDistinct(t *testing.T) {
	inner := &JSONSchemaProps{Title: "inner", Not: &JSONSchemaProps{Title: "leaf"}}
	p := &JSONSchemaProps{Properties: map[string]*JSONSchemaProps{"a": inner, "b": inner}}
	if got := titles(p.Distinct(), 100); len(got) != 3 {
		t.Errorf("distinct: %q", got)
	}
	if got := titles(p.All(), 100); len(got) != 5 {
		t.Errorf("all: %q", got)
	}
}

// Before 1.35 the path in an error ends at the first union.
func TestWordedIn(t *testing.T) {
	const head = `"kind":"CustomResourceDefinition","spec":{"versions":[{"schema":{"openAPIV3Schema":`
	for _, c := range []struct{ version, schema, now, then string }{
		{"v1", `{"maxLength":"x"}`, ".maxLength of type int64", ".maxLength of type int64"},
		{"v1", `{"items":{"maxLength":"x"}}`, ".items.maxLength of type int64",
			".items of type int64"},
		{"v1", `{"not":{"dependencies":{"a":{"items":{"type":1}}}}}`,
			".not.dependencies.items.type of type string", ".not.dependencies of type string"},
		{"v1beta1", `{"items":{"x-kubernetes-validations":[1]}}`,
			".items.x-kubernetes-validations of type v1beta1.ValidationRule",
			".items of type v1beta1.ValidationRule"},
	} {
		text := `{"apiVersion":"apiextensions.k8s.io/` + c.version + `",` + head + c.schema + "}}]}}"
		for minor, want := range map[profile.Minor]string{34: c.then, 35: c.now} {
			_, _, err := DecodeDefinition([]byte(text), profile.Of(minor))
			if err == nil || !strings.HasSuffix(err.Error(), want) ||
				!strings.Contains(err.Error(), "openAPIV3Schema"+want) {
				t.Errorf("%s, %v: %v, want %s", text, minor, err, want)
			}
		}
	}
	other := errors.New("other")
	if got := WordedIn(profile.Of(profile.Oldest), other); got != other {
		t.Errorf("got %v", got)
	}
}

func TestStoredVersions(t *testing.T) {
	versions := func(names ...string) (list []CustomResourceDefinitionVersion) {
		for _, name := range names {
			name, isStorage := strings.CutSuffix(name, "*")
			list = append(list, CustomResourceDefinitionVersion{Name: name, Storage: isStorage})
		}
		return list
	}
	for _, c := range []struct {
		stored, versions []string
		added            []string
		errs             []string
	}{
		{[]string{"v1"}, []string{"v1*", "v2"}, []string{"v1"}, nil},
		{nil, []string{"v1", "v2*"}, []string{"v2"},
			[]string{"status.storedVersions: must have at least one stored version"}},
		{[]string{"v1"}, []string{"v1", "v2"}, []string{"v1"}, nil},
		{nil, []string{"v1*", "v2"}, []string{"v1"},
			[]string{"status.storedVersions: must have at least one stored version"}},
		{nil, []string{"v1"}, nil,
			[]string{"status.storedVersions: must have at least one stored version"}},
		{[]string{"v1"}, []string{"v1", "v2*"}, []string{"v1", "v2"},
			[]string{"status.storedVersions: must have the storage version v2"}},
		{[]string{"v1", "v0", "v0"}, []string{"v1*"}, []string{"v1", "v0", "v0"},
			[]string{"status.storedVersions[2]: must appear in spec.versions"}},
		{[]string{"v1"}, []string{"v1*", "v1*"}, []string{"v1"},
			[]string{"status.storedVersions: must have the storage version v1"}},
	} {
		list := versions(c.versions...)
		if diff := cmp.Diff(c.added, AddStorageVersion(c.stored, list)); diff != "" {
			t.Errorf("%v and %v: %s", c.stored, c.versions, diff)
		}
		var got []string
		for _, err := range ValidateStoredVersions(c.stored, list, profile.Of(profile.Oldest)) {
			got = append(got, err.Field+": "+err.Detail)
		}
		if diff := cmp.Diff(c.errs, got); diff != "" {
			t.Errorf("%v and %v: %s", c.stored, c.versions, diff)
		}
	}
	errs := ValidateStoredVersions([]string{"v1", "v0"}, versions("v1*"), profile.Latest())
	if len(errs) != 1 || errs[0].Detail != fmt.Sprintf(missingVersion, "v0") ||
		errs[0].Origin != "CRD-110" {
		t.Errorf("got %v", errs)
	}
}
