package edit

import (
	"slices"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/app/judge"
)

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replcas: 2
  selector:
    matchLabels: {app: web}
  strategy:
    type: 
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
      - name: web
        image: web:1
        
`

// Objects of kinds that are built into Kubernetes have diagnostics, fixes,
// completions and hovers by their structure, if they are judged at all.
func TestBuiltInKinds(t *testing.T) {
	w := NewWorkspace(UTF16)
	w.Set("d.yaml", deployment)
	if found, err := w.Diagnose(t.Context(), "d.yaml"); err != nil || len(found) > 0 {
		t.Errorf("they are not judged, and there is %+v, %v", found, err)
	}
	at := Position{17, 8}
	if found := w.Complete(t.Context(), "d.yaml", at); len(found) > 0 {
		t.Errorf("they are not judged, and offered is %+v", found)
	}

	w.Configure(Settings{BuiltIn: judge.ByStructure})
	found, err := w.Diagnose(t.Context(), "d.yaml")
	if err != nil || len(found) != 1 || found[0].Severity != "error" ||
		!strings.Contains(found[0].Message, `unknown field "spec.replcas"`) {
		t.Errorf("%+v, %v", found, err)
	}
	actions, err := w.Actions(t.Context(), "d.yaml", 5, 5)
	if err != nil || len(actions) == 0 || actions[0].Title != "change it to replicas" {
		t.Errorf("%+v, %v", actions, err)
	}
	for _, c := range []struct {
		at   Position
		want string
	}{
		{at, "imagePullPolicy"},         // a field of a container
		{Position{9, 10}, "Recreate"},   // a value
		{Position{0, 12}, "apps/v1"},    // an apiVersion of the kind
		{Position{1, 6}, "StatefulSet"}, // another kind of the apiVersion
	} {
		offered := w.Complete(t.Context(), "d.yaml", c.at)
		if !slices.ContainsFunc(offered, func(o Completion) bool { return o.Label == c.want }) {
			t.Errorf("%+v: %s is not among %+v", c.at, c.want, offered)
		}
	}
	hover := w.Hover(t.Context(), "d.yaml", Position{16, 10})
	if !strings.HasPrefix(hover, "**image**: string") {
		t.Errorf("%q", hover)
	}
}
