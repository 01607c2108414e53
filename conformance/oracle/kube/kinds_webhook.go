package kube

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"

	"github.com/crdsem/crdsem/internal/app/protocol"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/conversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/util/webhook"
)

type webhookInput struct {
	Strategy       string          `json:"strategy"`
	Group          string          `json:"group"`
	Versions       []string        `json:"versions"`
	ReviewVersions []string        `json:"conversionReviewVersions"`
	Object         protocol.Input  `json:"object"`
	To             string          `json:"to"`
	Response       webhookResponse `json:"response"`
}

// webhookResponse is the response of a case's webhook. In the body, $UID stands
// for the uid of the request.
type webhookResponse struct {
	Status int    `json:"status"`
	Body   string `json:"body"`
}

// webhookConversion answers with the converter of
// conversion.CRConverterFactory, which calls a webhook on loopback.
func webhookConversion(_ context.Context, in webhookInput) (map[string]any, error) {
	hook := &listener{response: in.Response}
	server := httptest.NewTLSServer(hook)
	defer server.Close()
	object, err := mapOf(in.Object)
	if err != nil {
		return nil, err
	}
	to, err := schema.ParseGroupVersion(in.To)
	if err != nil {
		return nil, err
	}
	var converted map[string]any
	converter, err := in.converter(server)
	if err == nil {
		converted, err = convertObject(converter, object, to)
	}
	answer := map[string]any{}
	if err != nil {
		answer["error"] = hook.masked(err.Error())
	} else {
		answer["object"] = converted
	}
	return answer, hook.tell(answer)
}

// converter returns the real converter of the case's definition.
func (in *webhookInput) converter(server *httptest.Server) (runtime.ObjectConvertor, error) {
	url := server.URL + "/convert"
	crd := &v1.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Name: "foos." + in.Group}}
	crd.Spec.Group = in.Group
	bundle := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	crd.Spec.Conversion = &v1.CustomResourceConversion{
		Strategy: v1.ConversionStrategyType(in.Strategy),
		Webhook: &v1.WebhookConversion{ConversionReviewVersions: in.ReviewVersions,
			ClientConfig: &v1.WebhookClientConfig{URL: &url, CABundle: bundle}}}
	for _, name := range in.Versions {
		crd.Spec.Versions = append(crd.Spec.Versions,
			v1.CustomResourceDefinitionVersion{Name: name})
	}
	resolver := func(r webhook.AuthenticationInfoResolver) webhook.AuthenticationInfoResolver {
		return r
	}
	factory, err := conversion.NewCRConverterFactory(nil, resolver)
	if err != nil {
		return nil, err
	}
	safe, _, err := factory.NewConverter(crd)
	return safe, err
}

// listener is a webhook with a given response. It records the request.
type listener struct {
	response webhookResponse

	mu      sync.Mutex
	calls   int
	body    []byte
	uid     string
	headers map[string]any
}

// ServeHTTP implements http.Handler.
func (l *listener) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls++
	l.body, _ = io.ReadAll(r.Body)
	var review struct{ Request struct{ UID string } }
	_ = json.Unmarshal(l.body, &review) // a request without a uid shows in the case
	l.uid = review.Request.UID
	l.headers = map[string]any{"method": r.Method, "path": r.URL.Path, "query": r.URL.RawQuery,
		"accept": r.Header.Get("Accept"), "contentType": r.Header.Get("Content-Type")}
	w.Header().Set("Content-Type", "application/json")
	if l.response.Status != 0 {
		w.WriteHeader(l.response.Status)
	}
	_, _ = io.WriteString(w, strings.ReplaceAll(l.response.Body, "$UID", l.uid))
}

// masked replaces the request's uid in a text.
func (l *listener) masked(text string) string {
	if l.uid == "" {
		return text
	}
	return strings.ReplaceAll(text, l.uid, "$UID")
}

// tell adds the webhook's request to an answer, if the webhook was called.
func (l *listener) tell(answer map[string]any) error {
	switch l.calls {
	case 0:
		return nil
	case 1:
		request, err := protocol.ParseValue([]byte(l.masked(string(l.body))))
		answer["request"], answer["headers"] = request, l.headers
		return err
	}
	return errors.New("the webhook was called more than once")
}
