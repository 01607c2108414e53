package server_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/crdsem/crdsem/internal/test/testschema"
	"github.com/crdsem/crdsem/kube/server"
)

var crd = testschema.Definition("Tab", `
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: integer, default: 1, maximum: 9}
`)

func started(t *testing.T, definitions ...string) *server.Server {
	t.Helper()
	s, err := server.Start(t.Context(), server.Options{Definitions: definitions})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	writeDefinition(t, dir)
	return dir
}

func writeDefinition(t testing.TB, dir string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "crd.yaml"), []byte(crd), 0o600); err != nil {
		t.Fatal(err)
	}
}

func tab(name string, size int64) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "example.com/v1", "kind": "Tab",
		"metadata": map[string]any{"name": name, "namespace": "default"},
		"spec":     map[string]any{"size": size},
	}}
}

func typed(t *testing.T, config *rest.Config) kubernetes.Interface {
	t.Helper()
	c, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// envtest installs definitions and its suites run, as on an existing cluster.
func TestEnvtest(t *testing.T) {
	yes := true
	env := &envtest.Environment{
		UseExistingCluster: &yes, Config: started(t).Config(),
		CRDDirectoryPaths: []string{folder(t)}, ErrorIfCRDPathMissing: true,
	}
	config, err := env.Start()
	if err != nil {
		t.Fatal(err)
	}
	c, err := client.New(config, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Create(t.Context(), tab("a", 3)); err != nil {
		t.Error(err)
	}
	if err := c.Create(t.Context(), tab("b", 10)); !apierrors.IsInvalid(err) {
		t.Errorf("a size of 10: %v", err)
	}
	if err := env.Stop(); err != nil {
		t.Error(err)
	}
}

// A definition is a resource: it is refused if it is wrong, gets its status,
// serves its kind, and takes its objects with it.
func TestDefinitions(t *testing.T) {
	ctx, scheme := t.Context(), runtime.NewScheme()
	if err := apiextensionsv1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	c, err := client.New(started(t, folder(t)).Config(), client.Options{Scheme: scheme})
	if err != nil {
		t.Fatal(err)
	}
	var got apiextensionsv1.CustomResourceDefinition
	if err := c.Get(ctx, client.ObjectKey{Name: "tabs.example.com"}, &got); err != nil {
		t.Fatal(err)
	}
	isTrue := map[string]bool{}
	for _, condition := range got.Status.Conditions {
		isTrue[string(condition.Type)] = condition.Status == "True"
	}
	if !isTrue["Established"] || !isTrue["NamesAccepted"] ||
		got.Status.AcceptedNames.Kind != "Tab" || len(got.Status.StoredVersions) != 1 {
		t.Errorf("the status is %+v", got.Status)
	}
	bad := got.DeepCopy()
	bad.ObjectMeta = metav1.ObjectMeta{Name: "wrong.example.com"}
	if err := c.Create(ctx, bad); !apierrors.IsInvalid(err) {
		t.Errorf("a wrong name: %v", err)
	}
	if err := c.Create(ctx, tab("a", 3)); err != nil {
		t.Error(err)
	}
	maximum := 2.0
	spec := got.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"]
	spec.Properties["size"] = apiextensionsv1.JSONSchemaProps{Type: "integer", Maximum: &maximum}
	if err := c.Update(ctx, &got); err != nil {
		t.Fatal(err)
	}
	if err := c.Create(ctx, tab("b", 3)); !apierrors.IsInvalid(err) {
		t.Errorf("a size that the new definition refuses: %v", err)
	}
	if err := c.Delete(ctx, &got); err != nil {
		t.Fatal(err)
	}
	if err := c.Create(ctx, tab("c", 1)); !apierrors.IsNotFound(err) {
		t.Errorf("after the definition is gone: %v", err)
	}
}

// Built-in kinds are stored for typed clients.
func TestBuiltIn(t *testing.T) {
	config := started(t).Config()
	config.ContentType = runtime.ContentTypeProtobuf
	c, ctx := typed(t, config), t.Context()
	cm := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: "a"}, Data: map[string]string{"k": "v"},
	}
	maps := c.CoreV1().ConfigMaps("default")
	if _, err := maps.Create(ctx, cm, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	got, err := maps.Get(ctx, "a", metav1.GetOptions{})
	if err != nil || got.Data["k"] != "v" || got.UID == "" {
		t.Errorf("%+v, %v", got, err)
	}
	stale := got.DeepCopy()
	got.Data["k"] = "w"
	if got, err = maps.Update(ctx, got, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := maps.Update(ctx, stale, metav1.UpdateOptions{}); !apierrors.IsConflict(err) {
		t.Errorf("an update of an old state: %v", err)
	}
	got.ResourceVersion = ""
	if _, err := maps.Update(ctx, got, metav1.UpdateOptions{}); err != nil {
		t.Errorf("an unconditional update: %v", err)
	}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p"}, Spec: corev1.PodSpec{
		Containers: []corev1.Container{{Name: "a", Image: "1"}, {Name: "b", Image: "1"}},
	}}
	pods := c.CoreV1().Pods("default")
	if _, err := pods.Create(ctx, pod, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	pod, err = pods.Patch(ctx, "p", types.StrategicMergePatchType,
		[]byte(`{"spec":{"containers":[{"name":"b","image":"2"}]}}`), metav1.PatchOptions{})
	if err != nil || len(pod.Spec.Containers) != 2 || pod.Spec.Containers[1].Image != "2" &&
		pod.Spec.Containers[0].Image != "2" {
		t.Errorf("after the patch: %+v, %v", pod, err)
	}
	if v, err := c.Discovery().ServerVersion(); err != nil || v.Major != "1" {
		t.Errorf("%v, %v", v, err)
	}
	if lists, err := c.Discovery().ServerPreferredResources(); err != nil || len(lists) < 15 {
		t.Errorf("%d lists, %v", len(lists), err)
	}
}

// Namespaces exist, or creating an object in them is refused. One that is
// deleted takes no new objects, and is gone when it is finalized.
func TestNamespaces(t *testing.T) {
	c, ctx := typed(t, started(t).Config()), t.Context()
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "a"}}
	_, err := c.CoreV1().ConfigMaps("none").Create(ctx, cm, metav1.CreateOptions{})
	if !apierrors.IsNotFound(err) {
		t.Errorf("in a namespace that does not exist: %v", err)
	}
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "mine"}}
	ns, err = c.CoreV1().Namespaces().Create(ctx, ns, metav1.CreateOptions{})
	if err != nil || ns.Status.Phase != corev1.NamespaceActive ||
		ns.Labels["kubernetes.io/metadata.name"] != "mine" {
		t.Errorf("%+v, %v", ns, err)
	}
	for _, name := range []string{"mine", "default"} {
		_, err := c.CoreV1().ConfigMaps(name).Create(ctx, cm, metav1.CreateOptions{})
		if err != nil {
			t.Error(err)
		}
	}
	if err := c.CoreV1().Namespaces().Delete(ctx, "mine", metav1.DeleteOptions{}); err != nil {
		t.Error(err)
	}
	ns, err = c.CoreV1().Namespaces().Get(ctx, "mine", metav1.GetOptions{})
	if err != nil || ns.Status.Phase != corev1.NamespaceTerminating {
		t.Errorf("%+v, %v", ns, err)
	}
	cm.Name = "b"
	_, err = c.CoreV1().ConfigMaps("mine").Create(ctx, cm, metav1.CreateOptions{})
	if !apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause) {
		t.Errorf("in a namespace that ends: %v", err)
	}
	ns.Spec.Finalizers = nil
	if _, err := c.CoreV1().Namespaces().Finalize(ctx, ns, metav1.UpdateOptions{}); err != nil {
		t.Error(err)
	}
	_, err = c.CoreV1().Namespaces().Get(ctx, "mine", metav1.GetOptions{})
	if !apierrors.IsNotFound(err) {
		t.Errorf("a finalized namespace: %v", err)
	}
	err = c.CoreV1().Namespaces().Delete(ctx, "default", metav1.DeleteOptions{})
	if !apierrors.IsForbidden(err) {
		t.Errorf("the namespace default: %v", err)
	}
}

