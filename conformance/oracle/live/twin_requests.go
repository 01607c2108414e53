package live

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// twinNames are the names of the objects of a sequence. They are few, so that
// requests meet objects that exist and objects that do not.
var twinNames = []string{"one", "two", "three", "four"}

// sequence sends random requests to both servers: a sequence of writes and
// reads of a few objects. It ends with a watch of all that was written.
func (t *twins) sequence(requests int) error {
	return t.watched(requests, t.step)
}

// watched does steps, and ends with a watch of all that they wrote.
func (t *twins) watched(steps int, step func() error) error {
	begin, err := t.send(http.MethodGet, t.collection(t.anyVersion()), "", nil)
	if err != nil {
		return err
	}
	list, err := begin.object()
	if err != nil {
		return err
	}
	other, err := t.answered.object()
	if err != nil {
		return err
	}
	for range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return t.watchSince(text(child(list, "metadata"), "resourceVersion"),
		text(child(other, "metadata"), "resourceVersion"))
}

// step sends one request, and those that it needs to be made from.
func (t *twins) step() error {
	v, name := t.anyVersion(), twinNames[t.rng.IntN(len(twinNames))]
	type step struct {
		weight int
		send   func(v version, name string) error
	}
	steps := []step{
		{6, t.createOne}, {6, t.updateOne}, {6, t.patchOne}, {6, t.applyOne}, {3, t.deleteOne},
		{1, t.deleteSome}, {2, t.getOne}, {2, t.listSome}, {3, t.scaleOne}, {2, t.finalizeOne},
		{2, t.optionsOf}, {2, t.formOf},
	}
	if t.started != nil {
		steps = append(steps, step{1, t.discover}, step{1, t.define})
	}
	total := 0
	for _, s := range steps {
		total += s.weight
	}
	chosen := t.rng.IntN(total)
	for _, s := range steps {
		if chosen -= s.weight; chosen < 0 {
			return s.send(v, name)
		}
	}
	return nil
}

func (t *twins) anyVersion() version {
	served := t.resource.served()
	return served[t.rng.IntN(len(served))]
}

// collection returns the path of all objects.
func (t *twins) collection(v version) string {
	return strings.TrimSuffix(t.resource.path(v.name, ""), "/")
}

// query returns the query of a write: a level of field validation, a field
// manager, and sometimes a dry run.
func (t *twins) query() string {
	query := url.Values{}
	if mode := t.mode(); mode != "" {
		query.Set("fieldValidation", mode)
	}
	if t.rng.IntN(3) == 0 {
		query.Set("fieldManager", []string{"first", "second"}[t.rng.IntN(2)])
	}
	if t.rng.IntN(8) == 0 {
		query.Set("dryRun", "All")
	}
	return "?" + query.Encode()
}

// createOne creates an object, sometimes one with a generated name, with
// finalizers, with a resourceVersion, changed or broken.
func (t *twins) createOne(v version, name string) error {
	object := t.sample(v)
	metadata := child(object, "metadata")
	metadata["name"] = name
	if t.rng.IntN(8) == 0 {
		delete(metadata, "name")
		metadata["generateName"] = "made-"
	}
	if t.rng.IntN(4) == 0 {
		metadata["finalizers"] = []any{"example.com/one"}
	}
	m := &mutator{t.rng}
	m.addRevision(metadata)
	switch t.rng.IntN(8) {
	case 0:
		m.envelope(object, t.resource.served())
	case 1, 2:
		m.object(object)
	}
	if metadata := child(object, "metadata"); text(metadata, "name") == "" &&
		text(metadata, "generateName") != "" && len(t.names) > 0 {
		metadata["name"] = name // two generated names can have another order
	}
	media, body, err := t.body(object)
	if err != nil {
		return err
	}
	if t.rng.IntN(20) == 0 {
		media, body = mediaJSON, m.broken(encode(object))
	}
	_, err = t.send(http.MethodPost, t.collection(v)+t.query(), media, body)
	return err
}

// sample returns an object of a version: one of the corpus, or one from the
// schema.
func (t *twins) sample(v version) map[string]any {
	if n := len(t.resource.objects); n > 0 && t.rng.IntN(2) == 0 {
		object := copyValue(t.resource.objects[t.rng.IntN(n)].object).(map[string]any)
		if text(object, "apiVersion") == t.resource.group+"/"+v.name {
			delete(object, "status")
			object["metadata"] = map[string]any{"labels": map[string]any{"app": "corpus"}}
			return object
		}
	}
	return (&sampler{t.rng}).object(t.resource, v)
}

