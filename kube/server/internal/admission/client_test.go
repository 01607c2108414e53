package admission

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/api/admissionregistration/v1"
)

// Where a webhook is, by its configuration.
func TestTarget(t *testing.T) {
	service := func(port *int32, path *string) *v1.WebhookClientConfig {
		return &v1.WebhookClientConfig{Service: &v1.ServiceReference{
			Namespace: "ns", Name: "s", Port: port, Path: path,
		}}
	}
	at := func(url string) *v1.WebhookClientConfig { return &v1.WebhookClientConfig{URL: &url} }
	const none = "webhook configuration must have either service or URL"
	for name, test := range map[string]struct {
		of   *v1.WebhookClientConfig
		want string // host, path, name of the server, HTTP/2
	}{
		"service":      {service(nil, nil), "https://s.ns.svc:443  s.ns.svc false"},
		"port":         {service(new(int32(8443)), new("/p")), "https://s.ns.svc:8443 /p s.ns.svc false"},
		"address":      {at("https://example.com:1/a/b?c=d"), "https://example.com:1 /a/b  false"},
		"this machine": {at("https://LOCALHOST/a"), "https://LOCALHOST /a  true"},
		"loopback":     {at("https://127.0.0.2:1/a"), "https://127.0.0.2:1 /a  true"},
		"other IP":     {at("https://10.0.0.1/"), "https://10.0.0.1 /  false"},
		"no address":   {at(""), none},
		"nothing":      {&v1.WebhookClientConfig{}, none},
		"no URL":       {at("https://a b"), `Unparsable URL: parse "https://a b": invalid`},
	} {
		c := &client{transport: &http.Transport{}}
		config, tls, err := c.target(test.of, nil)
		got := fmt.Sprint(err)
		if err == nil {
			got = fmt.Sprint(config.Host, " ", config.APIPath, " ", tls.ServerName, " ",
				c.transport.ForceAttemptHTTP2)
		}
		if !strings.HasPrefix(got, test.want) {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

// A service is asked at the address that the resolver finds.
func TestResolver(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	errNone := errors.New("no such service")
	c := &client{transport: &http.Transport{}}
	resolve := func(_ context.Context, namespace, name string, port int32) (string, error) {
		if got := fmt.Sprint(namespace, "/", name, ":", port); got != "ns/s:7" {
			t.Errorf("looked up %s", got)
		}
		return server.Listener.Addr().String(), errNone
	}
	of := &v1.ServiceReference{Namespace: "ns", Name: "s", Port: new(int32(7))}
	if _, _, err := c.serviceTarget(of, resolve); err != nil {
		t.Fatal(err)
	}
	dial := c.transport.DialContext
	if _, err := dial(t.Context(), "tcp", "s.ns.svc:7"); !errors.Is(err, errNone) {
		t.Errorf("the resolver's error is %v", err)
	}
	errNone = nil
	for _, address := range []string{"s.ns.svc:7", server.Listener.Addr().String()} {
		connection, err := dial(t.Context(), "tcp", address)
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		if got := connection.RemoteAddr().String(); got != server.Listener.Addr().String() {
			t.Errorf("%s is at %s", address, got)
		}
		_ = connection.Close()
	}
}

// A webhook gets as long as its configuration says, and its answer has to be
// one.
func TestPost(t *testing.T) {
	ended := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/slow":
			<-ended
		case "/deadline":
			fmt.Fprint(w, `{"response":{"uid":"`+r.URL.Query().Get("timeout")+`"}}`)
		}
	}))
	defer server.Close()
	defer close(ended)
	post := func(path string, timeout *int32) (string, error) {
		webhook := v1.MutatingWebhook{TimeoutSeconds: timeout}
		webhook.ClientConfig.URL = new(server.URL + path)
		c := newClient(webhook, nil)
		defer c.close()
		if timeout != nil && *timeout == 1 {
			c.timeout = 50 * time.Millisecond
		}
		var review admissionv1.AdmissionReview
		err := c.post(t.Context(), []byte("{}"), &review)
		if review.Response == nil {
			return "", err
		}
		return string(review.Response.UID), err
	}
	for path, want := range map[string]string{
		"/deadline": "7s <nil>", "/slow": " failed to call webhook: ",
		"\x00": " could not get REST client: Unparsable URL: ",
	} {
		timeout := int32(7)
		if path == "/slow" {
			timeout = 1
		}
		uid, err := post(path, &timeout)
		if got := fmt.Sprint(uid, " ", err); !strings.HasPrefix(got, want) {
			t.Errorf("%q: %s, want %s", path, got, want)
		}
	}
	if uid, err := post("/deadline", nil); uid != "" || err != nil {
		t.Errorf("without a timeout: %q (%v)", uid, err)
	}
}
