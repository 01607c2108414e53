package live

import (
	"encoding/json"
	"net/http"
	"reflect"
	"strconv"
	"strings"
)

// The media types of patches.
const (
	mediaJSONPatch  = "application/json-patch+json"
	mediaMergePatch = "application/merge-patch+json"
)

// patches patches a stored object several times, and then reads it.
func (s *session) patches(name string) error {
	if err := s.rounds(name, s.resource.size.patches, s.patch); err != nil {
		return err
	}
	return s.readAll(name)
}

// patch patches the stored object. Every third patch is one of the status, if
// there is such a subresource. Every fourth patch is not stored.
func (s *session) patch(at *subject, turn int) error {
	w, path := at.write, at.path
	w.patch = true
	if at.version.status && turn%3 == 2 {
		w.subresource = "status"
		path += "/status"
	}
	if turn%4 == 3 {
		path += dryRun
	}
	w.media, w.body = s.patcher(at).patch(w.subresource)
	s.count(func(c *counts) { c.Patches++ })
	_, err := s.write(http.MethodPatch, path, at.name, w)
	return err
}

// patcher makes patches of an object.
type patcher struct {
	mutator
	resource *resource
	version  version
	object   map[string]any
}

// patcher returns a patcher for a stored object.
func (s *session) patcher(at *subject) *patcher {
	return &patcher{mutator{s.rng}, s.resource, at.version, at.object}
}

// patch makes a patch of some kind: mostly of fields in the schema, sometimes
// of the envelope, sometimes damaged.
func (p *patcher) patch(subresource string) (media string, body []byte) {
	kind := p.rng.IntN(12)
	if p.rng.IntN(2) == 0 {
		switch {
		case kind == 0:
			return mediaJSONPatch, p.brokenJSONPatch()
		case kind == 1:
			return mediaJSONPatch, encode(p.operations(p.envelopeOperation()))
		}
		return mediaJSONPatch, encode(p.operations(p.jsonPatch(subresource)...))
	}
	switch {
	case kind == 0:
		return p.media(), p.brokenMergePatch()
	case kind == 1:
		return mediaMergePatch, encode(p.envelopeMerge())
	}
	return mediaMergePatch, encode(p.mergePatch(subresource))
}

// media returns the media type of a merge patch or, sometimes, one that custom
// resources do not support.
func (p *patcher) media() string {
	if p.rng.IntN(8) > 0 {
		return mediaMergePatch
	}
	unknown := []string{"application/strategic-merge-patch+json", mediaJSON, "text/plain"}
	return unknown[p.rng.IntN(len(unknown))]
}

// changed returns the object after some changes. For a patch of the status it
// sometimes has a new status.
func (p *patcher) changed(subresource string) map[string]any {
	object := copyValue(p.object).(map[string]any)
	if subresource == "status" && p.rng.IntN(3) > 0 {
		object["status"] = (&sampler{p.rng}).value(
			child(child(p.version.schema, "properties"), "status"),
			1,
		)
	}
	p.mutator.object(object)
	return object
}

// mergePatch returns the difference between the object and the changed object,
// or sometimes a part of the changed one.
func (p *patcher) mergePatch(subresource string) any {
	after := p.changed(subresource)
	if p.rng.IntN(3) == 0 {
		for _, key := range sortedKeys(after) {
			if key != "apiVersion" && key != "kind" && p.rng.IntN(2) == 0 {
				delete(after, key)
			}
		}
		if metadata := child(after, "metadata"); metadata != nil {
			delete(metadata, "managedFields")
		}
		return after
	}
	patch, _ := mergeDifference(p.object, after).(map[string]any)
	return patch
}

// mergeDifference returns a merge patch that turns one value into another.
func mergeDifference(before, after any) any {
	a, okA := before.(map[string]any)
	b, okB := after.(map[string]any)
	if !okA || !okB {
		return after
	}
	patch := map[string]any{}
	for _, key := range sortedKeys(a) {
		if _, ok := b[key]; !ok {
			patch[key] = nil
		}
	}
	for _, key := range sortedKeys(b) {
		if old, ok := a[key]; !ok {
			patch[key] = b[key]
		} else if difference := mergeDifference(old, b[key]); !isSame(old, b[key], difference) {
			patch[key] = difference
		}
	}
	return patch
}