// current reads an object. It returns nil if it cannot be read. Sometimes it
// returns what was read earlier instead.
func (t *twins) current(v version, name string) (map[string]any, error) {
	x, err := t.send(http.MethodGet, t.resource.path(v.name, name), "", nil)
	if err != nil || x.Status != http.StatusOK {
		return nil, err
	}
	object, err := x.object()
	if err != nil {
		return nil, err
	}
	key := v.name + "/" + name
	if old := t.stale[key]; old != nil && t.rng.IntN(10) == 0 {
		return copyValue(old).(map[string]any), nil
	}
	t.stale[key] = copyValue(object).(map[string]any)
	return object, nil
}

// updateOne updates an object, or its status. One that does not exist is made
// up.
func (t *twins) updateOne(v version, name string) error {
	object, err := t.current(v, name)
	if err != nil {
		return err
	}
	if object == nil {
		object = t.sample(v)
		child(object, "metadata")["name"] = name
	}
	path := t.resource.path(v.name, name)
	m := &mutator{t.rng}
	switch t.rng.IntN(10) {
	case 0:
		m.envelope(object, t.resource.served())
	case 1:
		delete(child(object, "metadata"), "managedFields")
	case 2:
		child(object, "metadata")["managedFields"] = []any{}
	case 3:
		delete(child(object, "metadata"), "resourceVersion")
	case 4:
		child(object, "metadata")["uid"] = "00000000-0000-4000-8000-000000000000"
	case 5:
	default:
		m.object(object)
	}
	if t.rng.IntN(3) == 0 && (v.status || t.rng.IntN(8) == 0) {
		path += "/status"
		object["status"] = (&sampler{t.rng}).value(
			child(child(v.schema, "properties"), "status"), 1)
	}
	media, body, err := t.body(object)
	if err != nil {
		return err
	}
	_, err = t.send(http.MethodPut, path+t.query(), media, body)
	return err
}

// patched is what a patch is made for, and sent to.
type patched struct {
	*patcher
	path, subresource string
}

// patched chooses an object, or one time of so many its status. An object that
// does not exist gets a patch all the same.
func (t *twins) patched(v version, name string, times int) (patched, error) {
	object, err := t.current(v, name)
	if err != nil {
		return patched{}, err
	}
	if object == nil {
		object = t.sample(v)
	}
	p := patched{
		patcher: &patcher{mutator{t.rng}, t.resource, v, object},
		path:    t.resource.path(v.name, name),
	}
	if t.rng.IntN(times) == 0 && v.status {
		p.path, p.subresource = p.path+"/status", "status"
	}
	return p, nil
}

// patchOne patches an object or its status.
func (t *twins) patchOne(v version, name string) error {
	p, err := t.patched(v, name, 3)
	if err != nil {
		return err
	}
	media, body := p.patch(p.subresource)
	// The servers' revisions differ: none may become another field.
	body = bytes.ReplaceAll(body, []byte(`"from":"/metadata/resourceVersion"`),
		[]byte(`"from":"/metadata/name"`))
	_, err = t.send(http.MethodPatch, p.path+t.query(), media, body)
	return err
}

// applyOne applies a part of an object, or of its status.
func (t *twins) applyOne(v version, name string) error {
	p, err := t.patched(v, name, 4)
	if err != nil {
		return err
	}
	inBody := name
	if t.rng.IntN(20) == 0 {
		inBody = "other"
	}
	body, err := t.withRevision(p.applied(inBody, p.subresource))
	if err != nil {
		return err
	}
	query := t.query()
	if !strings.Contains(query, "fieldManager") && t.rng.IntN(20) > 0 {
		query += "&fieldManager=third"
	}
	query += "&force=" + strconv.FormatBool(t.rng.IntN(3) > 0)
	_, err = t.send(http.MethodPatch, p.path+query, mediaApply, body)
	return err
}

// withRevision returns an applied object, sometimes with a resourceVersion.
func (t *twins) withRevision(applied []byte) ([]byte, error) {
	value, err := decodeJSON(applied)
	if err != nil {
		return nil, err
	}
	object, _ := value.(map[string]any)
	(&mutator{t.rng}).addRevision(child(object, "metadata"))
	return encode(object), nil
}

// deleteOne deletes an object with some options.
func (t *twins) deleteOne(v version, name string) error {
	object, err := t.current(v, name)
	if err != nil {
		return err
	}
	options := map[string]any{"apiVersion": "v1", "kind": "DeleteOptions"}
	metadata := child(object, "metadata")
	choices := []func(){
		func() {}, func() {}, func() {},
		func() { options["propagationPolicy"] = "Foreground" },
		func() { options["propagationPolicy"] = "Background" },
		func() { options["propagationPolicy"] = "Orphan" },
		func() { options["propagationPolicy"] = "Other" },
		func() { options["orphanDependents"] = true },
		func() { options["orphanDependents"] = false },
		func() { options["gracePeriodSeconds"] = json.Number("30") },
		func() { options["gracePeriodSeconds"] = json.Number("0") },
		func() { options["dryRun"] = []any{"All"} },
		func() { options["preconditions"] = map[string]any{"uid": text(metadata, "uid")} },
		func() { options["preconditions"] = map[string]any{"uid": "other"} },
		func() {
			options["preconditions"] = map[string]any{
				"resourceVersion": text(metadata, "resourceVersion"),
			}
		},
		func() { options["preconditions"] = map[string]any{"resourceVersion": "1"} },
	}
	choices[t.rng.IntN(len(choices))]()
	_, err = t.send(http.MethodDelete, t.resource.path(v.name, name), mediaJSON, encode(options))
	return err
}

