package webhook

import (
	"bytes"
	"cmp"
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
	"github.com/crdsem/crdsem/internal/belowfacade/conversionreview"
)

const (
	// DefaultTimeout limits the time of one call, with its retries.
	DefaultTimeout = 30 * time.Second
	// DefaultMaxBytes limits the length of an answer, and of a request to a
	// handler.
	DefaultMaxBytes = 64 << 20
)

// Option is an option of [New]. Of several of one kind the last one counts.
type Option interface{ set(*choices) }

type optionFunc func(*choices)

func (f optionFunc) set(c *choices) { f(c) }

// Resolver finds the address of a service's port, as host:port.
type Resolver func(ctx context.Context, service conversion.Service) (address string, err error)

// Dialer connects to a host and port.
type Dialer func(ctx context.Context, network, address string) (net.Conn, error)

// Resolve finds the address of a webhook that is a service. Without this option
// a service is an error of [New]. A webhook with a URL needs none.
func Resolve(with Resolver) Option {
	return optionFunc(func(c *choices) { c.resolve = with })
}

// Dial connects with a function, e.g. to refuse addresses inside of a network.
// Without this option, or with nil, it is a [net.Dialer]. For a service the
// function gets the address that the function of [Resolve] returns.
func Dial(with Dialer) Option {
	return optionFunc(func(c *choices) {
		if with != nil {
			c.dial = with
		}
	})
}

// Timeout limits the time of one call, with its retries. Without this option,
// or with 0, it is [DefaultTimeout].
func Timeout(limit time.Duration) Option {
	return optionFunc(func(c *choices) { c.timeout = cmp.Or(limit, DefaultTimeout) })
}

// MaxBytes limits the length of an answer. Without this option, or with 0, it
// is [DefaultMaxBytes].
func MaxBytes(limit int64) Option {
	return optionFunc(func(c *choices) { c.maxBytes = cmp.Or(limit, DefaultMaxBytes) })
}

// AllowHTTP admits URLs with the scheme http. They are not encrypted, and a
// server refuses a definition that has one. Without this option they are an
// error of [New]. A service is always called over HTTPS.
func AllowHTTP() Option { return optionFunc(func(c *choices) { c.allowsHTTP = true }) }

type choices struct {
	resolve    Resolver
	dial       Dialer
	timeout    time.Duration
	maxBytes   int64
	allowsHTTP bool
}

// chosen returns the defaults with what the options change.
func chosen(options []Option) choices {
	dialer := &net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}
	c := choices{dial: dialer.DialContext, timeout: DefaultTimeout, maxBytes: DefaultMaxBytes}
	for _, option := range options {
		if option != nil {
			option.set(&c)
		}
	}
	return c
}

// Client calls a webhook over HTTPS. It follows redirects only to the same
// scheme and host. It is safe for concurrent use, and keeps
// connections open until Close.
type Client struct {
	http    *http.Client
	url     string
	choices choices
}

// New returns a client for the webhook of a CRD. It does not connect yet. An
// unusable URL or CA bundle, or a missing resolver, is an error (CONV-040 to
// CONV-042).
func New(spec conversion.Spec, options ...Option) (*Client, error) {
	c := chosen(options)
	transport := &http.Transport{
		TLSClientConfig:     &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout: 10 * time.Second,
		DialContext:         c.dial,
	}
	address, err := c.target(spec, transport)
	if err != nil {
		name := "conversion_webhook_for_" + spec.CRD
		return nil, fmt.Errorf("failed calling webhook %q: %w", name, err)
	}
	if bundle := spec.Client.CABundle; len(bytes.TrimSpace(bundle)) > 0 {
		if transport.TLSClientConfig.RootCAs, err = conversionreview.CertPool(bundle); err != nil {
			return nil, err
		}
	}
	address.RawQuery = url.Values{"timeout": {c.timeout.String()}}.Encode()
	return &Client{
		http: &http.Client{
			Transport: transport, Timeout: c.timeout, CheckRedirect: checkRedirect,
		},
		url:     address.String(),
		choices: c,
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
func (c *choices) target(spec conversion.Spec, transport *http.Transport) (*url.URL, error) {
	if spec.Client.Service != nil {
		return c.serviceTarget(*spec.Client.Service, transport)
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
	if u.Scheme != "https" && !(u.Scheme == "http" && c.allowsHTTP) {
		return nil, fmt.Errorf("the URL %q does not start with https", spec.Client.URL)
	}
	transport.ForceAttemptHTTP2 = isLocal(u.Hostname())
	return &url.URL{Scheme: u.Scheme, Host: u.Host, Path: path.Clean("/" + u.Path)}, nil
}

// serviceTarget is target for a service: the transport dials the address that
// the resolver returns.
func (c *choices) serviceTarget(
	service conversion.Service, transport *http.Transport,
) (*url.URL, error) {
	if c.resolve == nil {
		return nil, errors.New("a webhook that is a service needs a resolver")
	}
	if service.Port == 0 {
		service.Port = 443
	}
	name := service.Name + "." + service.Namespace + ".svc"
	host := net.JoinHostPort(name, strconv.Itoa(int(service.Port)))
	// Redirects lead to the same host only, so there is no other address.
	transport.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		address, err := c.resolve(ctx, service)
		if err != nil {
			return nil, err
		}
		return c.dial(ctx, network, address)
	}
	return &url.URL{Scheme: "https", Host: host, Path: path.Clean("/" + service.Path)}, nil
}

// isLocal reports whether a host is this machine. HTTP/2 is used only then.
func isLocal(host string) bool {
	return strings.EqualFold(host, "localhost") || net.ParseIP(host).IsLoopback()
}
