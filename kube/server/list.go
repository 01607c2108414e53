package server

import (
	"encoding/base64"
	"encoding/json"
	"errors"
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

	"github.com/crdsem/crdsem/kube/server/internal/storage"
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
	at, err := r.pageOf(options)
	if err != nil {
		return nil, err
	}
	matches := r.selector(options)
	all, revision := at.objects.After(at.After), at.revision
	metadata := map[string]any{
		"resourceVersion": strconv.FormatUint(revision, 10),
	}
	if r.builtin == nil {
		metadata["continue"] = ""
	}
	items := []any{}
	var faults []fault
	one := r.oneKey(options)
	remaining := all.Len()
	for live := range all.All() {
		key := live.Key
		remaining--
		if one != "" && key != one {
			continue
		}
		object, err := r.shownInList(versioned(live))
		if late := r.ctx.Err(); late != nil {
			return nil, late
		}
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
		if int64(len(items)) == options.Limit && remaining > 0 {
			metadata["continue"] = continueAfter(key, revision)
			if isEverything(options) {
				metadata["remainingItemCount"] = int64(remaining)
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
	result := r.api.Read(r.ctx, object)
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
	After    string `json:"after"`
	Revision uint64 `json:"revision"`
}

func continueAfter(key string, revision uint64) string {
	text, err := json.Marshal(page{key, revision})
	if err != nil {
		return "" // strings always marshal
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// snapshot is the state of a collection that a list shows.
type snapshot struct {
	page
	objects  storage.List
	revision uint64
}

// pageOf returns the state that a list asks for: the present one, the one that
// its first page showed, or an exact one.
func (r *request) pageOf(options *internalversion.ListOptions) (*snapshot, error) {
	s := &snapshot{}
	prefix := r.prefix(r.namespace)
	if options.Continue != "" {
		text, err := base64.RawURLEncoding.DecodeString(options.Continue)
		if err == nil {
			err = json.Unmarshal(text, &s.page)
		}
		if err == nil && s.After == "" {
			err = errors.New("server does not recognize this encoded version ")
		}
		if err != nil {
			return nil, apierrors.NewBadRequest(
				"invalid continue token: continue key is not valid: " + err.Error())
		}
	}
	exact := options.ResourceVersionMatch == metav1.ResourceVersionMatchExact
	if asked := options.ResourceVersion; asked != "" {
		revision, err := strconv.ParseUint(asked, 10, 64)
		if err != nil {
			return nil, apierrors.NewBadRequest("invalid resource version: " + err.Error())
		}
		if now := r.server.store.Revision(); revision > now {
			return nil, tooLarge(revision, now)
		}
		if exact {
			s.Revision = revision
		}
	}
	if s.Revision == 0 {
		s.objects, s.revision = r.objects.List(prefix)
		return s, nil
	}
	var known bool
	s.objects, known = r.objects.At(prefix, s.Revision)
	switch {
	case known:
		s.revision = s.Revision
		return s, nil
	case options.Continue != "":
		return nil, r.expired(s)
	}
	return nil, apierrors.NewResourceExpired(
		"The resourceVersion for the provided list is too old.")
}

// tooLarge is the error of a list of a state that is not there yet.
func tooLarge(asked, now uint64) error {
	err := apierrors.NewTimeoutError(
		fmt.Sprintf("Too large resource version: %d, current: %d", asked, now), 1)
	err.ErrStatus.Details.Causes = []metav1.StatusCause{{
		Type: metav1.CauseTypeResourceVersionTooLarge, Message: "Too large resource version",
	}}
	return err
}

// expired is the error of a page whose state is no longer known. It has a token
// with which the list goes on in the present.
func (r *request) expired(s *snapshot) error {
	err := apierrors.NewResourceExpired("The provided continue parameter is too old to display " +
		"a consistent list result. You can start a new list without the continue parameter, or " +
		"use the continue token in this response to retrieve the remainder of the results. " +
		"Continuing with the provided token results in an inconsistent list - objects that were " +
		"created, modified, or deleted between the time the first chunk was returned and now may " +
		"show up in the list.")
	err.ErrStatus.ListMeta.Continue = continueAfter(s.After, 0)
	return err
}
