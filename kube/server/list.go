package server

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion/validation"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// get answers a GET of an object or of its status.
func (r *request) get() (*answer, error) {
	live, err := r.live()
	if err != nil {
		return nil, err
	}
	shown, err := r.read(versioned(live))
	if err != nil {
		return nil, r.unreadableByGet(live, err)
	}
	return &answer{http.StatusOK, shown}, nil
}

// list answers a GET of a collection.
func (r *request) list() (*answer, error) {
	options, err := r.listOptions()
	if err != nil {
		return nil, err
	}
	after, err := startOf(options.Continue)
	if err != nil {
		return nil, err
	}
	matches := r.selector(options)
	all, revision := r.objects.List(r.prefix(r.namespace))
	metadata := map[string]any{
		"resourceVersion": strconv.FormatUint(revision, 10), "continue": "",
	}
	items := []any{}
	var faults []fault
	one := r.oneKey(options)
	for i, live := range all {
		key := live.Key
		if key <= after || one != "" && key != one {
			continue
		}
		object, err := r.shownInList(versioned(live))
		if err != nil {
			faults = append(faults, fault{key, corrupt(key, live, err)})
			continue
		}
		if !matches(object) {
			continue
		}
		if r.builtin != nil { // as their types have no kind in a list
			object = maps.Clone(object)
			delete(object, "apiVersion")
			delete(object, "kind")
		}
		items = append(items, object)
		if remaining := len(all) - i - 1; int64(len(items)) == options.Limit && remaining > 0 {
			metadata["continue"] = continueAfter(key)
			if isEverything(options) {
				metadata["remainingItemCount"] = remaining
			}
			break
		}
	}
	if len(faults) > 0 {
		return nil, r.unreadableInList(faults)
	}
	return &answer{http.StatusOK, map[string]any{
		"apiVersion": r.apiVersion(), "kind": r.names.ListKind,
		"metadata": metadata, "items": items,
	}}, nil
}

// oneKey returns the key of the object that a list selects by its name. The
// server reads only that one.
func (r *request) oneKey(options *internalversion.ListOptions) string {
	if options.FieldSelector == nil || r.namespaced && r.namespace == "" {
		return ""
	}
	name, ok := options.FieldSelector.RequiresExactMatch("metadata.name")
	if !ok {
		return ""
	}
	return r.prefix(r.namespace) + name
}

// isEverything reports whether a list selects all objects.
func isEverything(options *internalversion.ListOptions) bool {
	return (options.LabelSelector == nil || options.LabelSelector.Empty()) &&
		(options.FieldSelector == nil || options.FieldSelector.Empty())
}

// shownInList returns a stored object as a list shows it. An object that looks
// like a list is shown too.
func (r *request) shownInList(object map[string]any) (map[string]any, error) {
	if r.builtin != nil {
		return as(object, r.apiVersion()), nil
	}
	result := r.untyped.Read(r.ctx, object)
	if result.Object != nil {
		return result.Object, nil
	}
	return nil, result.Err()
}

// listOptions reads the options of a list or watch.
func (r *request) listOptions() (*internalversion.ListOptions, error) {
	options := &internalversion.ListOptions{}
	query := r.http.URL.Query()
	err := scheme.ParameterCodec.DecodeParameters(query, metav1.SchemeGroupVersion, options)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	internalversion.SetListOptionsDefaults(options, true)
	err = invalidOptions("ListOptions", validation.ValidateListOptions(options, true))
	if err != nil || options.FieldSelector == nil {
		return options, err
	}
	for _, requirement := range options.FieldSelector.Requirements() {
		if !r.isSelectable(requirement.Field) {
			return nil, apierrors.NewBadRequest(
				"field label not supported: " + requirement.Field)
		}
	}
	return options, nil
}

// isSelectable reports whether objects can be selected by a field (CONV-007).
func (v *version) isSelectable(label string) bool {
	switch label {
	case "metadata.name":
		return true
	case "metadata.namespace":
		return v.namespaced
	}
	for _, path := range v.model.SelectableFields {
		if strings.TrimPrefix(path, ".") == label {
			return true
		}
	}
	return false
}

// selector returns whether an object is selected by labels and fields.
func (v *version) selector(options *internalversion.ListOptions) func(map[string]any) bool {
	byLabel, byField := labels.Everything(), fields.Everything()
	if options.LabelSelector != nil {
		byLabel = options.LabelSelector
	}
	if options.FieldSelector != nil {
		byField = options.FieldSelector
	}
	return func(object map[string]any) bool {
		u := unstructured.Unstructured{Object: object}
		return byLabel.Matches(labels.Set(u.GetLabels())) && byField.Matches(v.fieldsOf(&u))
	}
}

// fieldsOf returns the values of the selectable fields of an object.
func (v *version) fieldsOf(u *unstructured.Unstructured) fields.Set {
	set := fields.Set{"metadata.name": u.GetName()}
	if v.namespaced {
		set["metadata.namespace"] = u.GetNamespace()
	}
	for _, path := range v.model.SelectableFields {
		label := strings.TrimPrefix(path, ".")
		value, found, err := unstructured.NestedFieldNoCopy(u.Object, strings.Split(label, ".")...)
		if set[label] = ""; found && err == nil && value != nil {
			set[label] = fmt.Sprint(value)
		}
	}
	return set
}

// page is a continue token: the key of the last object of the page before.
type page struct {
	After string `json:"after"`
}

func continueAfter(key string) string {
	text, err := json.Marshal(page{key})
	if err != nil {
		return "" // strings always marshal
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// startOf returns the key after which a page begins.
func startOf(token string) (string, error) {
	if token == "" {
		return "", nil
	}
	var at page
	text, err := base64.RawURLEncoding.DecodeString(token)
	if err == nil {
		err = json.Unmarshal(text, &at)
	}
	if err != nil || at.After == "" {
		return "", apierrors.NewBadRequest("continue key is not valid: " + token)
	}
	return at.After, nil
}
