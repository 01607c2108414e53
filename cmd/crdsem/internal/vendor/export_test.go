package vendor

import (
	"context"
	"net/http"
)

// SetTransport makes a client send its requests by a transport, e.g. to a
// server on loopback.
func (c *Client) SetTransport(t http.RoundTripper) { c.http.Transport = t }

// SetLimits bounds a client.
func (c *Client) SetLimits(download, unpacked, file int64, entries int) {
	c.limits = limits{download, unpacked, file, entries}
}

// Unpack is unpack with small limits. It returns the names of the definitions.
func Unpack(ctx context.Context, in content, below string) (map[string]string, error) {
	l := limits{download: 1 << 20, unpacked: 1 << 20, file: 1 << 16, entries: 100}
	found := newSet()
	err := l.unpack(ctx, "file", in, below, found.read)
	return found.from, err
}

// Normal returns a source as it is written.
func Normal(text string) (string, error) {
	s, err := parseSource(text)
	return s.String(), err
}

// Publishers returns the table.
func Publishers() map[string]string { return publishers() }
