package crdtest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/base/builtin"
	"github.com/crdsem/crdsem/internal/base/nearest"
	"github.com/crdsem/crdsem/minors"
)

// server plays an API server that has some definitions. It is safe for
// concurrent use.
type server struct {
	crds   []*CRD
	byKind map[groupKind][]*CRD // several by mistake
	only   string               // the only version; empty for all
	minor  minors.Minor
	cache  *crdsem.Cache

	mu     sync.Mutex
	served map[groupKind]*served
}

// served is a definition of a server.
type served struct {
	crd      *CRD
	document map[string]any
	def      *crdsem.Definition
	err      error
}

func newServer(crds []*CRD, only string, cache *crdsem.Cache) *server {
	s := &server{
		crds: crds, byKind: map[groupKind][]*CRD{}, only: only, cache: cache,
		served: map[groupKind]*served{},
	}
	for _, crd := range crds {
		kind := crd.groupKind()
		s.byKind[kind] = append(s.byKind[kind], crd)
	}
	return s
}

// of returns a server of a minor with the same definitions.
func (s *server) of(minor minors.Minor) *server {
	out := newServer(s.crds, s.only, s.cache)
	out.minor = minor
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

// errNoDefinition is the error for an object of a kind that no definition has.
var errNoDefinition = errors.New("no definition is given")

// find returns the definition of a kind, compiled.
func (s *server) find(of groupKind) (*served, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found, ok := s.served[of]
	if !ok {
		found = s.serve(of)
		s.served[of] = found
	}
	return found, found.err
}

// serve compiles the definition of a kind.
func (s *server) serve(of groupKind) *served {
	out := &served{}
	crds := s.byKind[of]
	switch len(crds) {
	case 0:
		out.err = fmt.Errorf("%s: %w%s", of, errNoDefinition, s.meant(of))
		return out
	case 1:
		out.crd = crds[0]
	default:
		out.err = fmt.Errorf("%s is defined twice, in %s and %s: test one at a time", of,
			crds[0].place(), crds[1].place())
		return out
	}
	out.document = out.crd.document
	if s.only != "" {
		if out.document, out.err = onlyVersion(out.document, s.only); out.err != nil {
			out.err = fmt.Errorf("%s: %w", out.crd.place(), out.err)
			return out
		}
	}
	out.def, out.err = out.crd.compile(out.document, s)
	return out
}

// meant asks whether another group or kind was meant, if a definition has one
// like that of an object without a definition. It is empty otherwise.
func (s *server) meant(of groupKind) string {
	if builtin.HasGroup(of.group) {
		return ""
	}
	var kinds []string
	for _, crd := range s.crds {
		known := crd.groupKind()
		if known.kind == of.kind {
			return fmt.Sprintf("; did you mean the group %s?", known.group)
		}
		if known.group == of.group {
			kinds = append(kinds, known.kind)
		}
	}
	if kind := nearest.Name(of.kind, kinds); kind != "" {
		return fmt.Sprintf("; did you mean the kind %s?", kind)
	}
	return ""
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
	if err != nil && !slices.Contains(names, name) {
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
	if err != nil {
		return nil, fmt.Errorf("%s: patched: %w", of.crd.place(), err)
	}
	def, err := of.crd.compile(document, s)
	return &served{crd: of.crd, document: document, def: def}, err
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
	out.minor = s.minor
	return out
}

// typeOf returns the kind of an object and the version that its apiVersion
// names.
func typeOf(object map[string]any) (of groupKind, version string, err error) {
	apiVersion, _ := object["apiVersion"].(string)
	kind, _ := object["kind"].(string)
	if apiVersion == "" || kind == "" {
		return of, "", fmt.Errorf("apiVersion %q and kind %q name no resource", apiVersion, kind)
	}
	group, version, found := strings.Cut(apiVersion, "/")
	if !found {
		group, version = "", apiVersion
	}
	return groupKind{group, kind}, version, nil
}
