package vendor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

const (
	timeout      = 5 * time.Minute // of one request
	maxRedirects = 5
)

// Client reads sources. Its methods must not be called concurrently.
type Client struct {
	// Dir is the folder that relative paths of sources start at.
	Dir string

	http   *http.Client
	limits limits
}

// New returns a client for sources whose relative paths start at a folder.
func New(dir string) *Client {
	return &Client{Dir: dir, limits: defaultLimits, http: &http.Client{
		Timeout: timeout, CheckRedirect: checkRedirect,
	}}
}

func checkRedirect(request *http.Request, via []*http.Request) error {
	switch {
	case via[0].Method != http.MethodGet: // a login in a form
		return http.ErrUseLastResponse
	case len(via) > maxRedirects:
		return fmt.Errorf("more than %d redirects", maxRedirects)
	case request.URL.Scheme != https:
		return fmt.Errorf("redirect to %s, which is not HTTPS", request.URL.Redacted())
	case request.URL.Host != via[0].URL.Host: // subdomains are other hosts, too
		request.Header.Del("Authorization")
	}
	return nil
}

// send sends a GET request. The caller closes the body.
func (c *Client) send(ctx context.Context, address string, header http.Header) (
	*http.Response, error,
) {
	request, err := newRequest(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	if header != nil {
		request.Header = header
		return c.http.Do(request)
	}
	found, err := netrcLogin(request.URL.Hostname())
	if err != nil {
		return nil, err
	}
	if found != nil {
		request.Header.Set("Authorization", found.header())
	}
	return c.http.Do(request)
}

// post sends a form, which may have a secret. It is sent to no other address,
// whatever the answer. The caller closes the body.
func (c *Client) post(ctx context.Context, address string, form url.Values) (
	*http.Response, error,
) {
	request, err := newRequest(ctx, http.MethodPost, address, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return c.http.Do(request)
}

// newRequest returns a request to an address of HTTPS.
func newRequest(ctx context.Context, method, address string, body io.Reader) (
	*http.Request, error,
) {
	at, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	if at.Scheme != https || at.Host == "" {
		return nil, fmt.Errorf("%s is not an address of HTTPS", at.Redacted())
	}
	return http.NewRequestWithContext(ctx, method, address, body)
}

// get is send with an error unless the status is 200.
func (c *Client) get(ctx context.Context, address string) (io.ReadCloser, error) {
	response, err := c.send(ctx, address, nil)
	if err != nil {
		return nil, err
	}
	return body(response)
}

// body returns the body of a response whose status is 200.
func body(response *http.Response) (io.ReadCloser, error) {
	if response.StatusCode == http.StatusOK {
		return response.Body, nil
	}
	response.Body.Close()
	return nil, fmt.Errorf("%s: %s", response.Request.URL.Redacted(), response.Status)
}

// kept writes what a reader has to a temporary file and passes it on. The
// reader is closed.
func (c *Client) kept(in io.ReadCloser, use func(content) error) error {
	defer in.Close()
	file, err := os.CreateTemp("", "crdsem-vendor-")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(file.Name()) }()
	defer file.Close()
	n, err := io.Copy(file, io.LimitReader(in, c.limits.download+1))
	switch {
	case err != nil:
		return err
	case n > c.limits.download:
		return fmt.Errorf("more than %d bytes", c.limits.download)
	}
	return use(file)
}

// latestTag returns the tag of the latest release of a project on GitHub: what
// its address redirects to.
func (c *Client) latestTag(ctx context.Context, project string) (string, error) {
	response, err := c.send(ctx, "https://github.com/"+project+"/releases/latest", nil)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	_, tag, ok := strings.Cut(response.Request.URL.Path, "/releases/tag/")
	switch {
	case response.StatusCode != http.StatusOK:
		return "", fmt.Errorf("%s: %s", response.Request.URL.Redacted(), response.Status)
	case !ok || !tagName.MatchString(tag):
		return "", errors.New("the project has no latest release: name a tag")
	}
	return tag, nil
}