// isSame reports whether a difference between two values is empty.
func isSame(before, after, difference any) bool {
	if fields, ok := difference.(map[string]any); ok && len(fields) == 0 {
		_, wasObject := before.(map[string]any)
		return wasObject
	}
	return reflect.DeepEqual(before, after)
}

// pointed is a value of a document, and the pointer to it.
type pointed struct {
	pointer string
	value   any
}

// pointers returns the values in a document, in order.
func pointers(value any, at string) []pointed {
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	all := []pointed{{at, value}}
	switch value := value.(type) {
	case map[string]any:
		for _, key := range sortedKeys(value) {
			all = append(all, pointers(value[key], at+"/"+escape.Replace(key))...)
		}
	case []any:
		for i, item := range value {
			all = append(all, pointers(item, at+"/"+strconv.Itoa(i))...)
		}
	}
	return all
}

// operations returns a JSON patch, sometimes with an unknown or a duplicate
// member.
func (p *patcher) operations(operations ...map[string]any) []any {
	patch := make([]any, 0, len(operations))
	for _, operation := range operations {
		switch p.rng.IntN(40) {
		case 0:
			operation["comment"] = "x"
		case 1:
			operation["Path"] = "/folded"
		case 2:
			operation["op"] = duplicated{first: "remove", last: operation["op"]}
		case 3:
			if _, already := operation["value"].(duplicated); !already {
				operation["value"] = duplicated{first: "first", last: operation["value"]}
			}
		}
		patch = append(patch, operation)
	}
	return patch
}

// jsonPatch returns one to four operations on fields in the schema.
func (p *patcher) jsonPatch(subresource string) []map[string]any {
	root := "/spec"
	if subresource == "status" {
		root = "/status"
	}
	if p.rng.IntN(6) == 0 {
		root = "/metadata/labels"
	}
	before, after := p.below(p.object, root), p.below(p.changed(subresource), root)
	var operations []map[string]any
	for range 1 + p.rng.IntN(4) {
		operations = append(operations, p.operation(before, after))
	}
	return operations
}

// below returns the values of an object outside its envelope, preferably those
// below a pointer.
func (p *patcher) below(object map[string]any, root string) []pointed {
	var preferred, all []pointed
	for _, at := range pointers(object, "")[1:] {
		if strings.HasPrefix(at.pointer, "/metadata/managedFields") || at.pointer == "/metadata" {
			continue
		}
		all = append(all, at)
		if strings.HasPrefix(at.pointer, root) {
			preferred = append(preferred, at)
		}
	}
	if len(preferred) > 0 && p.rng.IntN(4) > 0 {
		return preferred
	}
	return all
}

// operation returns one operation at a place of the object. Its value is the
// changed object's at that place, or any other.
func (p *patcher) operation(before, after []pointed) map[string]any {
	at, to := before[p.rng.IntN(len(before))], after[p.rng.IntN(len(after))]
	switch p.rng.IntN(12) {
	case 0, 1, 2:
		return map[string]any{"op": "add", "path": to.pointer, "value": to.value}
	case 3:
		ends := []string{"/-", "/0", "/new", "/-1", "/a~1b", "/99", "/x/y", ""}
		return map[string]any{
			"op":    "add",
			"path":  at.pointer + ends[p.rng.IntN(len(ends))],
			"value": p.anything(),
		}
	case 4, 5:
		return map[string]any{"op": "replace", "path": at.pointer, "value": to.value}
	case 6:
		return map[string]any{"op": "replace", "path": at.pointer, "value": p.anything()}
	case 7:
		return map[string]any{"op": "remove", "path": at.pointer}
	case 8:
		return map[string]any{"op": "move", "from": at.pointer, "path": to.pointer}
	case 9:
		return map[string]any{"op": "copy", "from": at.pointer, "path": to.pointer}
	case 10:
		return map[string]any{"op": "test", "path": at.pointer, "value": at.value}
	}
	return map[string]any{"op": "test", "path": at.pointer, "value": to.value}
}

// envelopeChange is a value for a pointer to the envelope.
type envelopeChange struct {
	pointer string
	value   any
}

