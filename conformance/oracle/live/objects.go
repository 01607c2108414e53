package live

import (
	"net/http"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"
)

// modes are the values of fieldValidation, used in turn.
var modes = []string{"", "Strict", "Warn", "Ignore"}

// objects sends the objects of the CRD, one after another.
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

// dryRun requests an answer without a change.
const dryRun = "?dryRun=All"

// namespace is the namespace of the URLs of the resource's objects.
func (s *session) namespace() string {
	if s.resource.namespaced {
		return namespace
	}
	return ""
}

// asWritten sends an object's YAML as in its file, into its own namespace,
// without storing it. An object of another version is left out.
func (s *session) asWritten(m manifest, v version) error {
	if text(m.object, "apiVersion") != s.resource.group+"/"+v.name {
		return nil
	}
	path := s.resource.path(v.name, "")
	w := &write{
		version:         v.name,
		namespace:       s.namespace(),
		fieldValidation: s.mode(),
		media:           mediaYAML,
		body:            m.text,
	}
	if own := text(child(m.object, "metadata"), "namespace"); own != "" && w.namespace != "" {
		w.namespace = own
		path = strings.Replace(path, "/namespaces/"+namespace+"/", "/namespaces/"+own+"/", 1)
	}
	_, err := s.write(http.MethodPost, path+dryRun, "", w)
	return err
}

// versionOf returns the served version that an object names. Otherwise it
// chooses one at random and sets it in the object.
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

// object creates an object unchanged and changed, reads it, updates it and its
// status, and reads it again.
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

// createChanged creates an object after a change of its fields or, sometimes,
// of its envelope or of the body's text.
func (s *session) createChanged(object map[string]any, v version, fields bool) error {
	m := &mutator{s.rng}
	m.addRevision(child(object, "metadata"))
	switch turn := s.rng.IntN(6); {
	case turn == 0 && !fields:
		w := &write{
			version:         v.name,
			namespace:       s.namespace(),
			fieldValidation: s.mode(),
			media:           mediaJSON,
			body:            m.broken(encode(object)),
		}
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

// settle gives an object a unique name and removes its old namespace.
func (s *session) settle(object map[string]any) string {
	metadata := child(object, "metadata")
	if metadata == nil {
		metadata = map[string]any{}
		object["metadata"] = metadata
	}
	s.serial++
	name := "live-" + strconv.Itoa(s.serial)
	metadata["name"] = name
	for _, field := range []string{
		"namespace", "resourceVersion", "uid", "deletionTimestamp", "generateName",
	} {
		delete(metadata, field)
	}
	if s.resource.namespaced && s.rng.IntN(2) == 0 {
		metadata["namespace"] = namespace
	}
	return name
}

// body writes an object as JSON or, sometimes, as YAML.
func (s *session) body(object map[string]any) (media string, body []byte, err error) {
	body = encode(object)
	if s.rng.IntN(4) > 0 {
		return mediaJSON, body, nil
	}
	body, err = yaml.JSONToYAML(body)
	return mediaYAML, body, err
}

// create creates an object and compares the answer; created is false if the
// server refused.
func (s *session) create(object map[string]any, v version) (created bool, err error) {
	media, body, err := s.body(object)
	if err != nil {
		return false, err
	}
	w := &write{
		version:         v.name,
		namespace:       s.namespace(),
		fieldValidation: s.mode(),
		media:           media,
		body:            body,
	}
	x, err := s.write(http.MethodPost, s.resource.path(v.name, ""), "", w)
	if err != nil {
		return false, err
	}
	return x.Status == http.StatusCreated, nil
}
