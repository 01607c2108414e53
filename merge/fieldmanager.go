package merge

import (
	"errors"
	"fmt"
	"time"

	"sigs.k8s.io/structured-merge-diff/v4/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v4/merge"
	"sigs.k8s.io/structured-merge-diff/v4/typed"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowstructural/metadata"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// Version is a version of a kind.
type Version struct {
	// APIVersion is group and version, e.g. example.com/v1.
	APIVersion string
	Type       *Type
	// HasStatus reports whether the version has the status subresource.
	// Requests without a subresource then do not own .status.
	HasStatus bool
}

// Hooks are functions that a FieldManager calls. All are optional.
type Hooks struct {
	// Convert converts an object to another version. Without it, only
	// apiVersion is changed. It must not change its argument.
	Convert func(object map[string]any, apiVersion string) (map[string]any, error)
	// Default returns a merged object with its defaults. It may change its
	// argument. An error ends the apply as it is.
	Default func(object map[string]any) (map[string]any, error)
	// Now returns the time of a change. Without it, entries have no time.
	Now func() time.Time
}

// FieldManager applies and updates the objects of one kind, and keeps their
// managedFields, as the API server's field manager does. It is immutable, and
// safe for concurrent use if its hooks are.
type FieldManager struct {
	kind     string
	versions map[string]Version
	hooks    Hooks
}

// NewFieldManager returns a FieldManager for the versions of a kind. It fails
// if two versions have the same name, or if one has no type.
func NewFieldManager(kind string, versions []Version, hooks Hooks) (*FieldManager, error) {
	r := &FieldManager{kind: kind, versions: make(map[string]Version, len(versions)), hooks: hooks}
	for _, v := range versions {
		if v.Type == nil {
			return nil, fmt.Errorf("version %s has no type", v.APIVersion)
		}
		if _, again := r.versions[v.APIVersion]; again {
			return nil, fmt.Errorf("version %s is given twice", v.APIVersion)
		}
		r.versions[v.APIVersion] = v
	}
	return r, nil
}

// Request says who writes, and how.
type Request struct {
	// APIVersion is the version of the request. An applied object must have it
	// too.
	APIVersion string
	// Manager is the name of the field manager, e.g. kubectl; empty means
	// "unknown".
	Manager string
	// Subresource is empty or "status".
	Subresource string
	// Force makes an Apply take over the fields in conflict.
	Force bool
}

// missingType reports that there is no type for an object.
type missingType struct{ apiVersion, kind string }

// Error returns the server's text.
func (e *missingType) Error() string {
	return fmt.Sprintf("no corresponding type for %s, Kind=%s", slashed(e.apiVersion), e.kind)
}

// slashed returns an apiVersion as error texts write it: with a slash even for
// the core group.
func slashed(apiVersion string) string {
	group, version, err := metadata.ParseGroupVersion(apiVersion)
	if err != nil {
		return "/"
	}
	return group + "/" + version
}

func stringAt(object map[string]any, name string) string {
	s, _ := object[name].(string)
	return s
}

// typed checks an object against the type of its apiVersion and kind.
func (r *FieldManager) typed(
	object map[string]any, options ...typed.ValidationOptions,
) (*typed.TypedValue, error) {
	v, ok := r.versions[stringAt(object, "apiVersion")]
	if !ok || stringAt(object, "kind") != r.kind {
		return nil, &missingType{stringAt(object, "apiVersion"), stringAt(object, "kind")}
	}
	return v.Type.typed(object, options...)
}

// convert converts an object to a version. It does not change the object.
func (r *FieldManager) convert(object map[string]any, apiVersion string) (map[string]any, error) {
	if stringAt(object, "apiVersion") == apiVersion {
		return object, nil
	}
	if r.hooks.Convert != nil {
		return r.hooks.Convert(object, apiVersion)
	}
	for _, end := range []struct{ apiVersion, way string }{
		{apiVersion, "to"}, {stringAt(object, "apiVersion"), "from"},
	} {
		if _, ok := r.versions[end.apiVersion]; !ok {
			return nil, fmt.Errorf("request to convert CR %s an invalid group/version: %s",
				end.way, end.apiVersion)
		}
	}
	out := jsonvalue.DeepCopyMap(object)
	out["apiVersion"] = apiVersion
	return out, nil
}

// versionConverter converts for the merge library: first to the version of the
// request, then to the target.
type versionConverter struct {
	manager *FieldManager
	hub     string // the version of the request
	// failed is the version of the last conversion that failed.
	failed *fieldpath.APIVersion
}

// Convert implements merge.Converter.
func (c versionConverter) Convert(
	value *typed.TypedValue, version fieldpath.APIVersion,
) (*typed.TypedValue, error) {
	object, _ := value.AsValue().Unstructured().(map[string]any)
	if stringAt(object, "apiVersion") == string(version) {
		return value, nil
	}
	converted, err := c.convert(object, string(version))
	if err != nil {
		*c.failed = version
		return value, err
	}
	return converted, nil
}

func (c versionConverter) convert(
	object map[string]any, apiVersion string,
) (*typed.TypedValue, error) {
	hub, err := c.manager.convert(object, c.hub)
	if err != nil {
		return nil, err
	}
	converted, err := c.manager.convert(hub, apiVersion)
	if err != nil {
		return nil, err
	}
	return c.manager.typed(converted)
}

// IsMissingVersionError implements merge.Converter.
func (c versionConverter) IsMissingVersionError(err error) bool {
	var missing *missingType
	return errors.As(err, &missing)
}

// updater returns the merge library's updater for a request. It ignores fields
// that the request cannot set. failed is the version of the last conversion
// that failed.
func (r *FieldManager) updater(
	request Request,
) (_ *merge.Updater, failed *fieldpath.APIVersion) {
	failed = new(fieldpath.APIVersion)
	builder := merge.UpdaterBuilder{
		Converter:    versionConverter{r, request.APIVersion, failed},
		IgnoreFilter: fieldpath.NewExcludeFilterSetMap(r.reset(request)),
	}
	return builder.BuildUpdater(), failed
}

// reset returns the fields that a request cannot set, by version. A request for
// the status cannot set metadata and spec in any version that has a status, up
// to Kubernetes 1.34 in its own version only: managers of others then lose what
// the request leaves out. Other requests cannot set the status, in their own
// version.
func (r *FieldManager) reset(request Request) map[fieldpath.APIVersion]*fieldpath.Set {
	reset := map[fieldpath.APIVersion]*fieldpath.Set{}
	if request.Subresource != "status" {
		if r.versions[request.APIVersion].HasStatus {
			reset[fieldpath.APIVersion(request.APIVersion)] = fieldpath.NewSet(
				fieldpath.MakePathOrDie("status"))
		}
		return reset
	}
	ofAll := r.profile(request.APIVersion).StatusOfVersions
	for name, v := range r.versions {
		if ofAll && v.HasStatus || name == request.APIVersion {
			reset[fieldpath.APIVersion(name)] = fieldpath.NewSet(
				fieldpath.MakePathOrDie("metadata"), fieldpath.MakePathOrDie("spec"))
		}
	}
	return reset
}

// profile returns the profile of a version's type.
func (r *FieldManager) profile(version string) *profile.Profile {
	if v, ok := r.versions[version]; ok {
		return v.Type.profile
	}
	return profile.Latest()
}

func (r *FieldManager) now() time.Time {
	if r.hooks.Now == nil {
		return time.Time{}
	}
	return r.hooks.Now().UTC().Truncate(time.Second)
}