// envelopeChanges returns changes of type, name and namespace, and of metadata
// that the server keeps.
func (p *patcher) envelopeChanges() []envelopeChange {
	served := p.resource.served()
	metadata := child(p.object, "metadata")
	owner := map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "name": "owner", "uid": "u-1"}
	return []envelopeChange{
		{"/kind", "Other"}, {"/kind", ""}, {"/kind", nil}, {"/kind", json.Number("1")}, {"/kind", []any{}}, {"/Kind", "Folded"}, {"/apiVersion", "v1"},
		{"/apiVersion", p.resource.group + "/" + served[p.rng.IntN(len(served))].name}, {"/apiVersion", p.resource.group + "/v0missing"},
		{"/apiVersion", nil}, {"/apiVersion", "a/b/c"}, {"/apiVersion", ""}, {"/metadata", nil}, {"/metadata", "text"}, {"/metadata", map[string]any{}},
		{"/metadata/name", "other"}, {"/metadata/name", nil}, {"/metadata/name", json.Number("1")}, {"/metadata/namespace", "elsewhere"},
		{"/metadata/namespace", nil}, {"/metadata/uid", "other"}, {"/metadata/uid", nil}, {"/metadata/resourceVersion", "1"},
		{"/metadata/resourceVersion", nil}, {"/metadata/resourceVersion", ""}, {"/metadata/resourceVersion", "0"}, {"/metadata/resourceVersion", "text"},
		{"/metadata/resourceVersion", metadata["resourceVersion"]}, {"/metadata/resourceVersion", "0" + text(metadata, "resourceVersion")},
		{"/metadata/resourceVersion", "99999999999999999999"}, {"/metadata/resourceVersion", "-1"}, {"/metadata/resourceVersion", json.Number("1")},
		{"/metadata/generation", json.Number("7")}, {"/metadata/generation", nil}, {"/metadata/generation", json.Number("1.0")},
		{"/metadata/creationTimestamp", nil}, {"/metadata/creationTimestamp", "2020-01-01T00:00:00Z"}, {"/metadata/creationTimestamp", "x"},
		{"/metadata/managedFields", nil}, {"/metadata/managedFields", []any{}}, {"/metadata/managedFields", []any{map[string]any{}}},
		{"/metadata/managedFields", "text"}, {"/metadata/selfLink", "/x"}, {"/metadata/unknown", "x"}, {"/metadata/generateName", "x-"},
		{"/metadata/ownerReferences", []any{owner, copyValue(owner)}}, {"/metadata/ownerReferences", []any{owner, nil}},
		{"/metadata/finalizers", []any{"plain", "example.com/x"}}, {"/metadata/labels", map[string]any{"a": nil}}, {"/metadata/labels/a", json.Number("1")},
		{"/metadata/annotations", map[string]any{"a": duplicated{"1", "2"}}}, {"/unknown", duplicated{"1", "2"}}, {"/status", nil}, {"/spec", nil},
		{"/items", []any{}}, {"/metadata/deletionTimestamp", "2020-01-01T00:00:00Z"}, {"/metadata/deletionGracePeriodSeconds", json.Number("3")},
	}
}

// envelopeOperation changes the envelope with an operation of a JSON patch.
func (p *patcher) envelopeOperation() map[string]any {
	changes := p.envelopeChanges()
	change := changes[p.rng.IntN(len(changes))]
	if change.value == nil && p.rng.IntN(3) > 0 {
		return map[string]any{"op": "remove", "path": change.pointer}
	}
	ops := []string{"add", "replace", "test"}
	return map[string]any{
		"op":    ops[p.rng.IntN(len(ops))],
		"path":  change.pointer,
		"value": change.value,
	}
}

// envelopeMerge changes the envelope with a merge patch.
func (p *patcher) envelopeMerge() any {
	changes := p.envelopeChanges()
	change := changes[p.rng.IntN(len(changes))]
	value := change.value
	keys := strings.Split(change.pointer[1:], "/")
	for i := len(keys) - 1; i >= 0; i-- {
		value = map[string]any{keys[i]: value}
	}
	return value
}

