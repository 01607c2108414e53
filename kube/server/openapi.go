package server

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	goruntime "runtime"
	"strings"
	"sync"

	openapi_v2 "github.com/google/gnostic-models/openapiv2"
	"google.golang.org/protobuf/proto"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiversion "k8s.io/apimachinery/pkg/version"

	"github.com/crdsem/crdsem/kit/builtin"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/structural/openapi"
)

// openAPI answers the paths below /openapi. Schemas of built-in kinds are
// objects with any fields in version 2, and in version 3 those of Kubernetes
// without descriptions.
func (c *cluster) openAPI(w http.ResponseWriter, r *http.Request) bool {
	path, ok := strings.CutPrefix(r.URL.Path, "/openapi/")
	switch {
	case !ok || r.Method != http.MethodGet:
		return false
	case path == "v3":
		writeJSON(w, http.StatusOK, c.openAPIPaths())
	case path == "v2" && strings.Contains(r.Header.Get("Accept"), protobufSwagger):
		c.publish(w, &published{name: path + " in protobuf", media: protobufSwaggerMedia},
			c.swaggerInProtobuf)
	case path == "v2":
		c.publish(w, &published{name: path, media: runtime.ContentTypeJSON}, c.swagger)
	default:
		gv, known := groupVersionOf(strings.TrimPrefix(path, "v3/"))
		if !known || len(c.resources(gv.Group, gv.Version)) == 0 {
			return false
		}
		c.publish(w, &published{name: path, media: runtime.ContentTypeJSON},
			func() ([]byte, error) {
				d := c.document(&gv)
				return json.Marshal(map[string]any{
					"openapi": "3.0.0", "info": d.info(c), "paths": d.paths,
					"components": map[string]any{"schemas": d.schemas},
				})
			})
	}
	return true
}

// published is a document of OpenAPI as it is sent.
type published struct {
	name, media string
	text        []byte
	at          uint64 // how often definitions had changed
}

// publish sends a document. It is made again after a definition has changed.
func (c *cluster) publish(
	w http.ResponseWriter, document *published, text func() ([]byte, error),
) {
	document.at = c.changes.Load()
	known, _ := c.documents.Load(document.name)
	if known, ok := known.(*published); ok && known.at == document.at {
		document = known
	} else {
		var err error
		if document.text, err = text(); err != nil {
			writeJSON(w, http.StatusInternalServerError, statusOf(err))
			return
		}
		c.documents.Store(document.name, document)
	}
	w.Header().Set("Content-Type", document.media)
	_, _ = w.Write(document.text) // the client has gone
}

// What clients ask for if they want a document of version 2 in protobuf, and
// its media type.
const (
	protobufSwagger      = "openapi.spec.v2@v1.0+protobuf"
	protobufSwaggerMedia = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf"
)

// swagger returns the document of version 2 in JSON.
func (c *cluster) swagger() ([]byte, error) {
	d := c.document(nil)
	return json.Marshal(map[string]any{
		"swagger": "2.0", "info": d.info(c), "paths": d.paths, "definitions": d.schemas,
	})
}

// swaggerInProtobuf returns the document of version 2 in protobuf.
func (c *cluster) swaggerInProtobuf() ([]byte, error) {
	text, err := c.swagger()
	if err != nil {
		return nil, err
	}
	parsed, err := openapi_v2.ParseDocument(text)
	if err != nil {
		return nil, err
	}
	return proto.Marshal(parsed)
}

// groupVersionOf returns the group and version of a path, e.g. apis/apps/v1.
func groupVersionOf(path string) (metav1.GroupVersion, bool) {
	switch parts := strings.Split(path, "/"); {
	case len(parts) == 2 && parts[0] == "api":
		return metav1.GroupVersion{Version: parts[1]}, true
	case len(parts) == 3 && parts[0] == "apis":
		return metav1.GroupVersion{Group: parts[1], Version: parts[2]}, true
	}
	return metav1.GroupVersion{}, false
}

func pathOfVersion(group, version string) string {
	if group == "" {
		return "api/" + version
	}
	return "apis/" + group + "/" + version
}

// openAPIPaths returns where the documents of the versions are.
func (c *cluster) openAPIPaths() any {
	paths := map[string]any{}
	for _, group := range append(c.core(), c.groups()...) {
		for _, version := range group.Versions {
			path := pathOfVersion(group.Name, version.Version)
			paths[path] = map[string]any{"serverRelativeURL": "/openapi/v3/" + path}
		}
	}
	return map[string]any{"paths": paths}
}

// document is what a document of OpenAPI consists of.
type document struct {
	paths, schemas map[string]any
	old            bool // of version 2
	prefix         string
}

func (d *document) info(c *cluster) any {
	return map[string]any{"title": "Kubernetes", "version": "v" + c.minor.String() + ".0"}
}

// document returns the resources of a version of a group, or of all in the
// older form.
func (c *cluster) document(of *metav1.GroupVersion) *document {
	d := &document{
		paths: map[string]any{}, schemas: map[string]any{}, old: of == nil,
		prefix: "#/components/schemas/",
	}
	if d.old {
		d.prefix = "#/definitions/"
	}
	for _, k := range c.sorted() {
		for name, v := range k.versions {
			if of == nil || k.resource.Group == of.Group && name == of.Version {
				d.add(v)
			}
		}
	}
	return d
}

// objectMeta is the schema that those of custom resources refer to.
const objectMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"