// deleteSome deletes the objects with a label.
func (t *twins) deleteSome(v version, _ string) error {
	path := t.collection(v) + "?labelSelector=" +
		[]string{"app%3Dsample", "app+in+(corpus)", "other"}[t.rng.IntN(3)]
	_, err := t.send(http.MethodDelete, path, "", nil)
	return err
}

// getOne reads an object, its status, or a subresource that there is not.
func (t *twins) getOne(v version, name string) error {
	path := t.resource.path(v.name, name)
	path += []string{"", "", "/status", "/scale", "/other"}[t.rng.IntN(5)]
	_, err := t.send(http.MethodGet, path, "", nil)
	return err
}

// formOf reads an object or a list in a form: as a table, as metadata only, in
// YAML, or in one that the server does not have.
func (t *twins) formOf(v version, name string) error {
	path := []string{t.resource.path(v.name, name), t.collection(v)}[t.rng.IntN(2)]
	path += []string{
		"", "?limit=2", "?includeObject=None", "?includeObject=Object", "?includeObject=Some",
		"?pretty=true",
	}[t.rng.IntN(6)]
	_, err := t.sendAs([]string{
		mediaTable, "application/json;as=Table;g=meta.k8s.io;v=v1beta1",
		"application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
		"application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1",
		"application/json;as=Other;g=meta.k8s.io;v=v1", "application/json;as=Table;g=other;v=v1",
		"*/*", "application/*", "text/plain, application/json", "text/plain", mediaYAML,
		"application/vnd.kubernetes.protobuf", "application/cbor",
		"application/vnd.kubernetes.protobuf, " + mediaTable,
	}[t.rng.IntN(14)], &exchange{Method: http.MethodGet, Path: path})
	return err
}

// listSome lists objects by labels and fields, whole or in pages.
func (t *twins) listSome(v version, name string) error {
	queries := []string{
		"", "labelSelector=app%3Dsample", "labelSelector=app+notin+(sample)",
		"labelSelector=%21", "fieldSelector=metadata.name%3D" + name,
		"fieldSelector=metadata.name%21%3D" + name, "fieldSelector=spec.none%3D1",
		"fieldSelector=metadata.namespace%3Ddefault", "fieldSelector=spec.color%3Dred",
		"limit=2", "limit=100", "limit=1&labelSelector=app%3Dsample",
	}
	path := t.collection(v)
	if t.rng.IntN(4) == 0 && t.resource.namespaced {
		path = strings.Replace(path, "/namespaces/"+namespace, "", 1)
	}
	_, err := t.send(http.MethodGet, path+"?"+queries[t.rng.IntN(len(queries))], "", nil)
	return err
}

// scaleOne reads, updates, patches or applies the scale of an object.
func (t *twins) scaleOne(v version, name string) error {
	path := t.resource.path(v.name, name) + "/scale"
	x, err := t.send(http.MethodGet, path, "", nil)
	if err != nil {
		return err
	}
	scale, err := x.object()
	if err != nil || x.Status != http.StatusOK {
		scale = map[string]any{
			"apiVersion": "autoscaling/v1", "kind": "Scale",
			"metadata": map[string]any{"name": name},
		}
	}
	replicas := map[string]any{
		"replicas": []json.Number{"0", "1", "2", "7", "-1"}[t.rng.IntN(5)],
	}
	query := t.query()
	switch t.rng.IntN(4) {
	case 0:
		body := encode(map[string]any{"spec": replicas})
		_, err = t.send(http.MethodPatch, path+query, mediaMergePatch, body)
	case 1:
		body := fmt.Sprintf(`[{"op":"replace","path":"/spec/replicas","value":%s}]`,
			replicas["replicas"])
		_, err = t.send(http.MethodPatch, path+query, mediaJSONPatch, []byte(body))
	default:
		scale["spec"] = replicas
		if t.rng.IntN(3) == 0 {
			delete(child(scale, "metadata"), "resourceVersion")
		}
		_, err = t.send(http.MethodPut, path+query, mediaJSON, encode(scale))
	}
	return err
}

