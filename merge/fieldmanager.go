package merge

import (
	"errors"
	"fmt"
	"time"

	"sigs.k8s.io/structured-merge-diff/v4/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v4/merge"
	"sigs.k8s.io/structured-merge-diff/v4/typed"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/metadata"
)

// Version is a version of a resource.
type Version struct {
	// APIVersion is "group/version".
	APIVersion string
	Type       *Type
	// HasStatus tells that the version has the status subresource, so that its own requests do not own .status.
	HasStatus bool
}

// Hooks are what a resource needs from outside. All are optional.
type Hooks struct {
	// Convert converts an object to another version; without it only apiVersion is changed. It must not change its argument.
	Convert func(object map[string]any, apiVersion string) (map[string]any, error)
	// Default fills in the defaults of an object that has been applied; it may change it.
	Default func(object map[string]any)
	// Now tells the time of a change; without it it is the zero time, and entries have none.
	Now func() time.Time
}

// FieldManager applies and updates the objects of one kind, and keeps their managedFields, as the API server's field manager does. It is immutable and safe for concurrent
// use if its hooks are.
type FieldManager struct {
	kind     string
	versions map[string]Version
	hooks    Hooks
}

// NewFieldManager makes a resource of a kind. Two versions of one name, or a version without a type, are an error.
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

// Request is who does what.
type Request struct {
	// APIVersion is the version of the request; for Apply, it must be the applied object's, too.
	APIVersion string
	// Manager is the field manager's name; "unknown" if empty.
	Manager string
	// Subresource is "" or "status".
	Subresource string
	// Force makes an Apply take the fields in conflict over.
	Force bool
}

// missingType says that there is no type for an object.
type missingType struct{ apiVersion, kind string }

// Error has the server's text.
func (e *missingType) Error() string {
	return fmt.Sprintf("no corresponding type for %s, Kind=%s", slashed(e.apiVersion), e.kind)
}

// slashed prints an apiVersion as part of a group version kind, where the core group has a slash, too.
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

// typed gives an object the type of its apiVersion and kind.
func (r *FieldManager) typed(object map[string]any, options ...typed.ValidationOptions) (*typed.TypedValue, error) {
	v, ok := r.versions[stringAt(object, "apiVersion")]
	if !ok || stringAt(object, "kind") != r.kind {
		return nil, &missingType{stringAt(object, "apiVersion"), stringAt(object, "kind")}
	}
	return v.Type.typed(object, options...)
}

// convert brings an object to a version.
func (r *FieldManager) convert(object map[string]any, apiVersion string) (map[string]any, error) {
	if stringAt(object, "apiVersion") == apiVersion {
		return object, nil
	}
	if r.hooks.Convert != nil {
		return r.hooks.Convert(object, apiVersion)
	}
	for _, known := range []struct{ apiVersion, way string }{{apiVersion, "to"}, {stringAt(object, "apiVersion"), "from"}} {
		if _, ok := r.versions[known.apiVersion]; !ok {
			return nil, fmt.Errorf("request to convert CR %s an invalid group/version: %s", known.way, known.apiVersion)
		}
	}
	out := jsonvalue.DeepCopyMap(object)
	out["apiVersion"] = apiVersion
	return out, nil
}

// versionConverter lets the merge library convert: first to the version of the request, then to the one that is wanted.
type versionConverter struct {
	resource *FieldManager
	hub      string
}

// Convert implements merge.Converter.
func (c versionConverter) Convert(value *typed.TypedValue, version fieldpath.APIVersion) (*typed.TypedValue, error) {
	object, _ := value.AsValue().Unstructured().(map[string]any)
	if stringAt(object, "apiVersion") == string(version) {
		return value, nil
	}
	hub, err := c.resource.convert(object, c.hub)
	if err != nil {
		return value, err
	}
	converted, err := c.resource.convert(hub, string(version))
	if err != nil {
		return value, err
	}
	return c.resource.typed(converted)
}

// IsMissingVersionError implements merge.Converter.
func (c versionConverter) IsMissingVersionError(err error) bool {
	var missing *missingType
	return errors.As(err, &missing)
}

// updater is the merge library's, for a request. Fields that the request cannot set are ignored.
func (r *FieldManager) updater(request Request) *merge.Updater {
	builder := merge.UpdaterBuilder{Converter: versionConverter{r, request.APIVersion}}
	if reset := r.reset(request); len(reset) > 0 {
		builder.IgnoreFilter = fieldpath.NewExcludeFilterSetMap(reset)
	}
	return builder.BuildUpdater()
}

// reset tells the fields that a request cannot set, in each version: those of the resource itself in its own version, those of the status in every
// version that has one.
func (r *FieldManager) reset(request Request) map[fieldpath.APIVersion]*fieldpath.Set {
	reset := map[fieldpath.APIVersion]*fieldpath.Set{}
	if request.Subresource != "status" {
		if r.versions[request.APIVersion].HasStatus {
			reset[fieldpath.APIVersion(request.APIVersion)] = fieldpath.NewSet(fieldpath.MakePathOrDie("status"))
		}
		return reset
	}
	for name, v := range r.versions {
		if v.HasStatus || name == request.APIVersion {
			reset[fieldpath.APIVersion(name)] = fieldpath.NewSet(fieldpath.MakePathOrDie("metadata"), fieldpath.MakePathOrDie("spec"))
		}
	}
	return reset
}

func (r *FieldManager) now() time.Time {
	if r.hooks.Now == nil {
		return time.Time{}
	}
	return r.hooks.Now().UTC().Truncate(time.Second)
}
