package live

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"sigs.k8s.io/yaml"
)

// modes are the values of fieldValidation, taken in turn.
var modes = []string{"", "Strict", "Warn", "Ignore"}

// objects sends the objects of the CRD, one after the other.
func (s *session) objects() error {
	served := s.resource.served()
	if len(served) == 0 {
		return nil
	}
	given := s.resource.objects
	for i, at := range s.rng.Perm(len(given)) {
		if i == s.resource.size.objects {
			break
		}
		object := copyValue(given[at].object).(map[string]any)
		if err := s.object(object, s.versionOf(object, served)); err != nil {
			return err
		}
	}
	sampler := &sampler{s.rng}
	for i := len(given); i < s.resource.size.objects; i++ {
		v := served[i%len(served)]
		if err := s.object(sampler.object(s.resource, v), v); err != nil {
			return err
		}
	}
	return nil
}

// versionOf is the served version that an object names, or else one at random, which the object is then given.
func (s *session) versionOf(object map[string]any, served []version) version {
	for _, v := range served {
		if text(object, "apiVersion") == s.resource.group+"/"+v.name {
			return v
		}
	}
	v := served[s.rng.IntN(len(served))]
	object["apiVersion"] = s.resource.group + "/" + v.name
	return v
}

// object creates an object as it is and changed, reads it, updates it and its status, and reads it again.
func (s *session) object(object map[string]any, v version) error {
	s.count(func(c *counts) { c.Objects++ })
	for i := range s.resource.size.mutations {
		changed := copyValue(object).(map[string]any)
		s.settle(changed)
		if err := s.createChanged(changed, v, i == 0); err != nil {
			return err
		}
	}
	name := s.settle(object)
	created, err := s.create(object, v)
	if err != nil || !created {
		return err
	}
	s.names = append(s.names, name)
	s.count(func(c *counts) { c.ObjectsCreated++ })
	if err := s.readAll(name); err != nil {
		return err
	}
	for i := range s.resource.size.updates {
		served := s.resource.served()
		if err := s.update(name, served[(i+s.serial)%len(served)], i); err != nil {
			return err
		}
	}
	return s.readAll(name)
}

// createChanged creates an object after a change: of its fields or, now and then, of its envelope or of the body as text.
func (s *session) createChanged(object map[string]any, v version, fields bool) error {
	m := &mutator{s.rng}
	switch turn := s.rng.IntN(6); {
	case turn == 0 && !fields:
		w := &write{version: v.name, fieldValidation: modes[s.rng.IntN(len(modes))], media: mediaJSON, body: m.broken(encode(object))}
		_, err := s.write(http.MethodPost, s.resource.path(v.name, ""), w)
		return err
	case turn <= 2 && !fields:
		m.envelope(object, s.resource.served())
	default:
		m.object(object)
	}
	_, err := s.create(object, v)
	return err
}

// settle gives an object a name of its own, and takes away where it lived.
func (s *session) settle(object map[string]any) string {
	metadata := child(object, "metadata")
	if metadata == nil {
		metadata = map[string]any{}
		object["metadata"] = metadata
	}
	s.serial++
	name := "live-" + strconv.Itoa(s.serial)
	metadata["name"] = name
	for _, field := range []string{"namespace", "resourceVersion", "uid", "deletionTimestamp", "generateName"} {
		delete(metadata, field)
	}
	if s.resource.namespaced && s.rng.IntN(2) == 0 {
		metadata["namespace"] = namespace
	}
	return name
}

// body writes an object as JSON or, now and then, as YAML.
func (s *session) body(object map[string]any) (media string, body []byte, err error) {
	body = encode(object)
	if s.rng.IntN(4) > 0 {
		return mediaJSON, body, nil
	}
	body, err = yaml.JSONToYAML(body)
	return mediaYAML, body, err
}

// create creates an object and compares; created is false where the server refused.
func (s *session) create(object map[string]any, v version) (created bool, err error) {
	media, body, err := s.body(object)
	if err != nil {
		return false, err
	}
	w := &write{version: v.name, fieldValidation: modes[s.rng.IntN(len(modes))], media: media, body: body}
	x, err := s.write(http.MethodPost, s.resource.path(v.name, ""), w)
	if err != nil {
		return false, err
	}
	return x.Status == http.StatusCreated, nil
}

