package server

import (
	"fmt"
	"slices"
	"strings"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/crdsem/crdsem/kube/server/internal/storage"
)

// Stored returns the JSON of an object as it is stored, in the version of the
// storage and without a resourceVersion. The key is that of etcd without the
// prefix of a server, e.g. /stable.example.com/crontabs/default/mine. ok is
// false if nothing is there.
func (s *Server) Stored(key string) (object []byte, ok bool) {
	objects, ok := s.ofKey(key)
	if !ok {
		return nil, false
	}
	live := objects.Get(key)
	if live == nil {
		return nil, false
	}
	object, err := live.JSON()
	return slices.Clone(object), err == nil
}

// Store stores the JSON of an object under a key of [Server.Stored], in place
// of the object that is there. Nothing is defaulted, pruned or validated. A
// test gets objects this way that an older definition allowed. Store fails if
// the key is that of no resource, or if the JSON is not an object. A definition
// of v1beta1 is stored as one of v1.
func (s *Server) Store(key string, object []byte) error {
	objects, ok := s.ofKey(key)
	if !ok {
		return fmt.Errorf("key %s: no such resource", key)
	}
	var content map[string]any
	if err := utiljson.Unmarshal(object, &content); err != nil {
		return fmt.Errorf("key %s: %w", key, err)
	}
	content = withMeta(fromBeta(content), "resourceVersion", nil)
	next := storage.NewObject(key, content, content)
	for done := false; !done; {
		if _, done = objects.Swap(key, objects.Get(key), next); !done && objects.Ended() {
			return fmt.Errorf("key %s: the definition is gone", key)
		}
	}
	if name, ok := strings.CutPrefix(key, definitionPrefix); ok {
		s.cluster.reinstall(name)
	}
	return nil
}

// ofKey returns the objects of the resource that a key is of. Those of a
// definition that is not served any more are still there.
func (s *Server) ofKey(key string) (*storage.Collection, bool) {
	parts := strings.Split(key, "/")
	if len(parts) < 4 || parts[0] != "" {
		return nil, false
	}
	k, ok := s.cluster.kinds.Resource(parts[1], parts[2])
	if !ok {
		s.cluster.mu.Lock()
		defer s.cluster.mu.Unlock()
		one := s.cluster.installed[parts[2]+"."+parts[1]]
		if one == nil || one.objects == nil {
			return nil, false
		}
		return one.objects, true
	}
	want := 4
	if k.namespaced {
		want = 5
	}
	return k.objects, len(parts) == want && parts[want-1] != ""
}
