package kube

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/audit"
	genericrequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/warning"

	"github.com/crdsem/crdsem/internal/app/protocol"
)

// write answers update, status, patch, apply and scale with the server's own
// handler of custom resources, above a store in memory.
func write(ctx context.Context, req *protocol.Request) (protocol.Result, error) {
	s, err := serving(req.CRD)
	if err != nil {
		return nil, err
	}
	x := &exchange{served: s, req: req, recorder: &warnings{}, held: &kept{}}
	if err := x.load(); err != nil {
		return nil, err
	}
	request, err := x.request(ctx)
	if err != nil {
		return nil, err
	}
	response := httptest.NewRecorder()
	s.handler.ServeHTTP(response, request)
	return x.answer(response)
}

// exchange is a request to a server with one object.
type exchange struct {
	*served
	req             *protocol.Request
	recorder        *warnings
	held            *kept
	created         bool
	namespace, name string
}

// load puts the stored object into the store. One without a namespace is in the
// default one.
func (x *exchange) load() error {
	object := x.req.Stored
	if x.created = !object.Given(); x.created {
		object = x.req.Object
	}
	stored, err := mapOf(object)
	if err != nil {
		return err
	}
	metadata, _ := stored["metadata"].(map[string]any)
	x.name, _ = metadata["name"].(string)
	if x.crd.Spec.Scope == v1.NamespaceScoped {
		if x.namespace, _ = metadata["namespace"].(string); x.namespace == "" {
			x.namespace = defaultNamespace
		}
	}
	if x.name == "" {
		return errors.New("the object has no name")
	}
	if x.created {
		return nil
	}
	x.held.revision = 1
	if text, ok := metadata["resourceVersion"].(string); ok {
		if x.held.revision, err = strconv.ParseUint(text, 10, 64); err != nil {
			return err
		}
		delete(metadata, "resourceVersion")
	}
	if x.namespace != "" {
		metadata["namespace"] = x.namespace
	}
	x.held.data, err = json.Marshal(stored)
	return err
}

// request returns the request over HTTP.
func (x *exchange) request(ctx context.Context) (*http.Request, error) {
	body, format := x.req.Object.Document()
	verb, media, part := "update", mediaType(format), x.req.Subresource
	switch x.req.Op {
	case protocol.OpStatus, protocol.OpScale:
		part = x.req.Op
		if !x.req.Object.Given() {
			verb = "get"
		}
	case protocol.OpPatch:
		verb = "patch"
		body, _ = x.req.Patch.Document()
		media = map[string]string{
			protocol.PatchJSON:      "application/json-patch+json",
			protocol.PatchMerge:     "application/merge-patch+json",
			protocol.PatchStrategic: "application/strategic-merge-patch+json",
		}[x.req.Type]
	case protocol.OpApply:
		verb, media = "patch", "application/apply-patch+yaml"
	}
	if !slices.Contains([]string{"", "status", "scale"}, part) {
		return nil, fmt.Errorf("subresource %q is not known", part)
	}
	method := map[string]string{"update": "PUT", "patch": "PATCH", "get": "GET"}[verb]
	info := &genericrequest.RequestInfo{
		IsResourceRequest: true, Verb: verb, APIPrefix: "apis", APIGroup: x.crd.Spec.Group,
		APIVersion: x.req.Version, Namespace: x.namespace, Resource: x.crd.Spec.Names.Plural,
		Subresource: part, Name: x.name,
	}
	ctx = context.WithValue(audit.WithAuditContext(ctx), keptKey{}, x.held)
	ctx = warning.WithWarningRecorder(ctx, x.recorder)
	ctx = genericrequest.WithRequestInfo(genericrequest.WithNamespace(ctx, x.namespace), info)
	request, err := http.NewRequestWithContext(ctx, method, "/?"+x.query(), bytes.NewReader(body))
	if err == nil {
		request.Header.Set("Content-Type", media)
		request.Header.Set("User-Agent", "oracle/1")
	}
	return request, err
}

// query returns the options of the request.
func (x *exchange) query() string {
	query := url.Values{}
	for name, value := range map[string]string{
		"fieldManager": x.req.Manager, "fieldValidation": x.req.FieldValidation,
	} {
		if value != "" {
			query.Set(name, value)
		}
	}
	if x.req.Force {
		query.Set("force", "true")
	}
	return query.Encode()
}

// answer reads the response.
func (x *exchange) answer(response *httptest.ResponseRecorder) (protocol.Result, error) {
	out := protocol.Answered{Code: response.Code, Warnings: x.recorder.texts}
	if out.Warnings == nil {
		out.Warnings = []string{}
	}
	if response.Code >= http.StatusBadRequest {
		status := &metav1.Status{}
		if err := json.Unmarshal(response.Body.Bytes(), status); err != nil {
			return nil, fmt.Errorf("the answer is no status: %s", response.Body)
		}
		out.Reason, out.Message = string(status.Reason), stable(status.Message)
		if status.Details != nil {
			for _, c := range status.Details.Causes {
				out.Causes = append(out.Causes,
					protocol.Cause{
						Reason: string(c.Type), Message: stable(c.Message), Field: c.Field,
					})
			}
		}
		return out, nil
	}
	object, err := protocol.ParseValue(response.Body.Bytes())
	if err != nil {
		return nil, err
	}
	out.Object = x.shown(object)
	if x.req.Op == protocol.OpScale && !x.req.Object.Given() {
		return out, nil
	}
	stored, err := protocol.ParseValue(x.held.data)
	if err != nil {
		return nil, err
	}
	stored = x.shown(stored)
	first, err := protocol.AppendValue(nil, out.Object)
	if err != nil {
		return nil, err
	}
	second, err := protocol.AppendValue(nil, stored)
	if string(first) != string(second) {
		out.Stored = stored
	}
	return out, err
}

// shown removes from an object what differs each time, and the managers unless
// the request names one.
func (x *exchange) shown(value any) any {
	object, _ := value.(map[string]any)
	metadata, _ := object["metadata"].(map[string]any)
	delete(metadata, "resourceVersion")
	if x.created {
		delete(metadata, "uid")
		delete(metadata, "creationTimestamp")
	}
	if x.req.Manager == "" {
		delete(metadata, "managedFields")
		return value
	}
	return withoutTimes(object)
}
