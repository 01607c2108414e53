package live

import (
	"fmt"
	"net/http"
)

// subject is a stored object as read in a version, and a write that starts from
// it.
type subject struct {
	name, path string
	version    version
	object     map[string]any
	write      *write
}

// rounds calls do several times for a stored object, each time in some version.
func (s *session) rounds(name string, n int, do func(at *subject, turn int) error) error {
	served := s.resource.served()
	for turn := range n {
		at, err := s.begin(name, served[s.rng.IntN(len(served))])
		if err != nil {
			return err
		}
		if at == nil {
			continue // an object that does not convert cannot be read
		}
		if err := do(at, turn); err != nil {
			return err
		}
	}
	return nil
}

// begin reads a stored object in a version, and compares the answer. It returns
// nil if the object cannot be read.
func (s *session) begin(name string, v version) (*subject, error) {
	at := &subject{name: name, path: s.resource.path(v.name, name), version: v}
	old, err := s.storedObject(name, at.path)
	if err != nil {
		return nil, err
	}
	read, err := s.read(at.path, v, old)
	if err != nil || read.Status != http.StatusOK {
		return nil, err
	}
	at.write = &write{
		version:         v.name,
		namespace:       s.namespace(),
		fieldValidation: s.mode(),
		old:             old,
	}
	at.object, err = read.object()
	return at, err
}

// updates updates a stored object several times, scales it, and reads it.
func (s *session) updates(name string) error {
	if err := s.rounds(name, s.resource.size.updates, s.update); err != nil {
		return err
	}
	for _, v := range s.resource.served() {
		if v.scale {
			if err := s.scale(name, v); err != nil {
				return err
			}
		}
	}
	return s.readAll(name)
}

// update changes an object and sends it back. Every other time it is a status
// update, if there is such a subresource.
func (s *session) update(at *subject, turn int) error {
	w, path := at.write, at.path
	if at.version.status && turn%2 == 1 {
		w.subresource = "status"
		path += "/status"
		at.object["status"] = (&sampler{s.rng}).value(
			child(child(at.version.schema, "properties"), "status"),
			1,
		)
	}
	if turn > 0 {
		(&mutator{s.rng}).object(at.object)
	}
	var err error
	if w.media, w.body, err = s.body(at.object); err != nil {
		return err
	}
	_, err = s.write(http.MethodPut, path, at.name, w)
	return err
}

// storedObject reads the bytes that etcd holds of an object. It adds the
// resourceVersion, as the server does when it reads.
func (s *session) storedObject(name, path string) ([]byte, error) {
	stored, revision, err := s.server.stored(s.resource.key(name))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	object := decoded(stored)
	metadata := child(object, "metadata")
	if metadata == nil {
		return nil, fmt.Errorf("%s: etcd holds no object: %s", path, stored)
	}
	metadata["resourceVersion"] = revision
	return encode(object), nil
}
