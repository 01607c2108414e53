package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/definition/validate"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/merge/apply"
)

// facade is the library as a judge: its root package for objects, package
// definition for CRDs.
type facade struct{}

func (facade) definition(w *write) (*verdict, error) {
	crd, strict, err := definition.Parse(w.body)
	if err == nil && w.fieldValidation == "Strict" && len(strict) > 0 {
		err = errors.New("strict decoding error: " + joined(strict))
	}
	if err != nil {
		const frame = `CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: %v`
		return &verdict{stage: stageDecode, message: fmt.Sprintf(frame, err)}, nil
	}
	judged := &verdict{stage: stageAdmitted}
	if w.fieldValidation != "Ignore" {
		for _, err := range strict {
			judged.warnings = append(judged.warnings, err.Error())
		}
	}
	result, err := validateDefinition(crd, w.old)
	if err != nil {
		return nil, err
	}
	if judged.errors = findings(result.Errors); len(judged.errors) > 0 {
		judged.stage = stageInvalid
		return judged, nil
	}
	judged.warnings = append(judged.warnings, result.Warnings...)
	return judged, nil
}

// joined returns a list of errors on one line.
func joined(list []error) string {
	texts := make([]string, len(list))
	for i, err := range list {
		texts[i] = err.Error()
	}
	return strings.Join(texts, ", ")
}

// validateDefinition validates a CRD as on create or, if old is not nil, as on
// update.
func validateDefinition(crd *definition.CRD, old []byte) (validate.Result, error) {
	if old == nil {
		return validate.Create(context.Background(), crd.ForCreate()), nil
	}
	before, _, err := definition.Parse(old)
	if err != nil {
		return validate.Result{}, err
	}
	return validate.Update(context.Background(), crd.ForUpdate(before), before), nil
}

// findings converts errors to the form of the causes of a refusal.
func findings(list field.ErrorList) []finding {
	all := make([]finding, len(list))
	for i, e := range list {
		all[i] = finding{string(e.Type), e.Field, e.ErrorBody()}
	}
	return all
}

func (facade) open(crd []byte, hook conversion.Webhook) (resourceJudge, error) {
	options := []crdsem.DefinitionOption{apply.Server()}
	if hook != nil {
		options = append(options, crdsem.ConversionWebhook(hook))
	}
	compiled, err := crdsem.Parse(crd, options...)
	if err != nil {
		return nil, err
	}
	return &facadeResource{compiled}, nil
}

// facadeResource judges the requests for one CRD.
type facadeResource struct{ definition *crdsem.Definition }

func (f *facadeResource) write(w *write) (*verdict, error) {
	v, err := f.definition.Version(w.version)
	if err != nil {
		return nil, err
	}
	result, err := f.request(v, w)
	if err != nil {
		return nil, err
	}
	judged := &verdict{stage: stage(result.Stage), warnings: result.Warnings}
	switch result.Stage {
	case crdsem.StageDecode:
		judged.message = result.Err().Error()
		refuse(judged, result.Err())
		judged.faults = f.requestFaults(v, w, result.Err())
	case crdsem.StageInvalid:
		refuse(judged, result.Err())
	case crdsem.StageAdmitted:
		err = f.store(w, result.Object, judged)
	}
	return judged, err
}

// refuse converts the answer to a refused request into a verdict. A request
// that the library cannot answer this way has failed.
func refuse(judged *verdict, err error) {
	failure, ok := errors.AsType[*crdsem.StatusError](err)
	if !ok {
		judged.stage = stageFailed
		return
	}
	judged.code, judged.reason = failure.Code, failure.Reason
	switch failure.Code {
	case http.StatusUnprocessableEntity:
		judged.stage = stageInvalid
	case http.StatusInternalServerError:
		judged.stage = stageFailed
		judged.message = failureFrame.ReplaceAllString(failure.Message, "")
		return
	}
	for _, cause := range failure.Causes {
		if failure.Code != http.StatusUnprocessableEntity {
			break // as in the server's answer, only invalid objects have findings
		}
		judged.errors = append(judged.errors, finding{cause.Reason, cause.Field, cause.Message})
	}
	judged.message = failure.Message
	if len(once(judged.errors)) > 1 {
		judged.message = "" // the order of errors is not compared
	}
}

