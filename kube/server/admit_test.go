package server

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdsem/crdsem/kube/server/internal/admission"
)

// gate is a plugin that refuses writes in one phase, or labels their objects.
type gate struct {
	refuses, labels string
	seen            []string
}

func (g *gate) Active() bool { return true }

func (g *gate) Mutate(_ context.Context, w *admission.Write) error {
	g.seen = append(g.seen, described(w))
	if g.labels != "" && w.Object != nil {
		w.Object = withMeta(w.Object, "labels", map[string]any{"by": g.labels})
	}
	return g.phase("mutate")
}

func (g *gate) Validate(_ context.Context, w *admission.Write) error {
	if last := g.seen[len(g.seen)-1]; described(w) != last {
		g.seen = append(g.seen, "validated as "+described(w))
	}
	if labels, _ := metaOf(w.Object)["labels"].(map[string]any); w.Object != nil &&
		g.labels != "" && labels["by"] != g.labels {
		g.seen = append(g.seen, "not labelled")
	}
	return g.phase("validate")
}

func (g *gate) phase(name string) error {
	if g.refuses == name {
		return apierrors.NewForbidden(schema.GroupResource{Resource: "gates"}, name,
			errors.New("shut"))
	}
	return nil
}

// described returns what a plugin sees of a write.
func described(w *admission.Write) string {
	var of []string
	if w.Object != nil {
		of = append(of, "new")
	}
	if w.Old != nil {
		of = append(of, "old")
	}
	if w.DryRun {
		of = append(of, "dry")
	}
	return fmt.Sprintf("%s %s of %s/%s %s/%s %s %v", w.Operation, w.Kind.Kind, w.Resource.Resource,
		w.Subresource, w.Namespace, w.Name, strings.Join(of, " "), w.Options["kind"])
}

