package server

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"k8s.io/utils/lru"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/kube/server/internal/admission"
	"github.com/crdsem/crdsem/kube/server/internal/builtin"
	"github.com/crdsem/crdsem/kube/server/internal/storage"
	"github.com/crdsem/crdsem/merge/apply"
)

// Handler is an API server for custom resources in memory, as an http.Handler.
// It comes from [NewHandler] and is safe for concurrent use.
type Handler struct {
	// Now returns the time of a request, for creationTimestamp,
	// deletionTimestamp and managedFields. A nil Now is time.Now. It must not
	// be changed after the first request.
	Now func() time.Time

	kinds manifest.Kinds[*kind]
	// cluster is what a whole API server does: nil for a handler that only
	// serves its definitions.
	cluster *cluster

	cbor      bool // whether CBOR is served
	store     *storage.Store
	addresses atomic.Uint32    // how many addresses Services were given
	admission admission.Plugin // nil without one

	deadlines deadlines
	slots     chan struct{} // one for each request that is not a watch; nil for any number
	turns     chan struct{} // one for each watch that makes its first events ready
	pages     *lru.Cache    // of *begun: what watches that begin send

	mu     sync.Mutex // guards random
	random *rand.Rand
}

// kind is the resource that one definition defines.
type kind struct {
	crd        *crdsem.Definition
	resource   schema.GroupResource
	names      definition.Names
	namespaced bool
	versions   map[string]*version // the served ones, by name
	objects    *storage.Collection
	storage    string // the version that is stored
	// terminating reports that the definition is being deleted.
	terminating bool
	// converter asks the webhook of the definition, nil of a built-in kind.
	converter *conversionHook
	// replaced is closed when the definition changes. Watches end then.
	replaced chan struct{}
}

// version is a served version of a kind.
type version struct {
	*kind
	api     *crdsem.Version // nil of a built-in kind
	builtin *builtin.Model  // nil of a custom resource
	shown   *lru.Cache      // of *shownEvent: what watches send, by revision
	// scaler scales the objects of a built-in kind.
	scaler func() (*crdsem.Version, error)
	model  *definition.Version
	// tracker tracks field managers, nil of a built-in kind.
	tracker *apply.Tracker
	// warnings are the warnings of every request, e.g. that the version is
	// deprecated.
	warnings []string
}

