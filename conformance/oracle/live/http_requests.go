package live

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// stranger sends what a drawer draws to the real server and to ours.
type stranger struct {
	*twins
	drawer
	signs int // how often the definition was changed
}

// strangers sends random requests to both servers, and ends with a watch.
func strangers(t *twins) error {
	s := &stranger{twins: t, drawer: drawer{t.rng}}
	const requests = 110
	return t.watched(requests, s.step)
}

// step sends one request, and those that it is made from.
func (s *stranger) step() error {
	v, name := s.anyVersion(), pick(s.drawer, twinNames...)
	switch n := s.drawer.IntN(100); {
	case n < 16:
		return s.create(v, name)
	case n < 30:
		return s.put(v, name)
	case n < 44:
		return s.merge(v, name)
	case n < 54:
		return s.operations(v, name)
	case n < 72:
		return s.apply(v, name)
	case n < 84:
		return s.scale(v, name)
	case n < 88:
		return s.deleteOne(v, name)
	case n < 89:
		return s.deleteSome(v, name)
	case n < 91:
		return s.listSome(v, name)
	case n < 93:
		return s.formOf(v, name)
	case n < 95:
		return s.getOne(v, name)
	case n < 97:
		return s.optionsOf(v, name)
	case n < 98:
		return s.define(v, name)
	case n < 99:
		return s.discover(v, name)
	}
	return s.restrict()
}

// options draws the query of a write.
func (s *stranger) options(apply bool) string {
	query := url.Values{}
	if s.one(2) {
		query.Set("fieldValidation", pick(s.drawer, "Strict", "Warn", "Ignore"))
	}
	if apply && !s.one(25) {
		query.Set("fieldManager", pick(s.drawer, "a", "b", "c"))
	} else if s.one(4) {
		query.Set("fieldManager", pick(s.drawer, "a", "u"))
	}
	if apply && s.one(2) {
		query.Set("force", "true")
	}
	if s.one(10) {
		query.Set("dryRun", "All")
	}
	return "?" + query.Encode()
}

// part draws the path of an object, or of its status.
func (s *stranger) part(v version, name string) (path string) {
	path = s.resource.path(v.name, name)
	if s.one(4) && (v.status || s.one(10)) {
		path += "/status"
	}
	return path
}

// drawn draws an object of a name, one that is not there included.
func (s *stranger) drawn(v version, name string) map[string]any {
	object := s.object(s.resource, v, name)
	s.lying(object)
	return object
}

func (s *stranger) create(v version, name string) error {
	object := s.drawn(v, name)
	media, body := s.body(object)
	_, err := s.send(http.MethodPost, s.collection(v)+s.options(false), media, []byte(body))
	return err
}

// put updates an object: the stored one with a new spec, or one that is drawn.
func (s *stranger) put(v version, name string) error {
	stored, err := s.current(v, name)
	if err != nil {
		return err
	}
	object := s.drawn(v, name)
	if stored != nil && !s.one(8) {
		metadata, ok := object["metadata"].(map[string]any)
		if ok && s.one(3) {
			metadata["resourceVersion"] = text(child(stored, "metadata"), "resourceVersion")
		} else {
			object["metadata"] = stored["metadata"]
		}
		if s.one(4) {
			object["spec"] = stored["spec"]
		}
	}
	media, body := s.body(object)
	_, err = s.send(http.MethodPut, s.part(v, name)+s.options(false), media, []byte(body))
	return err
}

// merge sends a merge patch.
func (s *stranger) merge(v version, name string) error {
	object := s.drawn(v, name)
	for _, key := range sortedKeys(object) {
		if s.one(3) || key == "apiVersion" || key == "kind" {
			delete(object, key)
		}
	}
	metadata, ok := object["metadata"].(map[string]any)
	if ok && !s.one(10) {
		delete(metadata, "name")
	}
	var patch any = object
	switch s.drawer.IntN(12) {
	case 0:
		patch = map[string]any{"spec": nil}
	case 1:
		patch = map[string]any{"metadata": map[string]any{pick(s.drawer, "labels",
			"annotations", "finalizers", "resourceVersion", "uid", "name", "managedFields"): nil}}
	case 2:
		patch = s.wild()
	}
	body := s.asJSON(patch)
	if s.one(25) {
		body = s.damaged(body)
	}
	_, err := s.send(http.MethodPatch, s.part(v, name)+s.options(false), mediaMergePatch,
		[]byte(body))
	return err
}

// operations sends a JSON patch.
func (s *stranger) operations(v version, name string) error {
	list := []any{}
	fields := sortedKeys(child(child(child(v.schema, "properties"), "spec"), "properties"))
	for range 1 + s.drawer.IntN(3) {
		path := "/spec/" + pick(s.drawer, fields...)
		switch s.drawer.IntN(8) {
		case 0:
			path = pick(s.drawer, "/spec", "/status", "/metadata/labels", "/metadata/labels/app",
				"/metadata/annotations", "/metadata/finalizers/0", "/metadata/finalizers/-", "",
				"/", "spec", "/spec/~1", "/metadata/name", "/kind", "/apiVersion")
		case 1:
			path += pick(s.drawer, "/0", "/-", "/x", "/1", "/-1", "/01", "/a")
		}
		operation := map[string]any{
			"op":   pick(s.drawer, "add", "add", "replace", "remove", "test", "move", "copy"),
			"path": path,
		}
		if !s.one(12) {
			operation["value"] = s.value(child(child(v.schema, "properties"), "spec"), 2)
			if s.one(2) {
				operation["value"] = s.wild()
			}
		}
		if operation["op"] == "move" || operation["op"] == "copy" || s.one(12) {
			operation["from"] = "/spec/" + pick(s.drawer, fields...)
		}
		if s.one(20) {
			operation["more"] = pick(s.drawer, scalars...)
		}
		list = append(list, operation)
	}
	body := s.asJSON(list)
	if s.one(25) {
		body = s.damaged(body)
	}
	_, err := s.send(http.MethodPatch, s.part(v, name)+s.options(false), mediaJSONPatch,
		[]byte(body))
	return err
}