// brokenMergePatch returns a merge patch that is malformed or oddly written.
func (p *patcher) brokenMergePatch() []byte {
	whole := string(encode(p.mergePatch("")))
	bodies := []string{
		"", "{", "null", "[]", "[1]", `"text"`, "7", "true", "{}", whole + "}", whole + whole, " " + whole + "\n", "spec: {}", `[{"spec":{}}]`, `[null,{"a":null}]`,
		`{"spec":1e400}`, `{"spec":{"a":01}}`, `{"metadata":{"labels":{"a":"1","a":"2"}}}`, `{"unknown":1,"unknown":2}`, `{"spec":{"<b>":"&","<b>":"&"}}`,
		"{\"metadata\":{\"labels\":{\"a\":\"\xff\"}}}", `{"metadata":{"labels":{"a":"\ud800"}}}`, `{"unknown":[{"a":null,"a":null},null]}`,
		`{"spec":[{"a":null,"b":1,"b":2}]}`, `{"metadata":{"annotations":{"a":null,"b":{"c":null}}}}`, `{"kind":null,"kind":"Other"}`,
		`{"spec":` + strings.Repeat(`{"a":`, 10000) + `1` + strings.Repeat(`}`, 10000) + `}`,
	}
	return []byte(bodies[p.rng.IntN(len(bodies))])
}

// brokenJSONPatch returns a JSON patch that is malformed or has odd operations.
func (p *patcher) brokenJSONPatch() []byte {
	whole := string(encode(p.operations(p.jsonPatch("")...)))
	test := `{"op":"test","path":"/kind","value":` + string(encode(p.object["kind"])) + `}`
	bodies := []string{
		"", "[", "null", "{}", "[]", "7", `"text"`, "[null]", "[1]", `["text"]`, "[[]]", "[{}]", whole + "]", whole + whole, " " + whole + "\n", `{"spec":null}`,
		`[{"op":"add"}]`, `[{"op":"remove","path":""}]`, `[{"op":"add","path":"","value":{}}]`, `[{"op":"replace","path":"","value":{}}]`,
		`[{"op":"replace","path":"","value":[]}]`, `[{"op":"replace","path":"","value":[{"a":1,"a":2}]}]`, `[{"op":"replace","path":"","value":null}]`,
		`[{"op":"replace","path":"","value":"text"}]`, `[{"op":"replace","path":""}]`, `[{"op":"test","path":""}]`, `[{"op":"test","path":"","value":{}}]`,
		`[{"op":"add","path":"/metadata/finalizers","value":[null]},{"op":"test","path":"/metadata/finalizers","value":[null]}]`,
		`[{"op":"add","path":"/a","value":null},{"op":"copy","from":"/a","path":"/b"},{"op":"add","path":"/b/c","value":1}]`,
		`[{"op":"add","path":"/a","value":null},{"op":"copy","from":"/a","path":"/b"},{"op":"test","path":"/b","value":{}}]`,
		`[{"op":"Add","path":"/spec","value":{}}]`, `[{"op":"test","path":1}]`, `[{"op":1,"path":"/spec"}]`, `[{"op":"copy","path":"/spec","from":{}}]`,
		`[{"op":"add","path":"/unknown","value":1e400}]`, `[{"op":"add","path":"/unknown","value":{"a":1,"a":2}}]`,
		`[{"op":"add","path":"/metadata/labels","value":{"a":"1","a":"2"}},{"op":"test","path":"/metadata/labels/a","value":"2"}]`,
		`[{"op":"add","path":"/metadata/labels","value":{"a":"<"}},{"op":"test","path":"/metadata/labels/a","value":"\u003c"}]`,
		`[{"op":"add","path":"/unknown","value":"` + strings.Repeat("x", 1<<20) + `"},{"op":"copy","from":"/unknown","path":"/b"},` +
			`{"op":"copy","from":"/unknown","path":"/b"},{"op":"copy","from":"/unknown","path":"/b"},{"op":"remove","path":"/unknown"},{"op":"remove","path":"/b"}]`,
		"[" + strings.TrimSuffix(strings.Repeat(test+",", 10000), ",") + "]", "[" + strings.TrimSuffix(strings.Repeat(test+",", 10001), ",") + "]",
	}
	return []byte(bodies[p.rng.IntN(len(bodies))])
}