// add adds a version of a kind.
func (d *document) add(v *version) {
	kind := openapi.Kind{
		Group: v.resource.Group, Version: v.model.Name, Kind: v.names.Kind,
		SelectableFields: v.model.SelectableFields,
	}
	name := kind.Name()
	switch {
	case d.old && v.builtin == nil:
		d.schemas[name] = openapi.PublishV2(v.api.Schema(), kind)
		d.schemas[objectMeta] = map[string]any{"type": "object"}
	case v.builtin == nil:
		d.schemas[name] = openapi.PublishV3(v.api.Schema(), kind)
		maps.Copy(d.schemas, metaModels())
	case d.old || d.addModels(kind, &name) != nil:
		d.schemas[name] = openapi.PublishV3(nil, kind)
	}
	path := "/" + pathOfVersion(v.resource.Group, v.model.Name)
	if v.namespaced {
		path += "/namespaces/{namespace}"
	}
	path += "/" + v.resource.Resource
	ref := map[string]any{"$ref": d.prefix + name}
	d.paths[path] = d.operations(v, ref, map[string]string{"get": "list", "post": "post"})
	d.paths[path+"/{name}"] = d.operations(v, ref, map[string]string{
		"get": "get", "put": "put", "patch": "patch", "delete": "delete",
	})
}

// addModels adds the schemas of a built-in kind, and sets the name of its own.
// It fails if the kind has none.
func (d *document) addModels(kind openapi.Kind, own *string) error {
	known, err := builtin.Find(manifest.Type{
		GroupKind: manifest.GroupKind{Group: kind.Group, Kind: kind.Kind}, Version: kind.Version,
	}, minors.Newest())
	if err != nil {
		return err
	}
	var models map[string]json.RawMessage
	*own, models = known.Models()
	for name, schema := range models {
		if _, has := d.schemas[name]; !has || name == *own {
			d.schemas[name] = schema
		}
	}
	return nil
}

// metaModels are the schemas of the metadata of an object.
var metaModels = sync.OnceValue(func() map[string]any {
	d := &document{schemas: map[string]any{}}
	var name string
	if err := d.addModels(openapi.Kind{Version: "v1", Kind: "ConfigMap"}, &name); err == nil {
		delete(d.schemas, name)
	}
	return d.schemas
})

// operations returns the operations of a path by their methods. Writes have the
// parameters that clients look for.
func (d *document) operations(v *version, ref any, actions map[string]string) any {
	body := map[string]any{"description": "OK", "schema": ref}
	if !d.old {
		body = map[string]any{"description": "OK", "content": map[string]any{
			"application/json": map[string]any{"schema": ref},
		}}
	}
	out := map[string]any{}
	for method, action := range actions {
		operation := map[string]any{
			"operationId": action + v.names.Kind + v.model.Name, "x-kubernetes-action": action,
			"responses": map[string]any{"200": body},
			"x-kubernetes-group-version-kind": map[string]any{
				"group": v.resource.Group, "version": v.model.Name, "kind": v.names.Kind,
			},
		}
		if action != "get" && action != "list" {
			operation["parameters"] = d.parameters("dryRun", "fieldManager", "fieldValidation")
		}
		out[method] = operation
	}
	return out
}

func (d *document) parameters(names ...string) (all []any) {
	for _, name := range names {
		one := map[string]any{"name": name, "in": "query", "uniqueItems": true}
		if d.old {
			one["type"] = "string"
		} else {
			one["schema"] = map[string]any{"type": "string", "uniqueItems": true}
			delete(one, "uniqueItems")
		}
		all = append(all, one)
	}
	return all
}

// root answers paths that are no resources: the version, metrics, OpenAPI, and
// the list of paths.
func (c *cluster) root(w http.ResponseWriter, r *http.Request) bool {
	switch path := r.URL.Path; {
	case path == "/version" && r.Method != http.MethodGet:
		refused := statusOf(generic(http.StatusMethodNotAllowed))
		writeJSON(w, int(refused.Code), refused)
	case path == "/version":
		writeJSON(w, http.StatusOK, c.version())
	case path == "/metrics":
		w.Header().Set("Content-Type", "text/plain; version=0.0.4")
		writeText(w, c.metrics())
	case path == "/":
		writeJSON(w, http.StatusOK, metav1.RootPaths{Paths: c.rootPaths()})
	default:
		return c.openAPI(w, r)
	}
	return true
}

func (c *cluster) rootPaths() []string {
	paths := []string{"/api", "/api/v1", "/apis", "/apis/"}
	for _, group := range c.groups() {
		paths = append(paths, "/apis/"+group.Name)
		for _, version := range group.Versions {
			paths = append(paths, "/apis/"+version.GroupVersion)
		}
	}
	return append(paths, "/healthz", "/livez", "/metrics", "/openapi/v2", "/openapi/v3",
		"/readyz", "/version")
}

func isHealth(path string) bool {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return first == "healthz" || first == "readyz" || first == "livez"
}

// version returns the answer to /version.
func (c *cluster) version() apiversion.Info {
	major, minor, _ := strings.Cut(c.minor.String(), ".")
	return apiversion.Info{
		Major: major, Minor: minor, GitVersion: "v" + c.minor.String() + ".0",
		EmulationMajor: major, EmulationMinor: minor,
		Platform:  goruntime.GOOS + "/" + goruntime.GOARCH,
		GoVersion: goruntime.Version(), Compiler: goruntime.Compiler,
	}
}

// metrics returns how many objects are stored, in the words of the server.
func (c *cluster) metrics() string {
	var out strings.Builder
	out.WriteString("# TYPE apiserver_storage_objects gauge\n")
	for _, k := range c.sorted() {
		fmt.Fprintf(&out, "apiserver_storage_objects{resource=%q} %d\n", k.resource,
			k.objects.Len())
	}
	return out.String()
}

func writeText(w http.ResponseWriter, text string) {
	_, _ = io.WriteString(w, text) // the client has gone
}