// finalizeOne removes or adds a finalizer. An object that is being deleted goes
// with its last one.
func (t *twins) finalizeOne(v version, name string) error {
	patches := []string{
		`{"metadata":{"finalizers":null}}`, `{"metadata":{"finalizers":[]}}`,
		`{"metadata":{"finalizers":["example.com/two"]}}`,
		`{"metadata":{"finalizers":["example.com/one","foregroundDeletion"]}}`,
	}
	path := t.resource.path(v.name, name) + t.query()
	_, err := t.send(http.MethodPatch, path, mediaMergePatch,
		[]byte(patches[t.rng.IntN(len(patches))]))
	return err
}

// optionsOf sends requests with wrong options, and to paths that there are not.
func (t *twins) optionsOf(v version, name string) error {
	path, collection := t.resource.path(v.name, name), t.collection(v)
	body := encode(map[string]any{
		"apiVersion": t.resource.group + "/" + v.name, "kind": t.resource.kind,
		"metadata": map[string]any{"name": name},
	})
	long := strings.Repeat("m", 129)
	requests := []struct{ method, path, media string }{
		{http.MethodPost, collection + "?dryRun=Some", mediaJSON},
		{http.MethodPost, collection + "?fieldValidation=None", mediaJSON},
		{http.MethodPost, collection + "?fieldManager=" + long, mediaJSON},
		{http.MethodPost, strings.Replace(collection, "/namespaces/"+namespace, "", 1), mediaJSON},
		{http.MethodPost, collection, "text/plain"},
		{http.MethodPut, path + "?dryRun=Some", mediaJSON},
		{http.MethodPatch, path + "?force=true", mediaMergePatch},
		{http.MethodPatch, path + "?fieldValidation=None", mediaMergePatch},
		{http.MethodPatch, path + "?fieldManager=x", "application/strategic-merge-patch+json"},
		{http.MethodPatch, path, mediaApply},
		{http.MethodPut, path + "/other", mediaJSON},
		{http.MethodPut, strings.Replace(path, "/"+v.name+"/", "/v0missing/", 1), mediaJSON},
	}
	chosen := requests[t.rng.IntN(len(requests))]
	_, err := t.send(chosen.method, chosen.path, chosen.media, body)
	return err
}

// watchSince compares the events since a revision, and those of a watch without
// one. Each server has its own revision.
func (t *twins) watchSince(real, fake string) error {
	path := t.collection(t.anyVersion()) + "?watch=true&timeoutSeconds=1"
	for _, query := range []string{
		"&resourceVersion=", "&labelSelector=app%3Dsample&resourceVersion=",
	} {
		if err := t.compareWatches(path+query+real, path+query+fake); err != nil {
			return err
		}
	}
	return t.compareWatches(path, path)
}

// compareWatches compares the events of a watch, one a line. A busy machine can
// be too slow for a watch of a second, which is then done again.
func (t *twins) compareWatches(realPath, fakePath string) error {
	t.steps++
	var real, fake *exchange
	var first, second []string
	for _, seconds := range []string{"=1", "=15"} {
		longer := strings.NewReplacer("timeoutSeconds=1", "timeoutSeconds"+seconds)
		var err error
		if real, err = t.do(http.MethodGet, longer.Replace(realPath), "", nil); err != nil {
			return err
		}
		fake, err = t.fake.do(http.MethodGet, longer.Replace(fakePath), "", nil)
		if err != nil {
			return err
		}
		first, second = eventLines(real.Response), eventLines(fake.Response)
		if len(first) == len(second) {
			break
		}
	}
	var details []string
	if len(first) != len(second) {
		details = append(details,
			fmt.Sprintf("events: server %d, fake %d", len(first), len(second)))
	}
	for i := range min(len(first), len(second)) {
		details = append(details, t.compareEvents(i, first[i], second[i])...)
	}
	t.note("watch", real, []byte(fake.Response), details)
	return nil
}

func (t *twins) compareEvents(i int, first, second string) []string {
	a, errA := decodeJSON([]byte(first))
	b, errB := decodeJSON([]byte(second))
	if errA != nil || errB != nil {
		return []string{fmt.Sprintf("event %d: %v, %v", i, errA, errB)}
	}
	details := t.learn(a, b)
	if t.resource.hasEmbedded() {
		one, _ := a.(map[string]any)
		other, _ := b.(map[string]any)
		if text(one, "type") == "ERROR" && text(other, "type") == "ERROR" {
			return details // the server reports any of several malformed resources
		}
	}
	return append(details, compareValues(fmt.Sprintf("event %d", i),
		t.settled(first, true), t.settled(second, false))...)
}

func eventLines(response string) []string {
	return strings.FieldsFunc(response, func(r rune) bool { return r == '\n' })
}
