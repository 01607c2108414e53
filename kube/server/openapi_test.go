package server_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
)

// OpenAPI describes custom resources, in JSON and in the protobuf that clients
// of version 2 ask for. What is deleted is described no more.
func TestOpenAPI(t *testing.T) {
	config := started(t, folder(t)).Config()
	c, ctx := typed(t, config), t.Context()
	v2, err := c.Discovery().OpenAPISchema()
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, schema := range v2.Definitions.AdditionalProperties {
		if schema.Name == "com.example.v1.Tab" {
			found = strings.Contains(fmt.Sprint(schema.Value.Properties), `name:"size"`)
		}
	}
	if !found {
		t.Error("version 2 does not describe spec.size")
	}
	paths, err := c.Discovery().OpenAPIV3().Paths()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"api/v1", "apis/apps/v1", "apis/apiextensions.k8s.io/v1"} {
		if paths[path] == nil {
			t.Errorf("%s has no document", path)
		}
	}
	const of = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/tabs.example.com"
	for _, want := range []string{"9", "8"} { // as it was, and after a change
		text, err := paths["apis/example.com/v1"].Schema("application/json")
		if err != nil {
			t.Fatal(err)
		}
		var document map[string]any
		if err := json.Unmarshal(text, &document); err != nil {
			t.Fatal(err)
		}
		const at = "components|schemas|com.example.v1.Tab|properties|spec|properties|size|maximum"
		path := strings.ReplaceAll(strings.ReplaceAll(at, ".", "\x00"), "|", ".")
		if got := valueAt(document, path); got != want {
			t.Errorf("the maximum is %s, want %s", got, want)
		}
		err = c.Discovery().RESTClient().Patch(types.JSONPatchType).AbsPath(of).Body([]byte(
			`[{"op":"replace","value":8,"path":"/spec/versions/0/schema/openAPIV3Schema/` +
				`properties/spec/properties/size/maximum"}]`)).Do(ctx).Error()
		if err != nil {
			t.Fatal(err)
		}
	}
	err = c.Discovery().RESTClient().Delete().AbsPath(of).Do(ctx).Error()
	if err != nil {
		t.Fatal(err)
	}
	paths, err = c.Discovery().OpenAPIV3().Paths()
	if err != nil || paths["apis/example.com/v1"] != nil {
		t.Errorf("%v, %v", paths["apis/example.com/v1"], err)
	}
}

// Each schema that a document refers to is in it: kubectl reads none of version
// 2 otherwise.
func TestReferences(t *testing.T) {
	config := started(t, folder(t)).Config()
	c, ctx := typed(t, config), t.Context()
	for _, path := range []string{
		"/openapi/v2", "/openapi/v3/apis/example.com/v1", "/openapi/v3/api/v1",
		"/openapi/v3/apis/apps/v1", "/openapi/v3/apis/apiextensions.k8s.io/v1",
	} {
		text, err := c.Discovery().RESTClient().Get().AbsPath(path).Do(ctx).Raw()
		if err != nil {
			t.Fatal(err)
		}
		reference := regexp.MustCompile(`"\$ref":"#/(?:definitions|components/schemas)/([^"]+)"`)
		found := reference.FindAllStringSubmatch(string(text), -1)
		if len(found) == 0 {
			t.Errorf("%s has no references", path)
		}
		for _, m := range found {
			if !strings.Contains(string(text), `"`+m[1]+`":{`) {
				t.Errorf("%s lacks %s", path, m[1])
			}
		}
	}
}

// Answers come in the form that is accepted, errors too.
func TestForms(t *testing.T) {
	config := started(t, folder(t)).Config()
	by, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	const (
		tabs = "/apis/example.com/v1/namespaces/default/tabs"
		maps = "/api/v1/namespaces/default/configmaps"
	)
	for _, c := range []struct {
		path, accept string
		code         int
		media, want  string // the media type, and text that the answer has
	}{
		{tabs, "", 200, "application/json", `"kind":"TabList"`},
		{tabs, "*/*", 200, "application/json", `"kind":"TabList"`},
		{tabs, "application/yaml", 200, "application/yaml", "kind: TabList"},
		{tabs + "/none", "application/yaml", 404, "application/yaml", "reason: NotFound"},
		{tabs + "?watch=true", "application/yaml", 406, "application/yaml", "code: 406"},
		{tabs, "text/plain", 406, "application/json", `"reason":"NotAcceptable"`},
		{tabs, "text/plain, application/json", 200, "application/json", `"kind":"TabList"`},
		{tabs, "application/json;as=Table;v=v1;g=meta.k8s.io", 200, "application/json",
			`"columnDefinitions":[{"name":"Name"`},
		{maps, "application/json;as=Table;v=v1;g=meta.k8s.io", 200, "application/json",
			`{"name":"Data"`},
		{tabs, "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io", 200,
			"application/json", `"kind":"PartialObjectMetadataList"`},
		{tabs, "application/vnd.kubernetes.protobuf", 406, "application/vnd.kubernetes.protobuf",
			"k8s\x00"},
		{maps, "application/vnd.kubernetes.protobuf", 200, "application/vnd.kubernetes.protobuf",
			"k8s\x00"},
		{maps + "?limit=x", "", 400, "application/json", `"reason":"BadRequest"`},
		{maps + "?continue=x", "", 400, "application/json", "continue key is not valid"},
		{"/openapi/v3/apis/none/v1", "", 404, "text/plain; charset=utf-8", ""},
		{"/api/v1", "application/yaml", 200, "application/yaml", "kind: APIResourceList"},
		{"/apis", "", 200, "application/json", `"kind":"APIGroupList"`},
		{"/", "", 200, "application/json", `"/openapi/v3"`},
		{"/version", "", 200, "application/json", `"minor":"37"`},
		{"/metrics", "", 200, "text/plain; version=0.0.4", "apiserver_storage_objects"},
		{"/readyz/ping", "", 200, "text/plain; charset=utf-8", "ok"},
	} {
		request, err := http.NewRequestWithContext(t.Context(), "GET", config.Host+c.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if c.accept != "" {
			request.Header.Set("Accept", c.accept)
		}
		code, media, text := answered(t, by, request)
		if code != c.code || media != c.media || !strings.Contains(text, c.want) {
			t.Errorf("%s (%s): %d %s %.200s, want %d %s %s", c.path, c.accept, code, media, text,
				c.code, c.media, c.want)
		}
	}
}
