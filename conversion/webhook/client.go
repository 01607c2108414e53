package webhook

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/internal/chapter/conversionreview"
)

const (
	// DefaultTimeout limits the time of one call, with its retries.
	DefaultTimeout = 30 * time.Second
	// DefaultMaxBytes limits the length of an answer, and of a request to a
	// handler.
	DefaultMaxBytes = 64 << 20
)

// Resolver finds the address of a service's port, as host:port.
type Resolver interface {
	Resolve(ctx context.Context, service conversion.Service) (address string, err error)
}

// ResolverFunc is a function that implements Resolver.
type ResolverFunc func(ctx context.Context, service conversion.Service) (string, error)

// Resolve calls the function.
func (f ResolverFunc) Resolve(ctx context.Context, service conversion.Service) (string, error) {
	return f(ctx, service)
}

// Options configure a client. The zero value suffices for a webhook with a URL.
type Options struct {
	// Resolver is needed for a webhook that is a service.
	Resolver Resolver
	// Timeout 0 means DefaultTimeout.
	Timeout time.Duration
	// MaxBytes limits the length of an answer. 0 means DefaultMaxBytes.
	MaxBytes int64
	// Dial connects to a host and port, e.g. to refuse addresses inside of a
	// network. For a service it gets the address of the Resolver. Nil means a
	// [net.Dialer].
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// AllowHTTP admits URLs with the scheme http. They are not encrypted, and a
	// server refuses a definition that has one.
	AllowHTTP bool
}

// setDefaults replaces zero values.
func (o *Options) setDefaults() {
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	if o.Dial == nil {
		dialer := &net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}
		o.Dial = dialer.DialContext
	}
}

// Client calls a webhook over HTTPS. It follows redirects only to the same
// scheme and host. It is safe for concurrent use, and keeps
// connections open until Close.
type Client struct {
	http    *http.Client
	url     string
	options Options
}

// New returns a client for the webhook of a CRD. It does not connect yet. An
// unusable URL or CA bundle, or a missing resolver, is an error (CONV-040 to
// CONV-042).
func New(spec conversion.Spec, options Options) (*Client, error) {
	options.setDefaults()
	transport := &http.Transport{
		TLSClientConfig:     &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout: 10 * time.Second,
		DialContext:         options.Dial,
	}
	address, err := target(spec, options, transport)
	if err != nil {
		name := "conversion_webhook_for_" + spec.CRD
		return nil, fmt.Errorf("failed calling webhook %q: %w", name, err)
	}
	if bundle := spec.Client.CABundle; len(bytes.TrimSpace(bundle)) > 0 {
		if transport.TLSClientConfig.RootCAs, err = conversionreview.CertPool(bundle); err != nil {
			return nil, err
		}
	}
	address.RawQuery = url.Values{"timeout": {options.Timeout.String()}}.Encode()
	return &Client{
		http: &http.Client{
			Transport: transport, Timeout: options.Timeout, CheckRedirect: checkRedirect,
		},
		url:     address.String(),
		options: options,
	}, nil
}

// checkRedirect refuses redirects to another scheme or host. The review has the
// object in it, secrets included, and the definition names who may see it.
func checkRedirect(request *http.Request, earlier []*http.Request) error {
	const most = 10
	from, to := earlier[0].URL, request.URL
	switch {
	case len(earlier) >= most:
		return fmt.Errorf("stopped after %d redirects", most)
	case from.Scheme != to.Scheme || from.Host != to.Host:
		const text = "a redirect from %s://%s to %s://%s is not followed"
		return fmt.Errorf(text, from.Scheme, from.Host, to.Scheme, to.Host)
	}
	return nil
}

// Close closes the idle connections.
func (c *Client) Close() {
	c.http.CloseIdleConnections()
}

// target returns the URL of the webhook and prepares the transport for it.
func target(spec conversion.Spec, options Options, transport *http.Transport) (*url.URL, error) {
	if spec.Client.Service != nil {
		return serviceTarget(*spec.Client.Service, options, transport)
	}
	if spec.Client.URL == "" {
		return nil, errors.New("webhook configuration must have either service or URL")
	}
	u, err := url.Parse(spec.Client.URL)
	if err != nil {
		//lint:ignore ST1005 the text is the server's
		return nil, fmt.Errorf("Unparsable URL: %v", err)
	}
	if u.Host == "" {
		return nil, fmt.Errorf("the URL %q has no host", spec.Client.URL)
	}
	if u.Scheme != "https" && !(u.Scheme == "http" && options.AllowHTTP) {
		return nil, fmt.Errorf("the URL %q does not start with https", spec.Client.URL)
	}
	transport.ForceAttemptHTTP2 = isLocal(u.Hostname())
	return &url.URL{Scheme: u.Scheme, Host: u.Host, Path: path.Join("/", u.Path)}, nil
}

// serviceTarget is target for a service: the transport dials the address that
// the resolver returns.
func serviceTarget(
	service conversion.Service, options Options, transport *http.Transport,
) (*url.URL, error) {
	if options.Resolver == nil {
		return nil, errors.New("a webhook that is a service needs a resolver")
	}
	if service.Port == 0 {
		service.Port = 443
	}
	name := service.Name + "." + service.Namespace + ".svc"
	host := net.JoinHostPort(name, strconv.Itoa(int(service.Port)))
	transport.TLSClientConfig.ServerName = name
	dial := transport.DialContext
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		if address == host {
			resolved, err := options.Resolver.Resolve(ctx, service)
			if err != nil {
				return nil, err
			}
			address = resolved
		}
		return dial(ctx, network, address)
	}
	return &url.URL{Scheme: "https", Host: host, Path: path.Join("/", service.Path)}, nil
}

// isLocal reports whether a host is this machine. HTTP/2 is used only then.
func isLocal(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}
