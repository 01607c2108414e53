package live

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

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
		v := s.versionOf(object, served)
		if err := s.asWritten(given[at], v); err != nil {
			return err
		}
		if err := s.object(object, v); err != nil {
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

// dryRun asks for an answer without a change.
const dryRun = "?dryRun=All"

// namespace is the namespace of the URLs of the resource's objects.
func (s *session) namespace() string {
	if s.resource.namespaced {
		return namespace
	}
	return ""
}

// asWritten sends an object's YAML as it stands in its file, into its own namespace, without storing it. An object of
// another version is left out.
func (s *session) asWritten(m manifest, v version) error {
	if text(m.object, "apiVersion") != s.resource.group+"/"+v.name {
		return nil
	}
	path := s.resource.path(v.name, "")
	w := &write{version: v.name, namespace: s.namespace(), fieldValidation: s.mode(), media: mediaYAML, body: m.text}
	if own := text(child(m.object, "metadata"), "namespace"); own != "" && w.namespace != "" {
		w.namespace = own
		path = strings.Replace(path, "/namespaces/"+namespace+"/", "/namespaces/"+own+"/", 1)
	}
	_, err := s.write(http.MethodPost, path+dryRun, "", w)
	return err
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
	if err := s.updates(name); err != nil {
		return err
	}
	if err := s.patches(name); err != nil {
		return err
	}
	return s.applies(name)
}

// createChanged creates an object after a change: of its fields or, now and then, of its envelope or of the body as text.
func (s *session) createChanged(object map[string]any, v version, fields bool) error {
	m := &mutator{s.rng}
	switch turn := s.rng.IntN(6); {
	case turn == 0 && !fields:
		w := &write{version: v.name, namespace: s.namespace(), fieldValidation: s.mode(), media: mediaJSON, body: m.broken(encode(object))}
		_, err := s.write(http.MethodPost, s.resource.path(v.name, ""), "", w)
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
	w := &write{version: v.name, namespace: s.namespace(), fieldValidation: s.mode(), media: media, body: body}
	x, err := s.write(http.MethodPost, s.resource.path(v.name, ""), "", w)
	if err != nil {
		return false, err
	}
	return x.Status == http.StatusCreated, nil
}

// updates updates a stored object some times, each time in some version, scales it, and reads it.
func (s *session) updates(name string) error {
	served := s.resource.served()
	for turn := range s.resource.size.updates {
		if err := s.update(name, served[s.rng.IntN(len(served))], turn); err != nil {
			return err
		}
	}
	for _, v := range served {
		if v.scale {
			if err := s.scale(name, v); err != nil {
				return err
			}
		}
	}
	return s.readAll(name)
}

// update reads an object in a version, changes it and sends it back: every other time as a status update, where there
// is such a subresource.
func (s *session) update(name string, v version, turn int) error {
	path := s.resource.path(v.name, name)
	read, err := s.do(http.MethodGet, path, "", nil)
	if err != nil || read.Status != http.StatusOK {
		return err // what does not convert cannot be read
	}
	object, err := read.object()
	if err != nil {
		return err
	}
	w := &write{version: v.name, namespace: s.namespace(), fieldValidation: s.mode()}
	if w.old, err = s.storedObject(name, path); err != nil {
		return err
	}
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
	_, err = s.write(http.MethodPut, path, name, w)
	return err
}

// storedObject reads what etcd holds of an object, with the resourceVersion, which the server adds to what it reads.
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

// write sends a request that writes, and compares the answer, the object in it and what is stored then. On create, the
// name is that of the answer.
func (s *session) write(method, path, name string, w *write) (*exchange, error) {
	x, err := s.do(method, withMode(path, w.fieldValidation), w.media, w.body)
	if err != nil {
		return nil, err
	}
	if x.Status == 0 {
		return x, s.panickedAt(x, w)
	}
	server, err := verdictOf(x)
	if err != nil {
		s.note("answer", x, w.old, []string{"an answer that no object should bring: " + err.Error()})
		return x, nil
	}
	s.countWrite(server.stage)
	if server.stage == stageAdmitted && !strings.Contains(path, dryRun) {
		if name == "" {
			name = text(child(server.returned.(map[string]any), "metadata"), "name")
		}
		if server.stored, _, err = s.server.stored(s.resource.key(name)); err != nil {
			return nil, err
		}
	}
	judged, err := s.judged.write(w)
	if w.media == mediaApply {
		keepManagers(server, judged)
	}
	s.compare("write", x, server, judged, err, w.old)
	return x, nil
}

// panickedAt notes that the server panicked at a write. The judge must say that.
func (s *session) panickedAt(x *exchange, w *write) error {
	s.count(func(c *counts) { c.Panics++ })
	judged, err := s.judged.write(w)
	if err != nil || judged.code != http.StatusInternalServerError {
		s.note("write", x, w.old, []string{fmt.Sprintf("the server panics; the judge says %+v, %v", judged, err)})
	}
	return nil
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
		case stageFailed:
			c.Failed++
		}
	})
}

// readAll reads an object at every served version and compares.
func (s *session) readAll(name string) error {
	stored, _, err := s.server.stored(s.resource.key(name))
	if err != nil {
		return err
	}
	for _, v := range s.resource.served() {
		x, err := s.do(http.MethodGet, s.resource.path(v.name, name), "", nil)
		if err != nil {
			return err
		}
		s.count(func(c *counts) { c.Reads++ })
		judged, err := s.judged.read(v.name, stored)
		if err := s.compareAnswer("read", x, stored, judged, err); err != nil {
			return err
		}
	}
	return nil
}

// compareAnswer compares the answer to a read.
func (s *session) compareAnswer(what string, x *exchange, stored []byte, judged *verdict, judgeErr error) error {
	server, err := verdictOf(x)
	if err != nil {
		return err
	}
	s.compare(what, x, server, judged, judgeErr, stored)
	return nil
}

// lists lists the objects in every served version and compares each item with a read.
func (s *session) lists() error {
	for _, v := range s.resource.served() {
		x, err := s.do(http.MethodGet, s.resource.path(v.name, ""), "", nil)
		if err != nil || x.Status != http.StatusOK {
			return err // one object that does not convert spoils the list
		}
		list, err := x.object()
		if err != nil {
			return err
		}
		items, _ := list["items"].([]any)
		for _, item := range items {
			item, _ := item.(map[string]any)
			stored, _, err := s.server.stored(s.resource.key(text(child(item, "metadata"), "name")))
			if err != nil {
				return err
			}
			judged, err := s.judged.read(v.name, stored)
			if err == nil && judged.listed != nil {
				judged = &verdict{stage: stageAdmitted, returned: judged.listed, warnings: judged.warnings}
			}
			s.compare("list", x, &verdict{stage: stageAdmitted, returned: item, warnings: x.Warnings}, judged, err, stored)
		}
		s.count(func(c *counts) { c.Lists++ })
	}
	return nil
}
