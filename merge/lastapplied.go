package merge

import (
	"bytes"
	"encoding/json"
	"fmt"

	"sigs.k8s.io/structured-merge-diff/v4/fieldpath"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

const (
	kubectlManager        = "kubectl"
	lastAppliedAnnotation = "kubectl.kubernetes.io/last-applied-configuration"
	maxAnnotationBytes    = 256 << 10
)

// annotationsOf returns the annotations of an object, or nil.
func annotationsOf(object map[string]any) map[string]any {
	metadata, _ := object["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	return annotations
}

// lastAppliedFields returns the fields of the live object that still have the
// values that kubectl applied on the client, according to its annotation.
func (r *FieldManager) lastAppliedFields(
	live map[string]any, request Request,
) (*fieldpath.Set, error) {
	text := stringAt(annotationsOf(live), lastAppliedAnnotation)
	if text == "" {
		return nil, fmt.Errorf("no last applied annotation")
	}
	converted, err := r.convert(live, request.APIVersion)
	if err != nil {
		return nil, err
	}
	liveValue, err := r.typed(converted)
	if err != nil {
		return nil, err
	}
	last, _, err := jsonvalue.DecodeObject([]byte(text))
	if err != nil {
		return nil, err
	}
	if stringAt(last, "apiVersion") != request.APIVersion {
		return nil, fmt.Errorf("the last applied object has the version %q",
			stringAt(last, "apiVersion"))
	}
	lastValue, err := r.typed(last)
	if err != nil {
		return nil, err
	}
	fields, err := lastValue.ToFieldSet()
	if err != nil {
		return nil, err
	}
	changes, err := lastValue.Compare(liveValue)
	if err != nil {
		return nil, err
	}
	return fields.Difference(changes.Modified).
			Difference(changes.Added).
			Difference(changes.Removed),
		nil
}

// updateLastApplied updates the annotation of kubectl's client-side apply in
// the result, if there is one. An annotation that would be too large is
// removed.
func updateLastApplied(result, applied map[string]any, request Request) {
	annotations := annotationsOf(result)
	if request.Manager != kubectlManager || stringAt(annotations, lastAppliedAnnotation) == "" {
		return
	}
	configuration := jsonvalue.DeepCopyMap(applied)
	delete(annotationsOf(configuration), lastAppliedAnnotation)
	var text bytes.Buffer
	if err := json.NewEncoder(&text).Encode(configuration); err != nil {
		return
	}
	annotations[lastAppliedAnnotation] = text.String()
	size := 0
	for key, value := range annotations {
		s, _ := value.(string)
		size += len(key) + len(s)
	}
	if size > maxAnnotationBytes {
		delete(annotations, lastAppliedAnnotation)
	}
}