// apply applies a part of an object, in a text of some form.
func (s *stranger) apply(v version, name string) error {
	object := s.drawn(v, name)
	if s.one(3) {
		delete(object, pick(s.drawer, "spec", "status"))
	}
	var body string
	switch s.drawer.IntN(3) {
	case 0:
		body = strings.TrimPrefix(s.asBlock(object, ""), "\n")
	case 1:
		body = s.asFlow(object)
	default:
		body = s.asJSON(object)
	}
	if s.one(15) {
		body = s.damaged(body)
	}
	_, err := s.send(http.MethodPatch, s.part(v, name)+s.options(true), mediaApply,
		[]byte(body))
	return err
}

// scale reads or writes the scale of an object.
func (s *stranger) scale(v version, name string) error {
	path := s.resource.path(v.name, name) + "/scale"
	scale := map[string]any{
		"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": map[string]any{"name": name},
		"spec": map[string]any{"replicas": literal(fmt.Sprint(s.drawer.IntN(5)))},
	}
	switch s.drawer.IntN(12) {
	case 0:
		scale["spec"] = map[string]any{"replicas": pick(s.drawer, scalars...)}
	case 1:
		scale["spec"].(map[string]any)["more"] = literal("1")
	case 2:
		scale[pick(s.drawer, "spec", "metadata", "status", "kind", "apiVersion")] = s.wild()
	case 3:
		scale["status"] = map[string]any{"replicas": pick(s.drawer, scalars...)}
	case 4:
		delete(scale, pick(s.drawer, "spec", "metadata", "kind", "apiVersion"))
	case 5:
		scale["apiVersion"] = pick(s.drawer, "apps/v1beta1", "v1", "autoscaling/v2")
	case 6:
		scale["metadata"] = s.metadata(name)
	}
	method, apply := http.MethodPut, false
	var media, body string
	switch s.drawer.IntN(5) {
	case 0:
		_, err := s.send(http.MethodGet, path, "", nil)
		return err
	case 1:
		media, body = s.body(scale)
	case 2:
		method, media = http.MethodPatch, mediaMergePatch
		for _, key := range []string{"apiVersion", "kind", "metadata"} {
			if !s.one(5) {
				delete(scale, key)
			}
		}
		body = s.asJSON(scale)
	case 3:
		method, media = http.MethodPatch, mediaJSONPatch
		body = s.asJSON([]any{map[string]any{
			"op": pick(s.drawer, "replace", "add", "remove", "test"),
			"path": pick(s.drawer, "/spec/replicas", "/spec/replicas", "/spec", "/spec/more",
				"/metadata/labels", "/status/replicas", "/kind"),
			"value": pick(s.drawer, scalars...),
		}})
	default:
		// A field that a scale does not have has an error of its own.
		scale["spec"] = map[string]any{"replicas": literal(fmt.Sprint(s.drawer.IntN(5)))}
		delete(scale, "status")
		if metadata, ok := scale["metadata"].(map[string]any); ok {
			delete(metadata, "unknown")
		}
		method, media, apply, body = http.MethodPatch, mediaApply, true, s.asFlow(scale)
	}
	if s.one(25) {
		body = s.damaged(body)
	}
	_, err := s.send(method, path+s.options(apply), media, []byte(body))
	return err
}

// restrict changes the schema of the definition under the stored objects. A
// deprecation warning shows when the real server has the change.
func (s *stranger) restrict() error {
	s.signs++
	s.steps++
	sign := fmt.Sprintf("changed %d", s.signs)
	var patch []any
	for i, v := range s.resource.versions {
		at := fmt.Sprintf("/spec/versions/%d/", i)
		patch = append(patch,
			map[string]any{"op": "add", "path": at + "deprecated", "value": true},
			map[string]any{"op": "add", "path": at + "deprecationWarning", "value": sign})
		fields := child(child(child(v.schema, "properties"), "spec"), "properties")
		field := pick(s.drawer, append([]string{"a", "b", "list"}, sortedKeys(fields)...)...)
		if field == "color" || field == "replicas" {
			continue
		}
		patch = append(patch, map[string]any{
			"op": "add", "value": s.fieldSchema(field, 1),
			"path": at + "schema/openAPIV3Schema/properties/spec/properties/" + field,
		})
	}
	body, err := json.Marshal(patch)
	if err != nil {
		return err
	}
	path := crdPath + "/" + s.resource.name
	real, err := s.do(http.MethodPatch, path, mediaJSONPatch, body)
	if err != nil {
		return err
	}
	fake, err := s.fake.do(http.MethodPatch, path, mediaJSONPatch, body)
	if err != nil {
		return err
	}
	if real.Status != http.StatusOK && fake.Status == real.Status {
		details := append(s.compareRefusals(real, fake),
			compareWarnings(real.Warnings, fake.Warnings)...)
		s.note("restrict", real, []byte(fake.Response), details)
		return nil
	}
	s.compareDefinitions("restrict", real, fake, asAnswered)
	if real.Status != http.StatusOK {
		return fmt.Errorf("one server refuses the change: %s", real.Response)
	}
	object, err := real.object()
	if err != nil {
		return err
	}
	s.resource.versions = newResource(manifest{object: object}).versions
	if err := s.sameDefinition(); err != nil {
		return err
	}
	return s.waitForWarning(sign)
}
