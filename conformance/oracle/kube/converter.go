package kube

import (
	"encoding/pem"
	"errors"
	"net/http/httptest"
	"net/url"
	"strings"

	"github.com/crdsem/crdsem/internal/app/protocol"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/conversion"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/util/webhook"
)

// errNoWebhook is the fault of a request that makes the server call a
// conversion webhook, because a request of the protocol cannot carry one.
var errNoWebhook = errors.New("no webhook was given")

// converterOf returns the converter of a definition. For the strategy Webhook
// it is the server's as well, but with a webhook that cannot be reached. If it
// has to call the webhook, it fails with errNoWebhook.
func converterOf(crd *v1.CustomResourceDefinition) (runtime.ObjectConvertor, error) {
	factory, err := conversion.NewCRConverterFactory(unreachable{}, sameAuthentication)
	if err != nil {
		return nil, err
	}
	_, scripted := crd.Annotations[scriptedWebhook]
	if !scripted && crd.Spec.Conversion != nil && crd.Spec.Conversion.Webhook != nil {
		port := int32(443)
		crd = crd.DeepCopy()
		crd.Spec.Conversion.Webhook.ClientConfig = &v1.WebhookClientConfig{
			Service: &v1.ServiceReference{Namespace: "none", Name: "none", Port: &port}}
	}
	safe, _, err := factory.NewConverter(crd)
	return askingConverter{safe}, err
}

// scriptedWebhook is the annotation of a definition whose webhook answers.
const scriptedWebhook = "scripted"

// scriptedHook is the webhook of a request, if the request has its answer.
type scriptedHook struct {
	listener
	stop func()
}

// scripted returns the definition of a request and, if the request has the
// answer of a webhook, starts the webhook.
func scripted(req *protocol.Request) (*v1.CustomResourceDefinition, *scriptedHook, error) {
	hook := &scriptedHook{listener{response: webhookResponse{Body: req.Webhook}}, func() {}}
	crd, err := servedDefinition(req.CRD)
	if err != nil || req.Webhook == "" || crd.Spec.Conversion == nil ||
		crd.Spec.Conversion.Webhook == nil {
		return crd, hook, err
	}
	server := httptest.NewTLSServer(hook)
	hook.stop = server.Close
	url := server.URL + "/convert"
	bundle := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	crd.Spec.Conversion.Webhook.ClientConfig = &v1.WebhookClientConfig{
		URL: &url, CABundle: bundle}
	crd.Annotations = map[string]string{scriptedWebhook: ""}
	return crd, hook, nil
}

// unreachable resolves no service.
type unreachable struct{}

// ResolveEndpoint implements webhook.ServiceResolver.
func (unreachable) ResolveEndpoint(
	string, string, int32,
) (*url.URL, error) {
	return nil, errNoWebhook
}

func sameAuthentication(r webhook.AuthenticationInfoResolver) webhook.AuthenticationInfoResolver {
	return r
}

// askingConverter restores the errNoWebhook that the server puts into a text.
type askingConverter struct{ runtime.ObjectConvertor }

// Convert implements runtime.ObjectConvertor.
func (c askingConverter) Convert(in, out, context any) error {
	return asking(c.ObjectConvertor.Convert(in, out, context))
}

// ConvertToVersion implements runtime.ObjectConvertor.
func (c askingConverter) ConvertToVersion(
	in runtime.Object, to runtime.GroupVersioner,
) (runtime.Object, error) {
	out, err := c.ObjectConvertor.ConvertToVersion(in, to)
	return out, asking(err)
}

func asking(err error) error {
	if err != nil && strings.HasSuffix(err.Error(), errNoWebhook.Error()) {
		return errNoWebhook
	}
	return err
}
