package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/apply"
	"github.com/crdsem/crdsem/catalog/kinds"
	"github.com/crdsem/crdsem/definition"
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
	installed map[string]*installed
	mu        sync.Mutex // guards installed, and the kinds of definitions
}

type installed struct {
	generation any
	names      kinds.Names
}

// newCluster returns a handler of a whole API server, with its namespaces.
func newCluster(minor minors.Minor) (*cluster, error) {
	h, err := NewHandler()
	if err != nil {
		return nil, err
	}
	c := &cluster{Handler: h, minor: minor, installed: map[string]*installed{}}
	h.cluster = c
	all, err := builtIn()
	if err != nil {
		return nil, err
	}
	for _, crd := range all {
		compiled, err := crdsem.Compile(crd, apply.Server())
		if err == nil {
			err = h.add(compiled)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", crd.Name(), err)
		}
	}
	for _, name := range []string{"default", "kube-node-lease", "kube-public", "kube-system"} {
		if err := c.send(http.MethodPost, "/api/v1/namespaces", map[string]any{
			"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": name},
		}); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// send does a request of the server itself.
func (c *cluster) send(method, path string, object map[string]any) error {
	body, err := json.Marshal(object)
	if err != nil {
		return err
	}
	r, err := http.NewRequest(method, path, nil)
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	request, ok := c.route(r)
	if !ok {
		return fmt.Errorf("%s is not served", path)
	}
	request.body = body
	_, err = request.settled()
	return err
}

// The subresource that ends a namespace.
const finalize = "finalize"

var (
	definitions = schema.GroupResource{
		Group: definitionGroup, Resource: "customresourcedefinitions",
	}
	namespaces = schema.GroupResource{Resource: "namespaces"}
)

// serveIn does a request in a cluster, nil for none: definitions are validated
// before they are stored and installed after, and namespaces must exist. The
// caller holds the lock.
func (r *request) serveIn(c *cluster) (*answer, error) {
	if c == nil {
		return r.serve()
	}
	writes := r.http.Method != http.MethodGet
	if r.subresource == eviction && r.http.Method == http.MethodPost && r.names.Kind == "Pod" {
		return r.evict()
	}
	if writes {
		if err := c.prepare(r); err != nil {
			return nil, err
		}
	}
	out, err := r.serve()
	if err == nil && writes && !r.dryRun {
		c.settle(r, out)
	}
	return out, err
}

// prepare checks and completes a write.
func (c *cluster) prepare(r *request) error {
	switch {
	case r.resource == definitions:
		return c.validate(r)
	case r.resource == namespaces:
		return c.namespace(r)
	case r.subresource == approval && r.names.Kind == "CertificateSigningRequest":
		r.subresource = builtin.Status // its conditions are there
	case r.namespaced && r.http.Method == http.MethodPost &&
		c.objectsOf(namespaces).Get("//namespaces/"+r.namespace) == nil:
		return apierrors.NewNotFound(namespaces, r.namespace)
	}
	return nil
}

// settle does what controllers do after a write, and shows the object after it.
func (c *cluster) settle(r *request, out *answer) {
	switch {
	case r.resource == definitions:
		c.install()
	case r.resource == namespaces && r.http.Method == http.MethodPost:
		c.change(r.objects, r.key(), func(object map[string]any) map[string]any {
			object = maps.Clone(object)
			object["status"] = map[string]any{"phase": "Active"}
			return object
		})
	default:
		return
	}
	if live := r.objects.Get(r.key()); live != nil && r.name != "" {
		out.object = versioned(live)
	}
}

// validate refuses a definition that the server refuses when it is created or
// replaced. A patch is validated by its result, see install.
func (c *cluster) validate(r *request) error {
	if r.http.Method != http.MethodPost && r.http.Method != http.MethodPut ||
		r.subresource != "" {
		return nil
	}
	crd, _, err := definition.Decode(r.body, definition.Kubernetes(c.minor))
	if err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	result := definition.Validate(r.ctx, crd.ForCreate())
	if result.Err != nil {
		return apierrors.NewInternalError(result.Err)
	}
	r.warn(result.Warnings...)
	if len(result.Errors) == 0 {
		return nil
	}
	of := schema.GroupKind{Group: definitionGroup, Kind: definitionKind}
	return apierrors.NewInvalid(of, crd.Name(), result.Errors)
}

// install serves what the stored definitions define, and writes their status:
// names that were accepted, conditions, stored versions.
func (c *cluster) install() {
	c.mu.Lock()
	defer c.mu.Unlock()
	const prefix = "/" + definitionGroup + "/customresourcedefinitions/"
	stored := map[string]*definition.CRD{}
	var crds []*definition.CRD
	objects := c.objectsOf(definitions)
	all, _ := objects.List(prefix)
	slices.SortFunc(all, func(a, b *storage.Object) int {
		return strings.Compare(created(a), created(b))
	})
	for _, object := range all {
		crd, _, err := definition.FromMap(object.Content, definition.Kubernetes(c.minor))
		if err == nil {
			stored[crd.Name()], crds = crd, append(crds, crd)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.installed)) {
		if stored[name] == nil {
			c.uninstall(name)
		}
	}
	state := definition.Install(crds...)
	for _, crd := range crds {
		key := prefix + crd.Name()
		live := objects.Get(key)
		if live == nil {
			continue
		}
		generation := metaOf(live.Content)["generation"]
		if before := c.installed[crd.Name()]; before == nil || before.generation != generation {
			c.serveDefinition(crd, generation)
		}
		c.change(objects, key, func(object map[string]any) map[string]any {
			return c.withConditions(object, crd, state)
		})
	}
}

// created orders definitions by their age.
func created(object *storage.Object) string {
	return metaText(object.Content, "creationTimestamp") + " " + metaText(object.Content, "name")
}

// objectsOf returns the objects of a built-in resource.
func (c *cluster) objectsOf(of schema.GroupResource) *storage.Collection {
	k, _ := c.kinds.Resource(of.Group, of.Resource)
	return k.objects
}

// change changes a stored object as a controller does, until it has not changed
// meanwhile.
func (c *cluster) change(
	in *storage.Collection, key string, do func(map[string]any) map[string]any,
) {
	for {
		old := in.Get(key)
		if old == nil {
			return
		}
		object := do(old.Content)
		next := storage.NewObject(key, object, object)
		if isSameStored(old, next) {
			return
		}
		if _, done := in.Swap(key, old, next); done {
			return
		}
	}
}

// serveDefinition serves a definition in place of what it defined before.
func (c *cluster) serveDefinition(crd *definition.CRD, generation any) {
	objects := c.store.Collection()
	if before := c.installed[crd.Name()]; before != nil {
		if k, ok := c.kinds.Kind(before.names.GroupKind); ok {
			close(k.replaced)
			objects = k.objects
		}
		c.kinds.Remove(before.names.GroupKind)
	}
	one := &installed{generation: generation}
	c.installed[crd.Name()] = one
	compiled, err := crdsem.Compile(crd, apply.Server())
	if err != nil {
		return
	}
	k, err := c.newKind(compiled)
	if err != nil {
		return
	}
	k.objects = objects
	one.names = k.catalogNames()
	c.kinds.Add(one.names, k)
}

// uninstall removes what a definition defined, with its objects.
func (c *cluster) uninstall(name string) {
	one := c.installed[name]
	delete(c.installed, name)
	k, ok := c.kinds.Kind(one.names.GroupKind)
	if !ok {
		return
	}
	all, _ := k.objects.List(k.prefix(""))
	for _, object := range all {
		k.objects.Remove(object.Key)
	}
	k.objects.End()
	c.kinds.Remove(one.names.GroupKind)
}

// withConditions returns a definition with its status.
func (c *cluster) withConditions(
	object map[string]any, crd *definition.CRD, state *definition.Installation,
) map[string]any {
	status, _ := object["status"].(map[string]any)
	next := maps.Clone(status)
	if next == nil {
		next = map[string]any{}
	}
	before := map[string]map[string]any{}
	old, _ := status["conditions"].([]any)
	for _, condition := range old {
		if fields, ok := condition.(map[string]any); ok {
			kind, _ := fields["type"].(string)
			before[kind] = fields
		}
	}
	var conditions []any
	for _, condition := range state.Conditions(crd.Name()) {
		fields := map[string]any{
			"type": condition.Type, "status": condition.Status,
			"reason": condition.Reason, "message": condition.Message,
			"lastTransitionTime": c.timestamp(),
		}
		if same := before[condition.Type]; same["status"] == fields["status"] {
			fields["lastTransitionTime"] = same["lastTransitionTime"]
		}
		conditions = append(conditions, fields)
	}
	next["conditions"] = conditions
	next["acceptedNames"] = asJSON(state.AcceptedNames(crd.Name()))
	if model, err := definition.Compile(crd); err == nil {
		next["storedVersions"] = storedVersions(status, model.StorageVersion().Name)
	}
	out := maps.Clone(object)
	out["status"] = next
	return out
}

// storedVersions returns the versions that objects are stored in, with the
// present one.
func storedVersions(status map[string]any, now string) []any {
	versions, _ := status["storedVersions"].([]any)
	if slices.Contains(versions, any(now)) {
		return versions
	}
	return append(slices.Clone(versions), now)
}

// asJSON returns a value as JSON has it.
func asJSON(value any) any {
	text, err := json.Marshal(value)
	if err != nil {
		return nil
	}
	var out any
	if err := json.Unmarshal(text, &out); err != nil {
		return nil
	}
	return out
}

// namespace gives a new namespace its label and its phase, and ends one that is
// finalized. The default namespaces stay.
func (c *cluster) namespace(r *request) error {
	switch {
	case r.http.Method == http.MethodPost:
		object := map[string]any{}
		if err := json.Unmarshal(r.body, &object); err != nil {
			return nil // the error of the body is that of the request
		}
		name := metaText(object, "name")
		labels := map[string]any{}
		if given, ok := metaOf(object)["labels"].(map[string]any); ok {
			labels = maps.Clone(given)
		}
		labels["kubernetes.io/metadata.name"] = name
		object = withMeta(object, "labels", labels)
		if body, err := json.Marshal(object); err == nil && name != "" {
			r.body = body
		}
	case r.http.Method == http.MethodDelete && slices.Contains(
		[]string{"default", "kube-system", "kube-public"}, r.name):
		return apierrors.NewForbidden(namespaces, r.name,
			errors.New("this namespace may not be deleted"))
	case r.subresource == finalize:
		r.subresource = ""
	case r.http.Method == http.MethodDelete && r.name != "":
		for _, k := range c.sorted() {
			if k.namespaced {
				all, _ := k.objects.List(k.prefix(r.name))
				for _, object := range all {
					k.objects.Remove(object.Key)
				}
			}
		}
	}
	return nil
}
