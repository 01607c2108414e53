package server

import (
	"errors"
	"maps"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/kube/server/internal/admission"
	"github.com/crdsem/crdsem/kube/server/internal/builtin"
	"github.com/crdsem/crdsem/kube/server/internal/storage"
	"github.com/crdsem/crdsem/minors"
)

// cluster is what a whole API server has next to the kinds of definitions:
// definitions as resources, namespaces, and built-in kinds.
type cluster struct {
	*Handler
	minor minors.Minor
	// installed are the kinds of stored definitions, by the name of the
	// definition, with what was installed.
	installed map[string]*installation
	claims    claims
	mu        sync.Mutex    // guards these, and the kinds of definitions
	crds      sync.Map      // of parsedDefinition, by their keys
	changes   atomic.Uint64 // how often what is served has changed
	documents sync.Map      // of *published, by their names
	starting  bool          // no definition is installed yet
	webhooks  *admission.Webhooks
	resolve   admission.Resolver
	quiet     bool     // without the warnings of partial validation
	collects  bool     // collects garbage
	told      sync.Map // the kinds that were warned of
}

// installation is a definition that was installed, with the names of its kind,
// which are empty if it is not served. Its objects stay until it is deleted.
type installation struct {
	installed
	names   manifest.Names
	kind    *kind                    // nil if it is not served
	objects *storage.Collection      // nil if it was never served
	state   *definition.Installation // when it was settled last
}

// installed is what a definition is installed by.
type installed struct {
	generation  any
	established bool
}

var (
	definitions = schema.GroupResource{
		Group: definitionGroup, Resource: "customresourcedefinitions",
	}
	namespaces = schema.GroupResource{Resource: "namespaces"}
)

// The subresource that ends a namespace.
const finalize = "finalize"

// newCluster returns a handler of a whole API server, with its namespaces.
func newCluster(minor minors.Minor, resolve admission.Resolver) (*cluster, error) {
	h, err := NewHandler()
	if err != nil {
		return nil, err
	}
	c := &cluster{
		Handler: h, minor: minor, installed: map[string]*installation{}, starting: true,
		claims:  newClaims(),
		resolve: resolve,
	}
	h.cluster = c
	c.webhooks = admission.NewWebhooks(lookup{h}, minor, resolve)
	h.admission = admission.Plugins{admission.NewPolicies(lookup{h}, minor), c.webhooks}
	for _, r := range builtin.Resources() {
		if r.Kind != "ComponentStatus" {
			k := h.newBuiltInKind(&r)
			h.kinds.Add(k.catalogNames(), k)
		}
	}
	for _, name := range []string{"default", "kube-node-lease", "kube-public", "kube-system"} {
		err := c.present("Namespace", map[string]any{
			"metadata": map[string]any{
				"name": name, "labels": map[string]any{"kubernetes.io/metadata.name": name},
			},
			"spec": map[string]any{"finalizers": []any{"kubernetes"}},
		})
		if err != nil {
			return nil, err
		}
	}
	return c, c.present("Service", map[string]any{
		"metadata": map[string]any{
			"name": "kubernetes", "namespace": "default",
			"labels": map[string]any{"component": "apiserver", "provider": "kubernetes"},
		},
		"spec": map[string]any{
			"clusterIP": "10.0.0.1", "clusterIPs": []any{"10.0.0.1"},
			"ports": []any{map[string]any{
				"name": "https", "port": int64(443), "targetPort": int64(6443),
			}},
		},
	})
}

// present stores an object that is there from the start.
func (c *cluster) present(of string, object map[string]any) error {
	object["apiVersion"], object["kind"] = "v1", of
	k, _ := c.kinds.Kind(manifest.GroupKind{Kind: of})
	r := &request{
		version: k.versions["v1"], server: c.Handler,
		namespace: metaText(object, "namespace"), name: metaText(object, "name"),
	}
	r.builtin.Default(object)
	return r.take(object)
}

// serveIn does a request in a cluster. A nil cluster only serves definitions.
func (r *request) serveIn(c *cluster) (*answer, error) {
	if c == nil {
		return r.serve()
	}
	writes := r.http.Method != http.MethodGet
	if writes {
		if err := c.prepare(r); err != nil {
			return nil, err
		}
	}
	if do := r.special(); do != nil {
		return do()
	}
	out, err := r.serve()
	if err == nil && writes && !r.dryRun {
		c.settle(r, out)
	}
	return out, err
}