// Each write is shown to admission as what it is, and is done only if it is let
// through in both phases.
func TestAdmitted(t *testing.T) {
	const (
		as     = "/apis/g.io/v1/as"
		maps   = "/api/v1/namespaces/default/configmaps"
		pods   = "/api/v1/namespaces/default/pods"
		deploy = "/apis/apps/v1/namespaces/default/deployments"
		a      = `{"apiVersion":"g.io/v1","kind":"A","metadata":{"name":"a"}`
		cm     = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m"}`
		pod    = `{"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}}`
		bind   = `{"metadata":{"name":"p"},"target":{"kind":"Node","name":"n"}}`
		scale  = `{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"d"},"spec":{"replicas":`
		dep    = `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d"},"spec":` +
			`{"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},` +
			`"spec":{"containers":[{"name":"c","image":"i"}]}}}`
		apply = "application/apply-patch+yaml"
		merge = "application/merge-patch+json"
	)
	c := newTestCluster(t, aKinds)
	g := &gate{}
	c.admission = g
	for _, test := range []struct{ method, path, media, body, want string }{
		{"POST", as + "?dryRun=All", "", a + "}", "CREATE A of as/ /a new dry CreateOptions"},
		{"POST", as, "", a + "}", "CREATE A of as/ /a new CreateOptions"},
		{"PUT", as + "/a", "", strings.Replace(a, `}`, `,"resourceVersion":"@"}`, 1) + `,"spec":{"n":1}}`,
			"UPDATE A of as/ /a new old UpdateOptions"},
		{"PATCH", as + "/a", merge, `{"spec":{"n":2}}`, "UPDATE A of as/ /a new old PatchOptions"},
		{"PATCH", as + "/a?fieldManager=m", apply, a + `,"spec":{"m":2}}`,
			"UPDATE A of as/ /a new old PatchOptions"},
		{"PATCH", as + "/b?fieldManager=m", apply, strings.Replace(a, `"a"`, `"b"`, 1) + "}",
			"CREATE A of as/ /b new PatchOptions"},
		{"DELETE", as + "/a?dryRun=All", "", "", "DELETE A of as/ /a old dry DeleteOptions"},
		{"DELETE", as + "/a", "", "", "DELETE A of as/ /a old DeleteOptions"},
		{"DELETE", as, "", "", "DELETE A of as/ /b old DeleteOptions"},
		{"POST", maps, "", cm + "}", "CREATE ConfigMap of configmaps/ default/m new CreateOptions"},
		{"PUT", maps + "/m", "", cm + `,"data":{"a":"1"}}`,
			"UPDATE ConfigMap of configmaps/ default/m new old UpdateOptions"},
		{"PATCH", maps + "/m", merge, `{"data":{"a":"2"}}`,
			"UPDATE ConfigMap of configmaps/ default/m new old PatchOptions"},
		{"PATCH", maps + "/m?fieldManager=m", apply, cm + `,"data":{"b":"2"}}`,
			"UPDATE ConfigMap of configmaps/ default/m new old PatchOptions"},
		{"PATCH", maps + "/n?fieldManager=m", apply, strings.Replace(cm, `"m"`, `"n"`, 1) + "}",
			"CREATE ConfigMap of configmaps/ default/n new PatchOptions"},
		{"DELETE", maps + "/m", "", "", "DELETE ConfigMap of configmaps/ default/m old DeleteOptions"},
		{"POST", "/api/v1/namespaces", "", `{"metadata":{"name":"s"}}`,
			"CREATE Namespace of namespaces/ s/s new CreateOptions"},
		{"POST", deploy, "", dep + "}", "CREATE Deployment of deployments/ default/d new CreateOptions"},
		{"PUT", deploy + "/d/status", "", dep + `,"status":{"replicas":3}}`,
			"UPDATE Deployment of deployments/status default/d new old UpdateOptions"},
		{"PUT", deploy + "/d/scale", "", scale + `3}}`,
			"UPDATE Scale of deployments/scale default/d new old UpdateOptions"},
		{"PATCH", deploy + "/d/scale", merge, `{"spec":{"replicas":4}}`,
			"UPDATE Scale of deployments/scale default/d new old PatchOptions"},
		{"POST", pods, "", pod, "CREATE Pod of pods/ default/p new CreateOptions"},
		{"POST", pods + "/p/binding", "", bind, "CREATE Binding of pods/binding default/p new <nil>"},
		{"POST", pods, "", strings.Replace(pod, `"p"`, `"q"`, 1),
			"CREATE Pod of pods/ default/q new CreateOptions"},
		{"POST", "/api/v1/namespaces/default/bindings", "", strings.Replace(bind, `"p"`, `"q"`, 1),
			"CREATE Binding of pods/binding default/q new <nil>"},
		{"POST", pods + "/p/eviction", "", `{"metadata":{"name":"p"}}`,
			"CREATE Eviction of pods/eviction default/p new <nil>"},
		{"POST", "/api/v1/namespaces/default/serviceaccounts", "", `{"metadata":{"name":"s"}}`,
			"CREATE ServiceAccount of serviceaccounts/ default/s new CreateOptions"},
		{"POST", "/api/v1/namespaces/default/serviceaccounts/s/token", "", `{"spec":{"audiences":[]}}`,
			"CREATE TokenRequest of serviceaccounts/token default/s new <nil>"},
	} {
		for _, phase := range []string{"mutate", "validate", ""} {
			*g = gate{refuses: phase}
			if phase == "" {
				g.labels = "gate"
			}
			before := c.store.Revision()
			body := strings.Replace(test.body, "@", fmt.Sprint(before), 1)
			r := httptest.NewRequestWithContext(t.Context(), test.method, test.path,
				strings.NewReader(body))
			r.Header.Set("Content-Type", test.media)
			w := httptest.NewRecorder()
			c.ServeHTTP(w, r)
			if got := strings.Join(g.seen, ", "); got != test.want {
				t.Errorf("%s %s %s: %s, want %s", phase, test.method, test.path, got, test.want)
			}
			text := w.Body.String()
			if phase == "" {
				if w.Code >= http.StatusMultipleChoices {
					t.Errorf("%s %s: %s", test.method, test.path, text)
				}
				continue
			}
			refusal := fmt.Sprintf(`"message":"gates \"%s\" is forbidden: shut"`, phase)
			if w.Code != http.StatusForbidden || !strings.Contains(text, refusal) ||
				c.store.Revision() != before {
				t.Errorf("%s %s %s: %d %s", phase, test.method, test.path, w.Code, text)
			}
		}
	}
}

// What admission changes is judged and stored. What it leaves of the
// managedFields counts.
func TestAdmissionChanges(t *testing.T) {
	const as, maps = "/apis/g.io/v1/as", "/api/v1/namespaces/default/configmaps"
	c := newTestCluster(t, aKinds)
	for _, of := range []string{as, maps} {
		c.admission = &gate{labels: "create"}
		head := `{"apiVersion":"g.io/v1","kind":"A",`
		if of == maps {
			head = `{"apiVersion":"v1","kind":"ConfigMap",`
		}
		got := c.must(t, "POST", of, head+`"metadata":{"name":"a"},"data":{"k":"v"}}`)
		managed := fmt.Sprint(metaOf(got)["managedFields"])
		if labels := fmt.Sprint(metaOf(got)["labels"]); labels != "map[by:create]" ||
			!strings.Contains(managed, "f:data") || strings.Contains(managed, "f:labels") {
			t.Errorf("%s: %v", of, got)
		}
		c.admission = &gate{labels: "update"}
		got = c.must(t, "PATCH", of+"/a", `{"metadata":{"annotations":{"a":"b"}}}`)
		entries, _ := metaOf(got)["managedFields"].([]any)
		labels := fmt.Sprint(metaOf(got)["labels"])
		if labels != "map[by:update]" || len(entries) != 1 {
			t.Errorf("%s: %v", of, got)
		}
		stored := c.must(t, "GET", of+"/a", "")
		if diff := cmp.Diff(got, stored); diff != "" {
			t.Errorf("%s: %s", of, diff)
		}
	}
}