// NewHandler returns a server for the kinds of some definitions, which are
// compiled with apply.Server() if it is to answer server-side apply. Of two of
// the same resource or kind the later one counts. It fails if a version cannot
// be compiled. A server without definitions serves nothing.
func NewHandler(definitions ...*crdsem.Definition) (*Handler, error) {
	s := &Handler{
		store: storage.New(), deadlines: serverDeadlines,
		turns: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2)), pages: lru.New(maxPages),
		random: rand.New(rand.NewPCG(1, 1)),
	}
	for _, d := range definitions {
		if d == nil {
			return nil, fmt.Errorf("a definition is nil")
		}
		if err := s.add(d); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// add serves a definition.
func (s *Handler) add(d *crdsem.Definition) error {
	k, err := s.newKind(d)
	if err != nil {
		return err
	}
	s.kinds.Add(k.catalogNames(), k)
	return nil
}

// catalogNames are the names by which the kind is found.
func (k *kind) catalogNames() manifest.Names {
	of := manifest.GroupKind{Group: k.resource.Group, Kind: k.names.Kind}
	return manifest.Names{GroupKind: of, Plural: k.names.Plural}
}

// Served returns the kinds that are served, in each of their versions.
func (s *Handler) Served() (all []schema.GroupVersionKind) {
	for _, k := range s.sorted() {
		for name := range k.versions {
			all = append(all, schema.GroupVersionKind{
				Group: k.resource.Group, Version: name, Kind: k.names.Kind,
			})
		}
	}
	return all
}

// Mapper returns the REST mapper of the kinds that are served.
func (s *Handler) Mapper() meta.RESTMapper {
	mapper := meta.NewDefaultRESTMapper(nil)
	for _, k := range s.sorted() {
		scope := meta.RESTScopeRoot
		if k.namespaced {
			scope = meta.RESTScopeNamespace
		}
		for name := range k.versions {
			gv := schema.GroupVersion{Group: k.resource.Group, Version: name}
			mapper.AddSpecific(gv.WithKind(k.names.Kind), gv.WithResource(k.names.Plural),
				gv.WithResource(k.names.Singular), scope)
		}
	}
	return mapper
}

// Put stores an object as it is, as one that was stored before: it is not
// validated, and gets a uid and a creationTimestamp if it has none. Put fails
// if its kind is not served or if it cannot be read.
func (s *Handler) Put(u *unstructured.Unstructured) error {
	gvk := u.GroupVersionKind()
	k, ok := s.kinds.Kind(manifest.GroupKind{Group: gvk.Group, Kind: gvk.Kind})
	if !ok || k.versions[gvk.Version] == nil {
		return fmt.Errorf("%s is not served", gvk)
	}
	r := &request{
		version: k.versions[gvk.Version], server: s, ctx: context.Background(),
		namespace: u.GetNamespace(), name: u.GetName(),
	}
	return r.take(u.Object)
}

// take stores an object as it is, with what every stored object has.
func (r *request) take(object map[string]any) error {
	if metaText(object, "uid") == "" {
		object = withMeta(object, "uid", r.server.uid())
	}
	if metaText(object, "creationTimestamp") == "" {
		object = withMeta(object, "creationTimestamp", r.server.timestamp())
	}
	read, err := r.read(object)
	if err == nil {
		object, err = r.asStored(read)
	}
	if err != nil {
		return fmt.Errorf("%s %s/%s: %w", r.resource, r.namespace, r.name, err)
	}
	_, err = r.put(r.objects.Get(r.key()), storage.NewObject(r.key(), object, read))
	return err
}

// Config returns the configuration of clients that send their requests to the
// server, in this process. It has no limit for requests in a second.
func (s *Handler) Config() *rest.Config {
	return &rest.Config{
		Host:      "http://crdsem.fake",
		Transport: transport{s},
		QPS:       -1,
		UserAgent: rest.DefaultKubernetesUserAgent(),
	}
}

// newKind returns the kind of a definition, without objects.
func (s *Handler) newKind(d *crdsem.Definition) (*kind, error) {
	model := d.Model()
	k := &kind{
		crd:        d,
		resource:   schema.GroupResource{Group: model.Group(), Resource: model.Names().Plural},
		names:      model.Names(),
		namespaced: model.Scope() == definition.Namespaced,
		versions:   map[string]*version{},
		objects:    s.store.Collection(),
		replaced:   make(chan struct{}),
	}
	for _, v := range model.Versions() {
		if !v.Served {
			continue
		}
		api, err := d.Version(v.Name)
		if err != nil {
			return nil, fmt.Errorf("%s: version %s: %w", k.resource, v.Name, err)
		}
		k.versions[v.Name] = &version{
			kind:    k,
			api:     api,
			model:   model.Version(v.Name),
			tracker: apply.NewTracker(api),
			shown:   lru.New(maxShown),
			// a read begins with the warnings, whatever is read
			warnings: api.Read(context.Background(), nil).Warnings,
		}
	}
	return k, nil
}

// groupVersion returns group and version, e.g. stable.example.com/v1.
func (v *version) groupVersion() schema.GroupVersion {
	return schema.GroupVersion{Group: v.resource.Group, Version: v.model.Name}
}

// apiVersion returns group and version as objects have it.
func (v *version) apiVersion() string { return v.groupVersion().String() }

// prefix returns the key under which all objects of a namespace are stored; an
// empty namespace is all of them.
func (k *kind) prefix(namespace string) string {
	prefix := "/" + k.resource.Group + "/" + k.resource.Resource + "/"
	if namespace != "" {
		prefix += namespace + "/"
	}
	return prefix
}

// now returns the time to the second, as the API writes it.
func (s *Handler) now() time.Time {
	now := time.Now
	if s.Now != nil {
		now = s.Now
	}
	return now().UTC().Truncate(time.Second)
}

// timestamp returns the time of now.
func (s *Handler) timestamp() string { return s.now().Format(time.RFC3339) }

// uid returns a new uid.
func (s *Handler) uid() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	high, low := s.random.Uint64(), s.random.Uint64()
	return fmt.Sprintf("%08x-%04x-4%03x-%04x-%012x",
		high>>32, high>>16&0xffff, high&0xfff, low>>48&0x3fff|0x8000, low&0xffffffffffff)
}

// suffix returns the end of a generated name.
func (s *Handler) suffix() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	const letters = "bcdfghjklmnpqrstvwxz2456789"
	var out [5]byte
	for i := range out {
		out[i] = letters[s.random.IntN(len(letters))]
	}
	return string(out[:])
}
