package builtin

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/kit/manifest"
)

// selecting are the kinds whose selector must match the labels of their
// template.
var selecting = []manifest.GroupKind{
	{Group: "apps", Kind: "DaemonSet"}, {Group: "apps", Kind: "Deployment"},
	{Group: "apps", Kind: "ReplicaSet"}, {Group: "apps", Kind: "StatefulSet"},
}

// selectorErrors returns the error of a selector that does not match the labels
// of the template next to it. Both must be of the right types.
func (k *Kind) selectorErrors(object map[string]any) field.ErrorList {
	spec, _ := object["spec"].(map[string]any)
	selector, ok := spec["selector"].(map[string]any)
	template, _ := spec["template"].(map[string]any)
	if !ok || template == nil || !slices.Contains(selecting, k.GroupKind) {
		return nil
	}
	meta, _ := template["metadata"].(map[string]any)
	labels, _ := meta["labels"].(map[string]any)
	if matches(selector, labels) {
		return nil
	}
	at := field.NewPath("spec", "template", "metadata", "labels")
	return field.ErrorList{field.Invalid(at, labels, "`selector` does not match template `labels`")}
}

// matches reports whether a label selector matches labels. An operator that
// there is not matches: it is an error of its own.
func matches(selector, labels map[string]any) bool {
	wanted, _ := selector["matchLabels"].(map[string]any)
	for key, value := range wanted {
		if got, has := labels[key]; !has || got != value {
			return false
		}
	}
	expressions, _ := selector["matchExpressions"].([]any)
	for _, e := range expressions {
		if expression, ok := e.(map[string]any); ok && !satisfies(labels, expression) {
			return false
		}
	}
	return true
}

// satisfies reports whether labels satisfy an expression of a selector.
func satisfies(labels, expression map[string]any) bool {
	key, _ := expression["key"].(string)
	values, _ := expression["values"].([]any)
	value, has := labels[key]
	switch expression["operator"] {
	case "In":
		return has && slices.Contains(values, value)
	case "NotIn":
		return !has || !slices.Contains(values, value)
	case "Exists":
		return has
	case "DoesNotExist":
		return !has
	}
	return true
}
