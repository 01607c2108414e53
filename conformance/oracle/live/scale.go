package live

import (
	"encoding/json"
	"net/http"
)

// scale reads an object's scale in a version with the subresource, updates it,
// and compares the answers.
func (s *session) scale(name string, v version) error {
	path := s.resource.path(v.name, name)
	stored, err := s.storedObject(name, path)
	if err != nil {
		return err
	}
	path += "/scale"
	x, err := s.do(http.MethodGet, path, "", nil)
	if err != nil {
		return err
	}
	judged, err := s.judged.scale(v.name, stored)
	if err := s.compareAnswer("scale", x, stored, judged, err); err != nil ||
		x.Status != http.StatusOK {
		return err
	}
	return s.updateScale(name, path, v, stored, x)
}

// updateScale sends an object's scale back with other replicas, every other
// time with its resourceVersion.
func (s *session) updateScale(name, path string, v version, stored []byte, read *exchange) error {
	scale, err := read.object()
	if err != nil {
		return err
	}
	replicas := []json.Number{"0", "1", "7", "21", "-1", "2147483647"}
	scale["spec"] = map[string]any{"replicas": replicas[s.rng.IntN(len(replicas))]}
	if s.rng.IntN(2) == 0 {
		delete(child(scale, "metadata"), "resourceVersion")
	}
	w := &write{
		version:     v.name,
		namespace:   s.namespace(),
		subresource: "scale",
		media:       mediaJSON,
		body:        encode(scale),
		old:         stored,
	}
	_, err = s.write(http.MethodPut, path, name, w)
	return err
}
