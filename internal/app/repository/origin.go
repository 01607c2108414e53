package repository

import (
	"maps"

	"go.yaml.in/yaml/v3"
)

// origin is the annotation in which kustomize says where it read an object.
const origin = "config.kubernetes.io/origin"

// TakeOrigin returns the file from which kustomize read an object, relative to
// the folder that it rendered, and the object without the annotation that says
// so. The file is empty if the object came from elsewhere, e.g. from a
// generator. The argument is not changed.
func TakeOrigin(object map[string]any) (file string, rest map[string]any) {
	metadata, _ := object["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	text, ok := annotations[origin].(string)
	if !ok {
		return "", object
	}
	annotations = maps.Clone(annotations)
	delete(annotations, origin)
	metadata = maps.Clone(metadata)
	metadata["annotations"] = annotations
	if len(annotations) == 0 {
		delete(metadata, "annotations")
	}
	rest = maps.Clone(object)
	rest["metadata"] = metadata
	var said struct{ Path, Repo string }
	if err := yaml.Unmarshal([]byte(text), &said); err != nil || said.Repo != "" {
		return "", rest
	}
	return said.Path, rest
}