// prepare refuses what is not written in the state that the cluster is in.
func (c *cluster) prepare(r *request) error {
	creates := r.http.Method == http.MethodPost ||
		r.http.Method == http.MethodPatch && r.objects.Get(r.key()) == nil
	switch {
	case r.terminating && creates:
		return apierrors.NewForbidden(r.resource, r.sentName(), errDefinitionEnds)
	case !creates || !r.namespaced:
		return nil
	}
	namespace := c.objectsOf(namespaces).Get("//namespaces/" + r.namespace)
	if namespace == nil {
		return apierrors.NewNotFound(namespaces, r.namespace)
	}
	if metaText(namespace.Content(), "deletionTimestamp") == "" {
		return nil
	}
	err := apierrors.NewForbidden(r.resource, r.sentName(), errTerminating{r.namespace})
	err.ErrStatus.Details.Causes = append(err.ErrStatus.Details.Causes, metav1.StatusCause{
		Type: "NamespaceTerminating", Field: "metadata.namespace",
		Message: "namespace " + r.namespace + " is being terminated",
	})
	return err
}

// sentName returns the name in the URL or in the body.
func (r *request) sentName() string {
	if r.name != "" {
		return r.name
	}
	object, _ := crdsem.Decode(r.body) // whatever it is
	return metaText(object, "name")
}

// errDefinitionEnds refuses new objects of a definition that is being deleted.
var errDefinitionEnds = errors.New("create not allowed while custom resource definition is " +
	"terminating")

// errTerminating refuses new objects in a namespace.
type errTerminating struct{ namespace string }

// Error names the namespace.
func (e errTerminating) Error() string {
	return "unable to create new content in namespace " + e.namespace +
		" because it is being terminated"
}

// settle does what controllers do after a write, and shows the object after it.
func (c *cluster) settle(r *request, out *answer) {
	removes := r.http.Method == http.MethodDelete || r.objects.Get(r.key()) == nil
	switch {
	case r.resource == definitions:
		if r.name == "" {
			c.installAll()
			return
		}
		c.install(r.name)
		live := r.objects.Get(r.key())
		if live != nil && r.http.Method != http.MethodPost && !removes {
			out.object = versioned(live)
		}
	case r.terminating && removes:
		c.install(r.resource.String())
	}
}

// close closes the connections to webhooks.
func (c *cluster) close() {
	c.webhooks.Close()
	for _, k := range c.kinds.All() {
		k.converter.close()
	}
}

// objectsOf returns the objects of a built-in resource.
func (c *cluster) objectsOf(of schema.GroupResource) *storage.Collection {
	k, _ := c.kinds.Resource(of.Group, of.Resource)
	return k.objects
}

// change changes a stored object as a controller does, until it has not changed
// meanwhile. A nil object changes nothing.
func (c *cluster) change(
	in *storage.Collection, key string, do func(map[string]any) map[string]any,
) {
	for {
		old := in.Get(key)
		if old == nil {
			return
		}
		before := old.Content()
		object := do(before)
		if object == nil {
			return
		}
		next := old.Changed(before, object)
		if _, done := in.Swap(key, old, next); done || in.Ended() {
			return
		}
	}
}

// endNamespace marks a namespace as being deleted. It ends when its finalizers
// are removed by the subresource finalize.
func (r *request) endNamespace(object map[string]any) map[string]any {
	out := maps.Clone(object)
	status, _ := out["status"].(map[string]any)
	status = maps.Clone(status)
	if status == nil {
		status = map[string]any{}
	}
	status["phase"] = "Terminating"
	out["status"] = status
	return out
}

// staysForever reports whether a namespace may not be deleted.
func staysForever(name string) bool {
	return slices.Contains([]string{"default", "kube-system", "kube-public"}, name)
}

// specFinalizers returns the finalizers in the spec of a namespace.
func specFinalizers(namespace map[string]any) []any {
	spec, _ := namespace["spec"].(map[string]any)
	list, _ := spec["finalizers"].([]any)
	return list
}

// isNamespacePart reports whether a path segment is a subresource of a
// namespace, not a resource in one.
func isNamespacePart(part string) bool {
	return part == builtin.Status || part == finalize
}
