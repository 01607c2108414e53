package conversionreview

import (
	stdjson "encoding/json"
	"errors"
	"fmt"
	"strings"

	"sigs.k8s.io/json"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/base/yamljson"
	"github.com/crdsem/crdsem/internal/belowstructural/metadata"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// isOtherKind reports whether the server's webhook decoder knows a kind, e.g.
// Status. It knows some kinds in any version, and some in the versions of a
// review only.
func isOtherKind(apiVersion, kind string) bool {
	switch kind {
	case "APIGroup", "APIGroupList", "APIResourceList", "APIVersions", "Status":
		return true
	case Kind, "CustomResourceDefinition", "CustomResourceDefinitionList", "CreateOptions",
		"DeleteOptions", "GetOptions", "ListOptions", "PatchOptions", "UpdateOptions",
		"WatchEvent":
		return apiVersion == Group+"/v1" || apiVersion == Group+"/v1beta1"
	}
	return false
}

// maxYAML is the length of the longest answer in YAML. Decoding YAML takes
// about 200 times its length in memory, and no context stops it. The server has
// no such limit.
const maxYAML = 1 << 20

// toJSON returns an answer as JSON. Text that does not start with { is YAML.
func toJSON(text []byte) ([]byte, error) {
	if jsonvalue.LooksLikeJSON(text) {
		return text, nil
	}
	if len(text) > maxYAML {
		return nil, fmt.Errorf("an answer in YAML is longer than %d bytes", maxYAML)
	}
	return yamljson.ToJSON(text)
}

// DecodeResponse decodes the answer of a webhook as a review of the given
// version, v1 or v1beta1, with the server's errors (CONV-026). Text that does
// not start with { is YAML. A missing kind or apiVersion is not an error here.
// Unknown fields are ignored.
func DecodeResponse(text []byte, version string, p *profile.Profile) (*ConversionReview, error) {
	data, err := toJSON(text)
	if err != nil {
		return nil, err
	}
	apiVersion, kind, err := typeOf(data, version, p)
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(apiVersion, "/") {
		//lint:ignore ST1005 the text is the server's
		return nil, fmt.Errorf("Object 'apiVersion' is missing in '%s'", text)
	}
	r := &ConversionReview{}
	if _, actual, _ := strings.Cut(apiVersion, "/"); kind == Kind && isOtherKind(apiVersion, kind) {
		if err := json.UnmarshalCaseSensitivePreserveInts(data, r); err != nil {
			return nil, named(err, actual)
		}
	}
	return r, checkKind(apiVersion, kind, version, p)
}

// typeOf returns apiVersion and kind, with defaults for missing parts.
func typeOf(
	data []byte, version string, p *profile.Profile,
) (apiVersion, kind string, err error) {
	// The type shows in errors. It has no name because the server's has none.
	var found struct {
		APIVersion string `json:"apiVersion,omitempty"`
		Kind       string `json:"kind,omitempty"`
	}
	if err := stdjson.Unmarshal(data, &found); err != nil {
		return "", "", fmt.Errorf("couldn't get version/kind; json parse error: %v",
			p.JSONError(data, err))
	}
	group, ver, err := metadata.ParseGroupVersion(found.APIVersion)
	if err != nil {
		return "", "", err
	}
	if found.Kind == "" {
		found.Kind = Kind
	}
	if ver == "" && (group == "" || group == Group) {
		return Group + "/" + version, found.Kind, nil
	}
	if group == "" {
		return ver, found.Kind, nil
	}
	return group + "/" + ver, found.Kind, nil
}

// checkKind returns an error for anything but a review of the version.
func checkKind(apiVersion, kind, version string, p *profile.Profile) error {
	if apiVersion == Group+"/"+version && kind == Kind {
		return nil
	}
	group, actual, slash := strings.Cut(apiVersion, "/")
	if !slash {
		group, actual = "", apiVersion
	}
	if isOtherKind(apiVersion, kind) {
		return fmt.Errorf("converting (%s.%s) to (%s.%s): unknown conversion",
			typePackage(kind, actual), kind, version, Kind)
	}
	if actual == "__internal" {
		const text = "no kind %q is registered for the internal version of group %q in scheme %q"
		return fmt.Errorf(text, kind, group, p.Registry())
	}
	const text = "no kind %q is registered for version %q in scheme %q"
	return fmt.Errorf(text, kind, apiVersion, p.Registry())
}

// typePackage returns the Go package of a kind's type. Only the types of the
// review's group exist in each version.
func typePackage(kind, version string) string {
	if kind == Kind || strings.HasPrefix(kind, "CustomResourceDefinition") {
		return version
	}
	return "v1"
}

// named returns a decoding error with the names of the server's types.
func named(err error, version string) error {
	var mismatch *stdjson.UnmarshalTypeError
	if !errors.As(err, &mismatch) {
		return err
	}
	goType := strings.NewReplacer(
		"conversionreview.RawExtension", "runtime.RawExtension",
		"conversionreview.UID", "types.UID",
		"conversionreview.Conversion", version+".Conversion",
		"conversionreview.", "v1.",
	).Replace(mismatch.Type.String())
	if mismatch.Field == "" {
		const text = "json: cannot unmarshal %s into Go value of type %s"
		return fmt.Errorf(text, mismatch.Value, goType)
	}
	return fmt.Errorf("json: cannot unmarshal %s into Go struct field %s.%s of type %s",
		mismatch.Value, mismatch.Struct, mismatch.Field, goType)
}

// DecodeRequest decodes what a server sends to a webhook: a review of version
// v1 or v1beta1 with a request. The errors are our own.
func DecodeRequest(text []byte) (*ConversionReview, error) {
	r := &ConversionReview{}
	if err := json.UnmarshalCaseSensitivePreserveInts(text, r); err != nil {
		return nil, fmt.Errorf("decoding a %s: %w", Kind, named(err, "v1"))
	}
	if r.Kind != Kind || r.APIVersion != Group+"/v1" && r.APIVersion != Group+"/v1beta1" {
		return nil, fmt.Errorf("want a %[1]s of %[2]s/v1 or %[2]s/v1beta1, got %[3]q of %[4]q",
			Kind, Group, r.Kind, r.APIVersion)
	}
	if r.Request == nil {
		return nil, fmt.Errorf("the %s has no request", Kind)
	}
	return r, nil
}

// DecodeObject decodes a converted object as the server does: an object that
// has a kind (CONV-030).
func DecodeObject(text RawExtension) (map[string]any, error) {
	object := map[string]any{}
	if err := json.UnmarshalCaseSensitivePreserveInts(text, &object); err != nil {
		return nil, err
	}
	kind, _ := object["kind"].(string)
	apiVersion, _ := object["apiVersion"].(string)
	if _, _, err := metadata.ParseGroupVersion(apiVersion); err != nil || kind == "" {
		//lint:ignore ST1005 the text is the server's
		return nil, fmt.Errorf("Object 'Kind' is missing in '%s'", []byte(text))
	}
	return object, nil
}

// DecodeStatus decodes the body of a failed HTTP request. It reports whether
// the body is a Status of a failure.
func DecodeStatus(text []byte) (*Status, bool) {
	data, err := toJSON(text)
	if err != nil {
		return nil, false
	}
	s := &Status{}
	if err := json.UnmarshalCaseSensitivePreserveInts(data, s); err != nil {
		return nil, false
	}
	_, _, err = metadata.ParseGroupVersion(s.APIVersion)
	return s, err == nil && s.Kind == "Status" && s.Status == Failure
}