// A client without the token or the certificate gets no answer.
func TestAccess(t *testing.T) {
	s := started(t)
	for line, change := range map[string]func(*rest.Config){
		"no token":       func(c *rest.Config) { c.BearerToken = "" },
		"another token":  func(c *rest.Config) { c.BearerToken = "x" },
		"no certificate": func(c *rest.Config) { c.CAData = nil },
	} {
		config := s.Config()
		change(config)
		if _, err := typed(t, config).Discovery().ServerVersion(); err == nil {
			t.Errorf("%s: it answers", line)
		}
	}
	text, err := s.Kubeconfig()
	if err != nil {
		t.Fatal(err)
	}
	config, err := clientcmd.RESTConfigFromKubeConfig(text)
	if err != nil {
		t.Fatal(err)
	}
	c, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := apiutil.NewDynamicRESTMapper(config, c); err != nil {
		t.Error(err)
	}
}

// A server ends with its context, and its watches with it.
func TestStop(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s, err := server.Start(ctx, server.Options{})
	if err != nil {
		t.Fatal(err)
	}
	watch, err := typed(t, s.Config()).CoreV1().ConfigMaps("").Watch(
		t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	select {
	case <-watch.ResultChan():
	case <-time.After(time.Minute):
		t.Error("the watch goes on")
	}
	if err := s.Stop(); err != nil {
		t.Error(err)
	}
}