// request makes the request to the library.
func (f *facadeResource) request(v *crdsem.Version, w *write) (*crdsem.Result, error) {
	format := crdsem.JSON
	if w.media == mediaYAML {
		format = crdsem.YAML
	}
	options := []crdsem.Option{
		crdsem.Format(format),
		crdsem.FieldValidation(crdsem.Strictness(w.fieldValidation)),
		crdsem.Namespace(w.namespace),
		crdsem.Concurrency(crdsem.RequireResourceVersion),
	}
	if w.old == nil && w.dryRun {
		options = append(options, crdsem.Concurrency(crdsem.Unconditional))
	}
	if w.media == mediaApply {
		return f.apply(v, w, options)
	}
	request := crdsem.Request{Subresource: crdsem.Subresource(w.subresource), Body: w.body}
	switch {
	case w.old == nil:
		return v.CreateBytes(context.Background(), w.body, options...), nil
	case w.patch:
		request.Verb, request.PatchType = crdsem.VerbPatch, crdsem.PatchType(w.media)
	case w.subresource == "scale":
		request.Body, request.Scale = nil, scaleOf(w.body)
	}
	var err error
	if request.Old, err = decodeObject(w.old); err != nil {
		return nil, err
	}
	return v.Do(context.Background(), request.With(options...)), nil
}

// scaleOf decodes the body of a scale update.
func scaleOf(body []byte) *crdsem.Scale {
	object := decoded(body)
	replicas, _ := child(object, "spec")["replicas"].(json.Number)
	n, _ := replicas.Int64()
	return &crdsem.Scale{
		Name:            text(child(object, "metadata"), "name"),
		ResourceVersion: text(child(object, "metadata"), "resourceVersion"),
		Replicas:        int32(n),
	}
}

// store follows an admitted object into the store and back. It records the
// bytes that etcd holds and the object that the answer shows.
func (f *facadeResource) store(w *write, object map[string]any, judged *verdict) error {
	stored := f.definition.Store(context.Background(), object)
	if stored.Err() != nil {
		judged.stage, judged.message = stageFailed, stored.Err().Error()
		judged.faults = f.storeFaults(object)
		return nil
	}
	text, err := json.Marshal(stored.Object)
	if err != nil {
		return err
	}
	judged.stored = text
	read := f.read
	if w.subresource == "scale" {
		read = f.scale
	}
	answer, err := read(w.version, text)
	if err != nil {
		return err
	}
	judged.stage, judged.message = answer.stage, answer.message
	judged.returned, judged.faults = answer.returned, answer.faults
	return nil
}

// opened returns a version, and an object as stored.
func (f *facadeResource) opened(
	version string, stored []byte,
) (*crdsem.Version, map[string]any, error) {
	v, err := f.definition.Version(version)
	if err != nil {
		return nil, nil, err
	}
	object, err := decodeObject(stored)
	return v, object, err
}

func (f *facadeResource) read(version string, stored []byte) (*verdict, error) {
	v, object, err := f.opened(version, stored)
	if err != nil {
		return nil, err
	}
	result := v.Read(context.Background(), object)
	if result.Err() == nil {
		return &verdict{
			stage:    stageAdmitted,
			returned: result.Object,
			warnings: result.Warnings,
		}, nil
	}
	judged := &verdict{
		stage:    stageFailed,
		message:  result.Err().Error(),
		warnings: result.Warnings,
		faults:   f.readFaults(v, object),
	}
	if result.Stage == crdsem.StageRead {
		judged.listed = result.Object
	}
	return judged, nil
}

func (f *facadeResource) scale(version string, stored []byte) (*verdict, error) {
	read, err := f.read(version, stored)
	if err != nil {
		return nil, err
	}
	v, object, err := f.opened(version, stored)
	if err != nil {
		return nil, err
	}
	scale, err := v.Scale(context.Background(), object)
	if err != nil {
		return &verdict{
			stage:    stageFailed,
			message:  err.Error(),
			warnings: read.warnings,
			faults:   read.faults,
		}, nil
	}
	return &verdict{
		stage:    stageAdmitted,
		returned: scaleObject(scale),
		warnings: read.warnings,
	}, nil
}

// scaleObject writes a scale as the server does. Empty fields are left out,
// except the replicas of the status.
func scaleObject(scale *crdsem.Scale) map[string]any {
	metadata := map[string]any{"name": scale.Name}
	if scale.Namespace != "" {
		metadata["namespace"] = scale.Namespace
	}
	spec := map[string]any{}
	if scale.Replicas != 0 {
		spec["replicas"] = scale.Replicas
	}
	status := map[string]any{"replicas": scale.CurrentReplicas}
	if scale.Selector != "" {
		status["selector"] = scale.Selector
	}
	return map[string]any{
		"apiVersion": "autoscaling/v1",
		"kind":       "Scale",
		"metadata":   metadata,
		"spec":       spec,
		"status":     status,
	}
}

// decodeObject decodes an object as the server does.
func decodeObject(text []byte) (map[string]any, error) {
	value, strict, err := jsonvalue.DecodeJSON(text)
	if err = errors.Join(append(strict, err)...); err != nil {
		return nil, err
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%s is not an object", text)
	}
	return object, nil
}