// What admission sees of the stored objects and their kinds.
func TestLookup(t *testing.T) {
	c := newTestCluster(t, strings.Replace(aKinds, `"versions":[`, `"versions":[{"name":"v1beta1",`+
		`"served":true,"storage":false,"schema":{"openAPIV3Schema":{"type":"object",`+
		`"properties":{"n":{"type":"integer"}}}}},`, 1))
	l := lookup{c.Handler}
	as, none := schema.GroupResource{Group: "g.io", Resource: "as"},
		schema.GroupResource{Resource: "no"}
	if l.Any(as) || l.Any(none) || l.List(none) != nil || l.Revision(none) != 0 ||
		l.Revision(as) != 0 || l.Versions(none) != nil || l.Get(none, "", "a") != nil {
		t.Error("something is there")
	}
	made := c.must(t, "POST", "/apis/g.io/v1/as",
		`{"apiVersion":"g.io/v1","kind":"A","metadata":{"name":"a"},"n":1,"m":2}`)
	c.must(t, "POST", "/apis/g.io/v1/as", `{"apiVersion":"g.io/v1","kind":"A","metadata":{"name":"b"}}`)
	var names []string
	for _, object := range l.List(as) {
		names = append(names, metaText(object, "name"))
	}
	if !l.Any(as) || l.Revision(as) != c.store.Revision() || fmt.Sprint(names) != "[a b]" ||
		fmt.Sprint(l.Versions(as)) != "[v1 v1beta1]" {
		t.Errorf("%v, %v", names, l.Versions(as))
	}
	if diff := cmp.Diff(made, l.Get(as, "", "a")); diff != "" || l.Get(as, "", "c") != nil ||
		l.Get(as, "n", "a") != nil {
		t.Error(diff)
	}
	old, err := l.Convert(t.Context(), made, "v1beta1")
	want := maps.Clone(made)
	want["apiVersion"] = "g.io/v1beta1"
	delete(want, "m")
	if diff := cmp.Diff(want, old); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	odd := map[string]any{"apiVersion": "g.io/v1", "kind": "None"}
	config := map[string]any{"apiVersion": "g.io/v1beta1", "kind": "A", "n": int64(3)}
	merged, err := l.Merge(old, config)
	if want["n"] = int64(3); cmp.Diff(want, merged) != "" || err != nil {
		t.Errorf("%v, %v", merged, err)
	}
	_, noVersion := l.Convert(t.Context(), made, "v2")
	_, noKind := l.Convert(t.Context(), odd, "v1")
	_, mergeKind := l.Merge(odd, config)
	later := map[string]any{"apiVersion": "g.io/v2", "kind": "A"}
	_, mergeVersion := l.Merge(later, config)
	_, mergeType := l.Merge(old, map[string]any{"apiVersion": "g.io/v1beta1", "kind": "A",
		"n": "x"})
	for err, want := range map[error]string{
		noVersion: "A.g.io has no version v2", noKind: "None.g.io has no version v1",
		mergeKind: "None.g.io has no version v1", mergeVersion: "A.g.io has no version v2",
		mergeType: "failed to convert patch object to typed object: ",
	} {
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	for kind, want := range map[string]string{
		"g.io/v1beta1 A": "as.g.io false true", "g.io/v2 A": " false false", "g.io/v1 B": " false false",
		"v1 ConfigMap": "configmaps true true",
	} {
		version, name, _ := strings.Cut(kind, " ")
		resource, namespaced, ok := l.Resource(schema.FromAPIVersionAndKind(version, name))
		if got := fmt.Sprint(resource, " ", namespaced, ok); got != want {
			t.Errorf("%s: %s, want %s", kind, got, want)
		}
	}
	if !slices.Contains(l.Versions(schema.GroupResource{Group: "autoscaling",
		Resource: "horizontalpodautoscalers"}), "v2") {
		t.Error("no version of a built-in kind")
	}
}
