package crd

import (
	"strings"
	"testing"
)

// The error for another kind names the Go type that the server decodes it into,
// or says that it knows no such kind.
func TestErrorsOfOtherKinds(t *testing.T) {
	const (
		group    = "apiextensions.k8s.io/"
		internal = "is registered for the internal version of group "
	)
	for _, c := range []struct{ apiVersion, kinds, want string }{
		{group + "v1", "CustomResourceDefinition ", ""},
		{group + "v1beta1", "CustomResourceDefinition ", ""},
		{"", "CustomResourceDefinition", ""},
		{group + "__internal", "CustomResourceDefinition", "the API version in the data " +
			"(apiextensions.k8s.io/__internal) does not match the expected API version " +
			"(apiextensions.k8s.io/v1)"},
		{"a/b/c", "Any", "unexpected GroupVersion string: a/b/c"},
		{"__internal", "WatchEvent", "v1.InternalEvent"},
		{group + "__internal", "WatchEvent", "v1.InternalEvent"},
		{"g.io/__internal", "WatchEvent", "v1.WatchEvent"},
		{"g.io/v7", "APIGroup APIGroupList APIResourceList APIVersions Status WatchEvent", "v1.KIND"},
		{group + "__internal", "CustomResourceDefinitionList",
			"apiextensions.CustomResourceDefinitionList"},
		{group + "v1", "CustomResourceDefinitionList ConversionReview", "v1.KIND"},
		{group + "v1beta1", "CustomResourceDefinitionList ConversionReview", "v1beta1.KIND"},
		{group + "v1", "CreateOptions DeleteOptions GetOptions ListOptions PatchOptions " +
			"UpdateOptions", "v1.KIND"},
		{group + "v1beta1", "CreateOptions UpdateOptions", "v1.KIND"},
		{"v1", "CreateOptions UpdateOptions", "v1.KIND"},
		{group + "__internal", "ListOptions", `no kind "KIND" ` + internal + `"apiextensions.k8s.io"`},
		{"__internal", "ListOptions CustomResourceDefinition", `no kind "KIND" ` + internal + `""`},
		{"v1", "Foo ConversionReview CustomResourceDefinitionList",
			`no kind "KIND" is registered for version "v1"`},
		{group + "v2", "CustomResourceDefinition CustomResourceDefinitionList ListOptions",
			`no kind "KIND" is registered for version "apiextensions.k8s.io/v2"`},
		{"g.io/", "Foo", `no kind "KIND" is registered for version "g.io/"`},
	} {
		for kind := range strings.SplitSeq(c.kinds, " ") {
			want := strings.ReplaceAll(c.want, "KIND", kind)
			switch {
			case strings.HasPrefix(want, "no kind "):
				want += ` in scheme "pkg/runtime/scheme.go:111"`
			case want != "" && !strings.Contains(want, " "):
				want = "converting (" + want + ") to (apiextensions.CustomResourceDefinition): " +
					"unknown conversion"
			}
			got := ""
			if _, err := formOf(c.apiVersion, kind); err != nil {
				got = err.Error()
			}
			if got != want {
				t.Errorf("%s, %s: got %q, want %q", c.apiVersion, kind, got, want)
			}
		}
	}
}
