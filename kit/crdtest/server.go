package crdtest

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/minors"
)

// server plays an API server that has some definitions. It is safe for
// concurrent use.
type server struct {
	crds  []*CRD
	kinds manifest.Kinds[*CRD] // the later one of two of a kind
	only  string               // the only version; empty for all
	minor minors.Minor
	cache *crdsem.Cache
	// webhook converts where a definition has no webhook among its options.
	webhook conversion.Webhook

	mu     sync.Mutex
	served map[manifest.GroupKind]*served
}

// served is a definition of a server.
type served struct {
	crd      *CRD
	document map[string]any
	def      *crdsem.Definition
	err      error
}

func newServer(crds []*CRD, only string, cache *crdsem.Cache) *server {
	s := &server{crds: crds, only: only, cache: cache, served: map[manifest.GroupKind]*served{}}
	for _, crd := range crds {
		s.kinds.Add(manifest.Names{GroupKind: crd.groupKind()}, crd)
	}
	return s
}

// of returns a server of a minor with the same definitions.
func (s *server) of(minor minors.Minor) *server {
	out := newServer(s.crds, s.only, s.cache)
	out.minor, out.webhook = minor, s.webhook
	return out
}

// with returns a server with a conversion webhook and the same definitions.
func (s *server) with(hook conversion.Webhook) *server {
	out := s.of(s.minor)
	out.webhook = hook
	return out
}

// minorOrNewest returns the minor of the server, which is the newest one by
// default.
func (s *server) minorOrNewest() minors.Minor {
	if s.minor == "" {
		return minors.Newest()
	}
	return s.minor
}

// find returns the definition of a kind, compiled.
func (s *server) find(t manifest.Type) (*served, error) {
	of := t.GroupKind
	s.mu.Lock()
	defer s.mu.Unlock()
	found, ok := s.served[of]
	if !ok {
		found = s.serve(t)
		s.served[of] = found
	}
	return found, found.err
}

// serve compiles the definition of a kind.
func (s *server) serve(of manifest.Type) *served {
	out := &served{}
	if out.crd, out.err = s.kinds.OfType(of); out.err != nil {
		return out
	}
	out.document = out.crd.document
	if s.only != "" {
		out.document, out.err = onlyVersion(out.document, s.only)
	}
	if out.err == nil {
		out.def, out.err = out.crd.compile(out.document, s)
	}
	if out.err != nil {
		out.err = fmt.Errorf("%s: %w", out.crd.place(), out.err)
	}
	return out
}

// version returns a version of the definition. The error about an unknown one
// names those that are served.
func (s *served) version(name string) (*crdsem.Version, error) {
	var names []string
	for _, v := range s.def.Model().Versions() {
		if v.Served {
			names = append(names, v.Name)
		}
	}
	v, err := s.def.Version(name)
	if !slices.Contains(names, name) {
		return nil, fmt.Errorf("%w; it serves %s", err, strings.Join(names, ", "))
	}
	return v, err
}

// patched returns the definition with patches.
func (s *server) patched(of *served, patches []Patch) (*served, error) {
	if len(patches) == 0 {
		return of, nil
	}
	document, err := applyPatches(of.crd.document, patches)
	if err == nil && s.only != "" {
		document, err = onlyVersion(document, s.only)
	}
	var def *crdsem.Definition
	if err == nil {
		def, err = of.crd.compile(document, s)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: patched: %w", of.crd.place(), err)
	}
	return &served{crd: of.crd, document: document, def: def}, nil
}

// replaced returns a server that has another definition instead of one.
func (s *server) replaced(of, by *CRD) *server {
	crds := slices.Clone(s.crds)
	for i, crd := range crds {
		if crd == of {
			crds[i] = by
		}
	}
	out := newServer(crds, s.only, s.cache)
	out.minor, out.webhook = s.minor, s.webhook
	return out
}

// typeOf returns the type of an object.
func typeOf(object map[string]any) (manifest.Type, error) {
	of := manifest.TypeOf(object)
	if of.Version == "" || of.Kind == "" {
		return manifest.Type{}, fmt.Errorf("apiVersion %q and kind %q name no resource",
			of.APIVersion(), of.Kind)
	}
	return of, nil
}
