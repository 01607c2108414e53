package tables

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// A text describes itself, and a path is described by its field.
func TestDescription(t *testing.T) {
	pod, other := corev1.SchemeGroupVersion.WithKind("Pod"), schema.GroupVersionKind{Kind: "Other"}
	for _, test := range []struct {
		of         schema.GroupVersionKind
		text, want string
	}{
		{pod, "text @.metadata.name", "text @.metadata.name"},
		{pod, "@.metadata.name", v1.ObjectMeta{}.SwaggerDoc()["name"]},
		{pod, "@.status.phase", corev1.PodStatus{}.SwaggerDoc()["phase"]},
		{pod, "@.status.containerStatuses.ready", corev1.ContainerStatus{}.SwaggerDoc()["ready"]},
		{pod, "@.none.phase", ""},
		{other, "@.metadata.name", v1.ObjectMeta{}.SwaggerDoc()["name"]},
		{other, "@.spec.name", ""},
	} {
		if got := description(test.of, test.text); got != test.want {
			t.Errorf("%s %s: %q, want %q", test.of, test.text, got, test.want)
		}
	}
}
