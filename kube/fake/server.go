package fake

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/apply"
	"github.com/crdsem/crdsem/catalog/kinds"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/kube"
)

// Server is an API server for custom resources in memory. It comes from
// [NewServer] and is safe for concurrent use.
type Server struct {
	// Now returns the time of a request, for creationTimestamp,
	// deletionTimestamp and managedFields. A nil Now is time.Now. It must not
	// be changed after the first request.
	Now func() time.Time

	kinds kinds.Map[*kind]

	mu     sync.Mutex // guards what follows
	store  store
	random *rand.Rand
}

// kind is the resource that one definition defines.
type kind struct {
	untyped    *crdsem.Definition
	resource   schema.GroupResource
	names      definition.Names
	namespaced bool
	versions   map[string]*version // the served ones, by name
}

// version is a served version of a kind.
type version struct {
	*kind
	untyped *crdsem.Version
	model   *definition.Version
	track   apply.Tracker
	// warnings are the warnings of every request, e.g. that the version is
	// deprecated.
	warnings []string
}

// NewServer returns a server for the kinds of some definitions. It fails if two
// definitions are of the same resource or kind, or if a version cannot be
// compiled. A server without definitions serves nothing.
func NewServer(definitions ...*kube.Definition) (*Server, error) {
	s := &Server{
		store:  newStore(),
		random: rand.New(rand.NewPCG(1, 1)),
	}
	for _, d := range definitions {
		if d == nil {
			return nil, fmt.Errorf("a definition is nil")
		}
		k, err := newKind(d.Untyped())
		if err != nil {
			return nil, err
		}
		of := kinds.GroupKind{Group: k.resource.Group, Kind: k.names.Kind}
		names := kinds.Names{GroupKind: of, Plural: k.names.Plural}
		if len(s.kinds.Add(names, k)) > 0 {
			return nil, fmt.Errorf("two definitions of %s (%s)", k.resource, of)
		}
	}
	return s, nil
}

// Config returns the configuration of clients that send their requests to the
// server, in this process. It has no limit for requests in a second.
func (s *Server) Config() *rest.Config {
	return &rest.Config{
		Host:      "http://crdsem.fake",
		Transport: transport{s},
		QPS:       -1,
		UserAgent: rest.DefaultKubernetesUserAgent(),
	}
}

func newKind(d *crdsem.Definition) (*kind, error) {
	model := d.Model()
	k := &kind{
		untyped:    d,
		resource:   schema.GroupResource{Group: model.Group(), Resource: model.Names().Plural},
		names:      model.Names(),
		namespaced: model.Scope() == definition.Namespaced,
		versions:   map[string]*version{},
	}
	for _, v := range model.Versions() {
		if !v.Served {
			continue
		}
		untyped, err := d.Version(v.Name)
		if err != nil {
			return nil, fmt.Errorf("%s: version %s: %w", k.resource, v.Name, err)
		}
		k.versions[v.Name] = &version{
			kind:    k,
			untyped: untyped,
			model:   model.Version(v.Name),
			track:   apply.Track(d, untyped),
			// a read begins with the warnings, whatever is read
			warnings: untyped.Read(context.Background(), nil).Warnings,
		}
	}
	return k, nil
}

// groupVersion returns group and version, e.g. stable.example.com/v1.
func (v *version) groupVersion() schema.GroupVersion {
	return schema.GroupVersion{Group: v.resource.Group, Version: v.model.Name}
}

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
func (s *Server) now() time.Time {
	now := time.Now
	if s.Now != nil {
		now = s.Now
	}
	return now().UTC().Truncate(time.Second)
}

// timestamp returns the time of now.
func (s *Server) timestamp() string { return s.now().Format(time.RFC3339) }

// uid returns a new uid. The caller holds the lock.
func (s *Server) uid() string {
	high, low := s.random.Uint64(), s.random.Uint64()
	return fmt.Sprintf("%08x-%04x-4%03x-%04x-%012x",
		high>>32, high>>16&0xffff, high&0xfff, low>>48&0x3fff|0x8000, low&0xffffffffffff)
}

// suffix returns the end of a generated name. The caller holds the lock.
func (s *Server) suffix() string {
	const letters = "bcdfghjklmnpqrstvwxz2456789"
	var out [5]byte
	for i := range out {
		out[i] = letters[s.random.IntN(len(letters))]
	}
	return string(out[:])
}
