package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/kube/server/internal/builtin"
)

// choices are the options of a write.
type choices struct {
	force           bool
	manager         string
	fieldValidation string
}

// choose keeps what all writes may choose.
func (r *request) choose(dryRun []string, manager, fieldValidation string) choices {
	r.dryRun = len(dryRun) > 0
	return choices{manager: r.manager(manager), fieldValidation: fieldValidation}
}

// createOptions reads the options of a create.
func (r *request) createOptions() (choices, error) {
	o := &metav1.CreateOptions{}
	if err := decodeOptions(r.http.URL.Query(), o); err != nil {
		return choices{}, err
	}
	r.optionsAs("CreateOptions", o)
	return r.choose(o.DryRun, o.FieldManager, o.FieldValidation),
		invalidOptions("CreateOptions", validation.ValidateCreateOptions(o))
}

// updateOptions reads the options of an update.
func (r *request) updateOptions() (choices, error) {
	o := &metav1.UpdateOptions{}
	if err := decodeOptions(r.http.URL.Query(), o); err != nil {
		return choices{}, err
	}
	r.optionsAs("UpdateOptions", o)
	return r.choose(o.DryRun, o.FieldManager, o.FieldValidation),
		invalidOptions("UpdateOptions", validation.ValidateUpdateOptions(o))
}

// patchOptions reads the options of a patch.
func (r *request) patchOptions() (choices, error) {
	o := &metav1.PatchOptions{}
	if err := decodeOptions(r.http.URL.Query(), o); err != nil {
		return choices{}, err
	}
	r.optionsAs("PatchOptions", o)
	c := r.choose(o.DryRun, o.FieldManager, o.FieldValidation)
	c.force = o.Force != nil && *o.Force
	errs := validation.ValidatePatchOptions(o, types.PatchType(r.media()))
	return c, invalidOptions("PatchOptions", errs)
}

// deleteOptions reads the options of a delete, from the body or the query.
func (r *request) deleteOptions() (*metav1.DeleteOptions, error) {
	o := &metav1.DeleteOptions{}
	if len(r.body) > 0 {
		if _, err := r.format(); err != nil && r.media() != runtime.ContentTypeProtobuf {
			return nil, err
		}
		body, err := r.deleteBody()
		if err == nil {
			err = utiljson.Unmarshal(body, o)
		}
		if err == nil && r.builtin == nil && o.Kind != "" && o.Kind != "DeleteOptions" {
			err = fmt.Errorf("no kind %q is registered for version %q in scheme %q",
				o.Kind, o.APIVersion, "pkg/runtime/scheme.go:111")
		}
		if err != nil {
			return nil, apierrors.NewBadRequest(err.Error())
		}
	} else if err := decodeOptions(r.http.URL.Query(), o); err != nil {
		return nil, err
	}
	r.optionsAs("DeleteOptions", o)
	r.dryRun = len(o.DryRun) > 0
	return o, invalidOptions("DeleteOptions", validation.ValidateDeleteOptions(o))
}

// deleteBody returns the body of a delete as JSON. Clients of built-in kinds
// send protobuf, of the version of the kind or of no version.
func (r *request) deleteBody() ([]byte, error) {
	switch r.media() {
	case runtime.ContentTypeProtobuf:
	case runtime.ContentTypeYAML:
		return yaml.YAMLToJSON(r.body)
	default:
		return r.body, nil
	}
	of := r.groupVersion().WithKind("DeleteOptions")
	object, _, err := builtin.Decode(r.body, r.media(), of)
	if err != nil {
		of = metav1.Unversioned.WithKind(of.Kind)
		object, _, err = builtin.Decode(r.body, r.media(), of)
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(object)
}

// decodeOptions reads options from the query of a URL.
func decodeOptions(query url.Values, into runtime.Object) error {
	err := scheme.ParameterCodec.DecodeParameters(query, metav1.SchemeGroupVersion, into)
	if err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	return nil
}

// invalidOptions returns the error of invalid options, nil without errors.
func invalidOptions(kind string, errs field.ErrorList) error {
	if len(errs) == 0 {
		return nil
	}
	return apierrors.NewInvalid(schema.GroupKind{Group: metav1.GroupName, Kind: kind}, "", errs)
}

// manager returns the field manager of a request: as given or, as for the
// server, the begin of the user agent up to the first slash.
func (r *request) manager(given string) string {
	if given != "" {
		return given
	}
	agent, _, _ := strings.Cut(r.http.Header.Get("User-Agent"), "/")
	var out strings.Builder
	for _, c := range agent {
		if !unicode.IsPrint(c) {
			continue
		}
		if out.Len()+utf8.RuneLen(c) > validation.FieldManagerMaxLength {
			break
		}
		out.WriteRune(c)
	}
	return out.String()
}

// options returns the options of package crdsem for a write.
func (r *request) options(c choices) []crdsem.Option {
	options := []crdsem.Option{
		crdsem.FieldValidation(crdsem.Strictness(c.fieldValidation)),
		crdsem.Namespace(r.namespace),
		crdsem.Concurrency(crdsem.RequireResourceVersion),
		crdsem.FieldManager(c.manager),
	}
	if c.force {
		options = append(options, crdsem.Force())
	}
	return options
}

// format returns the language of the body of a create or update.
func (r *request) format() (crdsem.Encoding, error) {
	switch r.media() {
	case "", "application/json":
		return crdsem.JSON, nil
	case "application/yaml":
		return crdsem.YAML, nil
	}
	return crdsem.JSON, &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure,
		Code:   http.StatusUnsupportedMediaType,
		Reason: metav1.StatusReasonUnsupportedMediaType,
		Message: "the body of the request was in an unknown format - accepted media types " +
			"include: application/json, application/yaml, application/vnd.kubernetes.protobuf",
	}}
}
