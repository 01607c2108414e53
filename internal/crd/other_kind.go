package crd

import (
	"fmt"
	"slices"
)

// internalVersion is the version of the server's own form of every kind, which nobody can send.
const internalVersion = "__internal"

// otherKind is the error of a document that is no definition of v1 or v1beta1, with the server's text.
type otherKind struct{ group, version, kind string }

func (e *otherKind) Error() string {
	if e.group == Group && e.version == internalVersion && e.kind == Kind {
		return fmt.Sprintf("the API version in the data (%s) does not match the expected API version (%s/v1)", e.groupVersion(), Group)
	}
	if name := e.goType(); name != "" {
		return fmt.Sprintf("converting (%s) to (apiextensions.%s): unknown conversion", name, Kind)
	}
	// The server's texts name its registry of kinds by the line of code that made it.
	const scheme = "pkg/runtime/scheme.go:111"
	if e.version == internalVersion {
		return fmt.Sprintf("no kind %q is registered for the internal version of group %q in scheme %q", e.kind, e.group, scheme)
	}
	return fmt.Sprintf("no kind %q is registered for version %q in scheme %q", e.kind, e.groupVersion(), scheme)
}

func (e *otherKind) groupVersion() string {
	if e.group == "" {
		return e.version
	}
	return e.group + "/" + e.version
}

// goType is the server's type of a kind that it knows besides definitions, empty if it does not know it.
func (e *otherKind) goType() string {
	is := func(kinds ...string) bool { return slices.Contains(kinds, e.kind) }
	version := e.groupVersion()
	switch {
	case is("WatchEvent") && (version == internalVersion || version == Group+"/"+internalVersion):
		return "v1.InternalEvent"
	case is("APIGroup", "APIGroupList", "APIResourceList", "APIVersions", "Status", "WatchEvent"):
		return "v1." + e.kind // of any version
	case version == Group+"/"+internalVersion && is(Kind+"List"):
		return "apiextensions." + e.kind
	case (version == Group+"/v1" || version == Group+"/v1beta1") && is(Kind+"List", "ConversionReview"):
		return e.version + "." + e.kind
	case (version == Group+"/v1" || version == Group+"/v1beta1" || version == "v1") &&
		is("CreateOptions", "DeleteOptions", "GetOptions", "ListOptions", "PatchOptions", "UpdateOptions"):
		return "v1." + e.kind
	}
	return ""
}