// update reads an object in a version, changes it and sends it back: every other time as a status update, where there
// is such a subresource.
func (s *session) update(name string, v version, turn int) error {
	path := s.resource.path(v.name, name)
	read, err := s.do(http.MethodGet, path, "", nil)
	if err != nil {
		return err
	}
	object, err := read.object()
	if err != nil {
		return err
	}
	stored, err := s.storedObject(name, object)
	if err != nil {
		return err
	}
	w := &write{version: v.name, fieldValidation: modes[s.rng.IntN(len(modes))], old: stored}
	if v.status && turn%2 == 1 {
		w.subresource = "status"
		path += "/status"
		object["status"] = (&sampler{s.rng}).value(child(child(v.schema, "properties"), "status"), 1)
	}
	if turn > 0 {
		(&mutator{s.rng}).object(object)
	}
	if w.media, w.body, err = s.body(object); err != nil {
		return err
	}
	_, err = s.write(http.MethodPut, path, w)
	return err
}

// storedObject reads what etcd holds of an object. The resourceVersion is not among it: the server adds it to what it reads.
func (s *session) storedObject(name string, read map[string]any) ([]byte, error) {
	stored, err := s.server.stored(s.resource.key(name))
	if err != nil {
		return nil, err
	}
	value, err := decodeJSON(stored)
	if err != nil {
		return nil, err
	}
	if metadata := child(value.(map[string]any), "metadata"); metadata != nil {
		metadata["resourceVersion"] = text(child(read, "metadata"), "resourceVersion")
	}
	return encode(value), nil
}

// write sends a request that writes, and compares the answer, the object in it and what is stored then.
func (s *session) write(method, path string, w *write) (*exchange, error) {
	if w.fieldValidation != "" {
		path += "?fieldValidation=" + w.fieldValidation
	}
	x, err := s.do(method, path, w.media, w.body)
	if err != nil {
		return nil, err
	}
	server, err := verdictOf(x)
	if err != nil {
		s.note("answer", x, w.old, []string{"an answer that no object should bring: " + err.Error()})
		return x, nil
	}
	s.countWrite(server.stage)
	if server.stage == stageAdmitted {
		name := text(child(server.returned.(map[string]any), "metadata"), "name")
		if server.stored, err = s.server.stored(s.resource.key(name)); err != nil {
			return nil, err
		}
	}
	if s.judged == nil {
		return x, s.compare("write", x, server, nil, errUnjudged, w.old)
	}
	judged, err := s.judged.write(w)
	return x, s.compare("write", x, server, judged, err, w.old)
}

func (s *session) countWrite(reached stage) {
	s.count(func(c *counts) {
		c.Verdicts++
		switch reached {
		case stageAdmitted:
			c.Admitted++
		case stageInvalid:
			c.Invalid++
		case stageDecode:
			c.Refused++
		}
	})
}

// readAll reads an object at every served version and compares.
func (s *session) readAll(name string) error {
	stored, err := s.server.stored(s.resource.key(name))
	if err != nil {
		return err
	}
	for _, v := range s.resource.served() {
		x, err := s.do(http.MethodGet, s.resource.path(v.name, name), "", nil)
		if err != nil {
			return err
		}
		if x.Status != http.StatusOK {
			return fmt.Errorf("reading %s in %s: status %d", name, v.name, x.Status)
		}
		s.count(func(c *counts) { c.Reads++ })
		if s.judged == nil {
			continue
		}
		if err := s.compareRead(x, v, stored); err != nil {
			return err
		}
	}
	return nil
}

// compareRead compares one read with what the judge makes of the stored bytes.
func (s *session) compareRead(x *exchange, v version, stored []byte) error {
	object, err := x.object()
	if err != nil {
		return err
	}
	judged, err := s.judged.read(v.name, json.RawMessage(stored))
	var details []string
	switch {
	case errors.Is(err, errUnjudged):
		s.count(func(c *counts) { c.Unjudged++ })
		return nil
	case err != nil:
		details = []string{"the judge fails: " + err.Error()}
	default:
		details = compareObjects("object", object, judged)
	}
	if warnings, err := s.judged.readWarnings(v.name); err == nil {
		details = append(details, compareWarnings(x.Warnings, warnings)...)
	}
	s.note("read", x, stored, details)
	return nil
}
