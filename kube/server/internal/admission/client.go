package admission

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	admissionv1beta1 "k8s.io/api/admission/v1beta1"
	"k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/transport"
)

// Resolver finds the address of a service's port, as host:port.
type Resolver func(ctx context.Context, namespace, name string, port int32) (string, error)

// client asks one webhook.
type client struct {
	rest      func() (*rest.RESTClient, error)
	transport *http.Transport
	timeout   time.Duration
}

// reviews decode the answers of webhooks.
var reviews = sync.OnceValue(func() runtime.NegotiatedSerializer {
	s := runtime.NewScheme()
	utilruntime.Must(admissionv1.AddToScheme(s))
	utilruntime.Must(admissionv1beta1.AddToScheme(s))
	codec := serializer.NewCodecFactory(s).LegacyCodec(
		admissionv1beta1.SchemeGroupVersion, admissionv1.SchemeGroupVersion)
	return serializer.NegotiatedSerializerWrapper(runtime.SerializerInfo{Serializer: codec})
})

// newClient returns a client that connects when it is first used.
func newClient(webhook v1.MutatingWebhook, resolve Resolver) *client {
	c := &client{transport: &http.Transport{
		TLSHandshakeTimeout: 10 * time.Second, IdleConnTimeout: 90 * time.Second,
	}}
	if webhook.TimeoutSeconds != nil {
		c.timeout = time.Duration(*webhook.TimeoutSeconds) * time.Second
	}
	c.rest = sync.OnceValues(func() (*rest.RESTClient, error) {
		config, tls, err := c.target(&webhook.ClientConfig, resolve)
		if err != nil {
			return nil, err
		}
		tls.CAData = webhook.ClientConfig.CABundle
		c.transport.TLSClientConfig, err = transport.TLSConfigFor(&transport.Config{TLS: tls})
		if err != nil {
			return nil, err
		}
		config.QPS, config.NegotiatedSerializer = -1, reviews()
		config.ContentType = runtime.ContentTypeJSON
		return rest.UnversionedRESTClientForConfigAndClient(
			config, &http.Client{Transport: c.transport})
	})
	return c
}

// target returns where a webhook is.
func (c *client) target(
	of *v1.WebhookClientConfig, resolve Resolver,
) (*rest.Config, transport.TLSConfig, error) {
	if of.Service != nil {
		return c.serviceTarget(of.Service, resolve)
	}
	if of.URL == nil || *of.URL == "" {
		return nil, transport.TLSConfig{},
			errors.New("webhook configuration must have either service or URL")
	}
	u, err := url.Parse(*of.URL)
	if err != nil {
		return nil, transport.TLSConfig{}, fmt.Errorf("Unparsable URL: %v", err)
	}
	// HTTP/2 is used only on this machine, as on the server.
	ip := net.ParseIP(u.Hostname())
	c.transport.ForceAttemptHTTP2 = strings.EqualFold(u.Hostname(), "localhost") ||
		ip != nil && ip.IsLoopback()
	config := &rest.Config{Host: u.Scheme + "://" + u.Host, APIPath: u.Path}
	return config, transport.TLSConfig{}, nil
}

// serviceTarget is target for a service.
func (c *client) serviceTarget(
	of *v1.ServiceReference, resolve Resolver,
) (*rest.Config, transport.TLSConfig, error) {
	port := int32(443)
	if of.Port != nil {
		port = *of.Port
	}
	name := of.Name + "." + of.Namespace + ".svc"
	host := net.JoinHostPort(name, strconv.Itoa(int(port)))
	dialer := &net.Dialer{Timeout: 30 * time.Second}
	c.transport.DialContext = func(
		ctx context.Context, network, address string,
	) (net.Conn, error) {
		if address == host && resolve != nil {
			resolved, err := resolve(ctx, of.Namespace, of.Name, port)
			if err != nil {
				return nil, err
			}
			address = resolved
		}
		return dialer.DialContext(ctx, network, address)
	}
	config := &rest.Config{Host: "https://" + host}
	if of.Path != nil {
		config.APIPath = *of.Path
	}
	return config, transport.TLSConfig{ServerName: name}, nil
}

// post sends a review and decodes the answer.
func (c *client) post(ctx context.Context, review []byte, into runtime.Object) error {
	to, err := c.rest()
	if err != nil {
		return fmt.Errorf("could not get REST client: %w", err)
	}
	request := to.Post().SetHeader("Content-Type", runtime.ContentTypeJSON).Body(review)
	if c.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.timeout)
		defer cancel()
		request.Timeout(c.timeout)
	}
	if err := request.Do(ctx).Into(into); err != nil {
		return fmt.Errorf("failed to call webhook: %w", err)
	}
	return nil
}

// close closes the connections that are not in use.
func (c *client) close() { c.transport.CloseIdleConnections() }
