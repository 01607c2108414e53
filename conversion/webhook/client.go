package webhook

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
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
)

const (
	// DefaultTimeout is how long one call may take, retries included.
	DefaultTimeout = 30 * time.Second
	// DefaultMaxBytes is how long an answer, or a request to a handler, may be.
	DefaultMaxBytes = 64 << 20
)

// Resolver finds the address, as host:port, at which a service's port is reached.
type Resolver interface {
	Resolve(ctx context.Context, service conversion.Service) (address string, err error)
}

// ResolverFunc is a function that is a Resolver.
type ResolverFunc func(ctx context.Context, service conversion.Service) (string, error)

// Resolve calls the function.
func (f ResolverFunc) Resolve(ctx context.Context, service conversion.Service) (string, error) {
	return f(ctx, service)
}

// Options are a client's limits and ways. The zero value is good for a webhook with a URL.
type Options struct {
	// Resolver is needed for a webhook that is a service.
	Resolver Resolver
	// Timeout is DefaultTimeout if 0.
	Timeout time.Duration
	// MaxBytes limits an answer; it is DefaultMaxBytes if 0.
	MaxBytes int64
}

// Client calls a webhook over HTTPS. It is safe for concurrent use and keeps connections open until Close.
type Client struct {
	http    *http.Client
	url     string
	options Options
}

// New makes a client from a CRD's clientConfig. No connection is made yet. An unusable URL, CA bundle or lack of a resolver is an
// error (CONV-040 to CONV-042).
func New(spec conversion.Spec, options Options) (*Client, error) {
	if options.Timeout == 0 {
		options.Timeout = DefaultTimeout
	}
	if options.MaxBytes == 0 {
		options.MaxBytes = DefaultMaxBytes
	}
	transport := &http.Transport{
		TLSClientConfig:     &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout: 10 * time.Second,
		DialContext:         (&net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
	}
	address, err := target(spec, options, transport)
	if err != nil {
		return nil, fmt.Errorf("failed calling webhook %q: %w", "conversion_webhook_for_"+spec.CRD, err)
	}
	if bundle := spec.Client.CABundle; len(bytes.TrimSpace(bundle)) > 0 {
		if transport.TLSClientConfig.RootCAs, err = certPool(bundle); err != nil {
			return nil, fmt.Errorf("unable to load root certificates: %w", err)
		}
	}
	address.RawQuery = url.Values{"timeout": {options.Timeout.String()}}.Encode()
	return &Client{http: &http.Client{Transport: transport, Timeout: options.Timeout}, url: address.String(), options: options}, nil
}

// Close closes the idle connections.
func (c *Client) Close() {
	c.http.CloseIdleConnections()
}

// target finds where the webhook is and prepares the transport for it.
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
	transport.ForceAttemptHTTP2 = isLocal(u.Hostname())
	return &url.URL{Scheme: u.Scheme, Host: u.Host, Path: path.Join("/", u.Path)}, nil
}

// serviceTarget makes the transport dial the address that the resolver gives.
func serviceTarget(service conversion.Service, options Options, transport *http.Transport) (*url.URL, error) {
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

// isLocal tells whether a host is this machine; only then HTTP/2 is used.
func isLocal(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// certPool reads a CA bundle; the errors are the server's.
func certPool(bundle []byte) (*x509.CertPool, error) {
	pool := x509.NewCertPool()
	if pool.AppendCertsFromPEM(bundle) {
		return pool, nil
	}
	for len(bundle) > 0 {
		var block *pem.Block
		if block, bundle = pem.Decode(bundle); block == nil {
			return nil, errors.New("unable to parse bytes as PEM block")
		}
		if block.Type != "CERTIFICATE" || len(block.Headers) != 0 {
			continue
		}
		if _, err := x509.ParseCertificate(block.Bytes); err != nil {
			return nil, fmt.Errorf("failed to parse certificate: %w", err)
		}
	}
	return nil, errors.New("no valid certificate authority data seen")
}
