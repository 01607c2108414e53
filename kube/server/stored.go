package server

import (
	"encoding/json"
	"fmt"
	"strings"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/crdsem/crdsem/kube/server/internal/storage"
)

// Stored returns the JSON of an object as it is stored, in the version of the
// storage and without a resourceVersion. The key is that of etcd without the
// prefix of a server, e.g. /stable.example.com/crontabs/default/mine. ok is
// false if nothing is there.
func (s *Server) Stored(key string) (object []byte, ok bool) {
	k, ok := s.ofKey(key)
	if !ok {
		return nil, false
	}
	live := k.objects.Get(key)
	if live == nil {
		return nil, false
	}
	object, err := json.Marshal(live.Content)
	return object, err == nil
}

// Store stores the JSON of an object under a key of [Server.Stored], in place of
// the object that is there. Nothing is defaulted, pruned or validated. A test
// gets objects this way that an older definition allowed. Store fails if the
// key is that of no resource, or if the JSON is not an object.
func (s *Server) Store(key string, object []byte) error {
	k, ok := s.ofKey(key)
	if !ok {
		return fmt.Errorf("key %s: no such resource", key)
	}
	var content map[string]any
	if err := utiljson.Unmarshal(object, &content); err != nil {
		return fmt.Errorf("key %s: %w", key, err)
	}
	content = withMeta(content, "resourceVersion", nil)
	next := storage.NewObject(key, content, content)
	for done := false; !done; {
		_, done = k.objects.Swap(key, k.objects.Get(key), next)
	}
	if k.resource == definitions {
		s.cluster.reinstall(strings.TrimPrefix(key, definitionPrefix))
	}
	return nil
}

// ofKey returns the kind whose objects are stored under a key.
func (s *Server) ofKey(key string) (*kind, bool) {
	parts := strings.Split(key, "/")
	if len(parts) < 4 || parts[0] != "" {
		return nil, false
	}
	k, ok := s.cluster.kinds.Resource(parts[1], parts[2])
	want := 4
	if ok && k.namespaced {
		want = 5
	}
	return k, ok && len(parts) == want && parts[want-1] != ""
}
