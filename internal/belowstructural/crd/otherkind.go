package crd

import (
	"fmt"
	"slices"

	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// internalVersion is the version of the server's internal types. Clients cannot
// send it.
const internalVersion = "__internal"

// otherKind is the error for a document that is not a definition of v1 or
// v1beta1. It has the server's text.
type otherKind struct {
	group, version, kind string
	profile              *profile.Profile
}

// Error returns the server's text.
func (e *otherKind) Error() string {
	if e.group == Group && e.version == internalVersion && e.kind == Kind {
		const text = "the API version in the data (%s) " +
			"does not match the expected API version (%s/v1)"
		return fmt.Sprintf(text, e.groupVersion(), Group)
	}
	if name := e.goType(); name != "" {
		return fmt.Sprintf("converting (%s) to (apiextensions.%s): unknown conversion", name, Kind)
	}
	scheme := e.profile.Registry()
	if e.version == internalVersion {
		const text = "no kind %q is registered for the internal version of group %q in scheme %q"
		return fmt.Sprintf(text, e.kind, e.group, scheme)
	}
	const text = "no kind %q is registered for version %q in scheme %q"
	return fmt.Sprintf(text, e.kind, e.groupVersion(), scheme)
}

func (e *otherKind) groupVersion() string {
	if e.group == "" {
		return e.version
	}
	return e.group + "/" + e.version
}

// goType returns the Go type of a kind that the server knows, e.g.
// "v1.CustomResourceDefinitionList". It is empty for unknown kinds.
func (e *otherKind) goType() string {
	is := func(kinds ...string) bool { return slices.Contains(kinds, e.kind) }
	version := e.groupVersion()
	isOfGroup := version == Group+"/v1" || version == Group+"/v1beta1"
	switch {
	case is("WatchEvent") && (version == internalVersion || version == Group+"/"+internalVersion):
		return "v1.InternalEvent"
	case is("APIGroup", "APIGroupList", "APIResourceList", "APIVersions", "Status", "WatchEvent"):
		return "v1." + e.kind // of any version
	case version == Group+"/"+internalVersion && is(Kind+"List"):
		return "apiextensions." + e.kind
	case isOfGroup && is(Kind+"List", "ConversionReview"):
		return e.version + "." + e.kind
	case (isOfGroup || version == "v1") && is("CreateOptions", "DeleteOptions", "GetOptions",
		"ListOptions", "PatchOptions", "UpdateOptions"):
		return "v1." + e.kind
	}
	return ""
}
