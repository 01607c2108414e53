package webhook_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/conversion/webhook"
)

func clientFor(
	t *testing.T, config conversion.ClientConfig, options ...webhook.Option,
) *webhook.Client {
	t.Helper()
	client, err := webhook.New(conversion.Spec{CRD: "foos.example.com", Client: config}, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

func TestNewRefuses(t *testing.T) {
	const prefix = `failed calling webhook "conversion_webhook_for_foos.example.com": `
	cases := []struct {
		name   string
		config conversion.ClientConfig
		want   string
	}{
		{
			"CONV-042 neither",
			conversion.ClientConfig{},
			prefix + "webhook configuration must have either service or URL",
		},
		{
			"CONV-042 unparsable",
			conversion.ClientConfig{URL: "https://a b"},
			prefix + `Unparsable URL: parse "https://a b": invalid character " " in host name`,
		},
		{
			"a service without a resolver",
			conversion.ClientConfig{Service: &conversion.Service{Name: "a"}},
			prefix + "a webhook that is a service needs a resolver",
		},
		{
			"CONV-042 http",
			conversion.ClientConfig{URL: "http://h"},
			prefix + `the URL "http://h" does not start with https`,
		},
		{
			"no host",
			conversion.ClientConfig{URL: "https:///a"},
			prefix + `the URL "https:///a" has no host`,
		},
		{
			"CONV-055 no PEM",
			conversion.ClientConfig{URL: "https://h", CABundle: []byte("x")},
			"unable to load root certificates: unable to parse bytes as PEM block",
		},
		{
			"CONV-055 no certificate",
			conversion.ClientConfig{
				URL:      "https://h",
				CABundle: []byte("-----BEGIN CERTIFICATE-----\nYQ==\n-----END CERTIFICATE-----\n"),
			},
			"unable to load root certificates: failed to parse certificate: " +
				"x509: malformed certificate",
		},
	}
	for _, c := range cases {
		spec := conversion.Spec{CRD: "foos.example.com", Client: c.config}
		_, err := webhook.New(spec)
		if errorText(err) != c.want {
			t.Errorf("%s: %v\nwant %s", c.name, err, c.want)
		}
	}
	ftp := conversion.Spec{Client: conversion.ClientConfig{URL: "ftp://h"}}
	const want = `failed calling webhook "conversion_webhook_for_": ` +
		`the URL "ftp://h" does not start with https`
	if _, err := webhook.New(ftp, webhook.AllowHTTP()); errorText(err) != want {
		t.Errorf("%v, want %s", err, want)
	}
	blank := conversion.ClientConfig{URL: "https://h", CABundle: []byte(" \n")}
	if _, err := webhook.New(conversion.Spec{Client: blank}); err != nil {
		t.Errorf("CONV-040 a blank CA bundle: %v", err)
	}
}

func TestService(t *testing.T) {
	var host, path string
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, path = r.Host, r.URL.Path
		_, _ = io.WriteString(w, "{}")
	}))
	defer server.Close()
	var asked conversion.Service
	resolver := webhook.Resolver(
		func(_ context.Context, service conversion.Service) (string, error) {
			asked = service
			return server.Listener.Addr().String(), nil
		},
	)
	service := &conversion.Service{Namespace: "ns", Name: "hook", Path: "/convert/"}
	client := clientFor(t, conversion.ClientConfig{
		Service: service, URL: "https://ignored.example.com", CABundle: caBundle(server),
	}, webhook.Resolve(resolver))
	_, err := client.Call(t.Context(), nil)
	// The test server's certificate is for example.com, so the handshake must
	// fail for the service's name.
	if err == nil || !strings.Contains(err.Error(), "not hook.ns.svc") {
		t.Errorf("CONV-041: the server name is not checked: %v", err)
	}
	if asked.Port != 443 || asked.Name != "hook" || asked.Namespace != "ns" {
		t.Errorf("CONV-041: the resolver was asked for %+v", asked)
	}
	refusing := webhook.Resolver(func(context.Context, conversion.Service) (string, error) {
		return "", errors.New("no such service")
	})
	config := conversion.ClientConfig{Service: service}
	client = clientFor(t, config, webhook.Resolve(refusing))
	_, err = client.Call(t.Context(), nil)
	want := `Post "https://hook.ns.svc:443/convert?timeout=30s": no such service`
	if errorText(err) != want {
		t.Errorf("CONV-041: %v, want %s", err, want)
	}
	if host != "" || path != "" {
		t.Errorf("the server was reached as %s%s", host, path)
	}
}

func TestUnknownAuthority(t *testing.T) {
	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()
	_, err := clientFor(t, conversion.ClientConfig{URL: server.URL}).Call(t.Context(), nil)
	if err == nil || !strings.Contains(err.Error(), "certificate signed by unknown authority") {
		t.Errorf("a server that nobody trusts: %v", err)
	}
}

func TestFailures(t *testing.T) {
	cases := []struct {
		code              int
		contentType, body string
		want              string
	}{
		{400, "application/json", "{}", "the server rejected our request for an unknown reason"},
		{401, "", "x", "the server has asked for the client to provide credentials"},
		{403, "text/plain", " no \n", "no"},
		{403, "", "no", "no"},
		{403, "application/json", "no", "unknown"},
		{403, "text/plain", " " + strings.Repeat("é", 2000), strings.Repeat("é", 1023) + "\xc3"},
		{404, "application/json", `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"gone"}`, "gone"},
		{404, "application/json", `{"kind":"Status","apiVersion":"v1","status":"Success","message":"gone"}`, "the server could not find the requested resource"},
		{405, "", "", "the server does not allow this method on the requested resource"},
		{406, "text/plain", "only xml", "only xml"},
		{406, "application/json", "", "the server was unable to respond with a content type that the client supports"},
		{406, "text/plain", "", "the server was unable to respond with a content type that the client supports"},
		{406, "text/plain", "unknown", "the server was unable to respond with a content type that the client supports"},
		{409, "", "", "the server reported a conflict"},
		{410, "", "", "the server responded with the status code 410 but did not return more information"},
		{207, "", "x", "the server responded with the status code 207 but did not return more information"},
		{499, "", "x", "the server responded with the status code 499 but did not return more information"},
		{500, "application/json", "x", `an error on the server ("unknown") has prevented the request from succeeding`},
		{206, "text/plain", "x", ""},
		{200, "", "x", ""},
		{200, "", "", "0-length response with status code: 200 and content type: application/json"},
		{415, "text/html", "what", "what"},
		{422, "", "", "the server rejected our request due to an error in our request"},
		{429, "", "", "the server has received too many requests and has asked us to try again later"},
		{500, "text/plain", "boom", `an error on the server ("boom") has prevented the request from succeeding`},
		{503, "", "", "the server is currently unable to handle the request"},
		{504, "", "", "the server was unable to return a response in the time allotted, but may still be processing the request"},
		{200, "a b/;", "x", "Internal error occurred: mime: expected slash after first token"},
		{200, "application/json", "", "0-length response with status code: 200 and content type: application/json"},
	}
	for _, c := range cases {
		server := httptest.NewTLSServer(
			http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", c.contentType)
				w.WriteHeader(c.code)
				_, _ = io.WriteString(w, c.body)
			}),
		)
		config := conversion.ClientConfig{URL: server.URL, CABundle: caBundle(server)}
		body, err := clientFor(t, config).Call(t.Context(), nil)
		if errorText(err) != c.want || (err == nil) != (string(body) == "x") {
			t.Errorf("CONV-026 %d %s %s: error %q\nwant %q", c.code, c.contentType, c.body,
				errorText(err), c.want)
		}
		server.Close()
	}
}

// A webhook that hangs before its answer or in the middle of it ends the call
// with the text of the client's timeout.
func TestHangs(t *testing.T) {
	for begun, want := range map[bool]string{
		false: "?timeout=100ms\": context deadline exceeded " +
			"(Client.Timeout exceeded while awaiting headers)",
		true: "unexpected error when reading response body. Please retry. Original error: " +
			"context deadline exceeded " +
			"(Client.Timeout or context cancellation while reading body)",
	} {
		release := make(chan struct{})
		server := httptest.NewTLSServer(http.HandlerFunc(
			func(w http.ResponseWriter, _ *http.Request) {
				if begun {
					w.WriteHeader(http.StatusOK)
					w.(http.Flusher).Flush()
				}
				<-release
			},
		))
		config := conversion.ClientConfig{URL: server.URL, CABundle: caBundle(server)}
		body, err := clientFor(t, config, webhook.Timeout(100*time.Millisecond)).
			Call(t.Context(), nil)
		close(release)
		server.Close()
		if text := errorText(err); body != nil || !strings.HasSuffix(text, want) {
			t.Errorf("an answer that has begun %t: %s, %q\nwant %q", begun, body, text, want)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	for _, c := range []struct {
		code  int
		after string
		want  time.Duration
		again bool
	}{
		{429, "3", 3 * time.Second, true}, {500, "0", 0, true}, {503, "-1", -time.Second, true},
		{428, "3", 0, false}, {430, "3", 0, false}, {499, "3", 0, false}, {200, "3", 0, false},
		{503, "1.5", 0, false}, {503, "", 0, false},
	} {
		if got, again := webhook.RetryAfter(c.code, c.after); got != c.want || again != c.again {
			t.Errorf("%d after %q: %v, %t", c.code, c.after, got, again)
		}
	}
	slow := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	defer slow.Close()
	config := conversion.ClientConfig{URL: slow.URL, CABundle: caBundle(slow)}
	waiting := clientFor(t, config, webhook.Timeout(500*time.Millisecond))
	if body, err := waiting.Call(t.Context(), nil); body != nil ||
		errorText(err) != "context deadline exceeded" {
		t.Errorf("a retry after the timeout: %s, %v", body, err)
	}
	for _, c := range []struct {
		code  int
		after string
		calls int32
	}{
		{429, "0", 11}, {500, "0", 11}, {503, "0", 11}, {499, "0", 1}, {503, "", 1}, {503, "soon", 1},
	} {
		var calls atomic.Int32
		server := httptest.NewTLSServer(http.HandlerFunc(
			func(w http.ResponseWriter, _ *http.Request) {
				calls.Add(1)
				w.Header().Set("Retry-After", c.after)
				w.WriteHeader(c.code)
			},
		))
		client := clientFor(t, conversion.ClientConfig{URL: server.URL, CABundle: caBundle(server)})
		body, err := client.Call(t.Context(), nil)
		if err == nil || body != nil || calls.Load() != c.calls {
			t.Errorf("%d after %q: %s, %v after %d calls, want %d",
				c.code, c.after, body, err, calls.Load(), c.calls)
		}
		server.Close()
	}
	var calls atomic.Int32
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if calls.Add(1) < 3 {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		_, _ = io.WriteString(w, "{}")
	}))
	defer server.Close()
	client := clientFor(t, conversion.ClientConfig{URL: server.URL, CABundle: caBundle(server)})
	if body, err := client.Call(t.Context(), nil); err != nil || string(body) != "{}" ||
		calls.Load() != 3 {
		t.Errorf("got %s, %v after %d calls, want {} after 3", body, err, calls.Load())
	}
}

// certificate returns a certificate for a host, and its PEM.
func certificate(t *testing.T, host string) (tls.Certificate, []byte) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{host},
		NotAfter: time.Now().Add(time.Hour),
	}
	if ip := net.ParseIP(host); ip != nil {
		template.IPAddresses = []net.IP{ip}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key},
		pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

// A review is sent as the server sends it. HTTP/2 is used only on this machine
// (CONV-025, CONV-040, CONV-041).
func TestRequest(t *testing.T) {
	service := conversion.Service{Namespace: "ns", Name: "hook", Path: "a//b/", Port: 8443}
	for _, c := range []struct {
		host, want string
		config     conversion.ClientConfig
	}{
		{"localhost", "HTTP/2.0 localhost:1 /", conversion.ClientConfig{URL: "https://localhost:1"}},
		{"LocalHost", "HTTP/2.0 LocalHost /a", conversion.ClientConfig{URL: "https://LocalHost/a/?b=c"}},
		{"127.0.0.1", "HTTP/2.0 127.0.0.1:1 /", conversion.ClientConfig{URL: "https://127.0.0.1:1/"}},
		{"::1", "HTTP/2.0 [::1] /", conversion.ClientConfig{URL: "https://[::1]"}},
		{"10.0.0.1", "HTTP/1.1 10.0.0.1 /", conversion.ClientConfig{URL: "https://10.0.0.1"}},
		{"hook.test", "HTTP/1.1 hook.test /a/b",
			conversion.ClientConfig{URL: "https://user@hook.test//a/./b#c"}},
		{"hook.ns.svc", "HTTP/1.1 hook.ns.svc:8443 /a/b", conversion.ClientConfig{Service: &service}},
	} {
		var got string
		var header http.Header
		server := httptest.NewUnstartedServer(http.HandlerFunc(
			func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				got = r.Proto + " " + r.Host + " " + r.URL.Path
				header = r.Header
				header.Set("Request", r.Method+" "+r.URL.RawQuery+" "+string(body))
				_, _ = io.WriteString(w, "{}")
			},
		))
		server.EnableHTTP2 = true
		own, bundle := certificate(t, c.host)
		server.TLS = &tls.Config{Certificates: []tls.Certificate{own}}
		server.StartTLS()
		c.config.CABundle = bundle
		var asked conversion.Service
		resolve := func(_ context.Context, s conversion.Service) (string, error) {
			asked = s
			return "resolved:1", nil
		}
		dial := func(ctx context.Context, network, address string) (net.Conn, error) {
			if (address == "resolved:1") != (c.config.Service != nil) {
				t.Errorf("%s: dialed %s", c.host, address)
			}
			return new(net.Dialer).DialContext(ctx, network, server.Listener.Addr().String())
		}
		client := clientFor(t, c.config, webhook.Dial(dial), webhook.Resolve(resolve))
		if body, err := client.Call(t.Context(), []byte("{}")); string(body) != "{}" || err != nil {
			t.Errorf("%s: %s, %v", c.host, body, err)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.host, got, c.want)
		}
		wantHeader := http.Header{
			"Accept": {"application/json, */*"}, "Content-Type": {"application/json"},
			"User-Agent": {"crdsem"}, "Content-Length": {"2"}, "Accept-Encoding": {"gzip"},
			"Request": {"POST timeout=30s {}"},
		}
		if diff := cmp.Diff(wantHeader, header); diff != "" {
			t.Errorf("%s: header (-want +got)\n%s", c.host, diff)
		}
		if c.config.Service != nil && asked != service {
			t.Errorf("the resolver was asked for %+v", asked)
		}
		server.Close()
	}
}

// An answer that breaks off has the text of the server, and so has a service
// whose name is none.
func TestUnreadableAnswers(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "10")
		_, _ = io.WriteString(w, "{}")
	}))
	defer server.Close()
	resolve := func(context.Context, conversion.Service) (string, error) { return "", nil }
	for want, config := range map[string]conversion.ClientConfig{
		"unexpected error when reading response body. Please retry. Original error: unexpected EOF": {
			URL: server.URL, CABundle: caBundle(server)},
		`parse "https://a%20b.ns.svc:443/?timeout=30s": invalid URL escape "%20"`: {
			Service: &conversion.Service{Name: "a b", Namespace: "ns"}},
	} {
		body, err := clientFor(t, config, webhook.Resolve(resolve)).Call(t.Context(), nil)
		if body != nil || errorText(err) != want {
			t.Errorf("%s, %v, want %s", body, err, want)
		}
	}
}

// Close closes the connections that wait for another call.
func TestClose(t *testing.T) {
	closed := make(chan bool, 1)
	server := httptest.NewUnstartedServer(http.HandlerFunc(
		func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "{}") },
	))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateClosed {
			closed <- true
		}
	}
	server.StartTLS()
	defer server.Close()
	client := clientFor(t, conversion.ClientConfig{URL: server.URL, CABundle: caBundle(server)})
	if _, err := client.Call(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	client.Close()
	select {
	case <-closed:
	case <-time.After(10 * time.Second):
		t.Error("a connection stays open")
	}
}

func TestLimits(t *testing.T) {
	release := make(chan struct{})
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			<-release
		}
		_, _ = io.WriteString(w, strings.Repeat("x", 100))
	}))
	defer server.Close()
	defer close(release)
	long := clientFor(t, conversion.ClientConfig{URL: server.URL, CABundle: caBundle(server)},
		webhook.MaxBytes(99))
	_, err := long.Call(t.Context(), nil)
	if errorText(err) != "the response is longer than 99 bytes" {
		t.Errorf("an answer that is too long: %v", err)
	}
	config := conversion.ClientConfig{URL: server.URL, CABundle: caBundle(server)}
	body, err := clientFor(t, config, webhook.MaxBytes(100)).Call(t.Context(), nil)
	if len(body) != 100 || err != nil {
		t.Errorf("an answer of the longest length: %d bytes, %v", len(body), err)
	}
	slow := clientFor(t,
		conversion.ClientConfig{URL: server.URL + "/slow", CABundle: caBundle(server)},
		webhook.Timeout(50*time.Millisecond))
	if _, err := slow.Call(t.Context(), nil); err == nil ||
		!strings.HasPrefix(err.Error(), `Post "`+server.URL+`/slow?timeout=50ms": `) {
		t.Errorf("an answer that is too late: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := slow.Call(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled call: %v", err)
	}
}

func TestHandlerAnswers(t *testing.T) {
	const review = `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1",`
	const media = "send a ConversionReview as application/json\n"
	handler := webhook.Handler(pizzaFunctions(t))
	cases := []struct {
		method, contentType, body string
		code                      int
		want                      string
		allow, answered           string // headers
	}{
		{"GET", "application/json", "", 405, "send a ConversionReview with POST\n", "POST",
			"text/plain; charset=utf-8"},
		{"POST", "text/plain", "{}", 415, media, "", "text/plain; charset=utf-8"},
		{"POST", "", "{}", 415, media, "", "text/plain; charset=utf-8"},
		{"POST", "application/json; x", "{}", 415, media, "", "text/plain; charset=utf-8"},
		{"POST", "application/json", "{", 400,
			"decoding a ConversionReview: unexpected end of JSON input\n", "",
			"text/plain; charset=utf-8"},
		{"POST", "application/json; charset=utf-8", review + `"request":{"uid":"u"}}`, 200,
			review + `"response":{"uid":"u","convertedObjects":[],` +
				`"result":{"metadata":{},"status":"Success"}}}` + "\n", "", "application/json"},
	}
	for _, c := range cases {
		request := httptest.NewRequest(c.method, "/", strings.NewReader(c.body))
		request.Header.Set("Content-Type", c.contentType)
		recorder := httptest.NewRecorder()
		handler.ServeHTTP(recorder, request)
		allow, media := recorder.Header().Get("Allow"), recorder.Header().Get("Content-Type")
		if recorder.Code != c.code || allow != c.allow || media != c.answered {
			t.Errorf("%s %s %s: %d, %q, %q",
				c.method, c.contentType, c.body, recorder.Code, allow, media)
		}
		if diff := cmp.Diff(c.want, recorder.Body.String()); diff != "" {
			t.Errorf("%s %s %s (-want +got)\n%s", c.method, c.contentType, c.body, diff)
		}
	}
}

// A review goes to the scheme and the host of the definition only.
func TestRedirects(t *testing.T) {
	reached, circles := false, 0
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		reached = true
	}))
	defer elsewhere.Close()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/here":
			http.Redirect(w, r, "/there", http.StatusTemporaryRedirect)
		case "/scheme":
			http.Redirect(w, r, "http://"+r.Host, http.StatusTemporaryRedirect)
		case "/host":
			http.Redirect(w, r, "https://localhost.test/", http.StatusTemporaryRedirect)
		case "/there":
			_, _ = io.Copy(w, r.Body)
		case "/circle":
			circles++
			http.Redirect(w, r, "/circle", http.StatusTemporaryRedirect)
		default:
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
		}
	}))
	defer server.Close()
	call := func(path string) (string, error) {
		config := conversion.ClientConfig{URL: server.URL + path, CABundle: caBundle(server)}
		body, err := clientFor(t, config).Call(t.Context(), []byte("{}"))
		return string(body), err
	}
	if body, err := call("/here"); err != nil || body != "{}" {
		t.Errorf("a redirect to the same host: %q, %v", body, err)
	}
	want := "a redirect from " + server.URL + " to " + elsewhere.URL + " is not followed"
	if _, err := call("/away"); err == nil || !strings.Contains(err.Error(), want) || reached {
		t.Errorf("a redirect to another host, reached %t: %v\nwant %s", reached, err, want)
	}
	for path, to := range map[string]string{
		"/scheme": strings.Replace(server.URL, "https", "http", 1), "/host": "https://localhost.test",
	} {
		want := "a redirect from " + server.URL + " to " + to + " is not followed"
		if _, err := call(path); err == nil || !strings.HasSuffix(err.Error(), ": "+want) {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
	if _, err := call("/circle"); circles != 10 ||
		!strings.HasSuffix(errorText(err), ": stopped after 10 redirects") {
		t.Errorf("redirects without an end: %v after %d", err, circles)
	}
}

// http is used only if the caller asks for it.
func TestAllowHTTP(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "{}")
	}))
	defer server.Close()
	config := conversion.ClientConfig{URL: server.URL}
	client := clientFor(t, config, webhook.AllowHTTP(), nil, webhook.Dial(nil),
		webhook.Timeout(0), webhook.MaxBytes(0))
	if body, err := client.Call(t.Context(), nil); err != nil || string(body) != "{}" {
		t.Errorf("got %s, %v", body, err)
	}
}

// Without a dial function, services are dialed as well.
func TestDialOfServices(t *testing.T) {
	resolve := func(context.Context, conversion.Service) (string, error) { return "nowhere", nil }
	config := conversion.ClientConfig{Service: &conversion.Service{Name: "a", Namespace: "b"}}
	client := clientFor(t, config, webhook.Resolve(resolve), webhook.Dial(nil))
	_, err := client.Call(t.Context(), nil)
	if !strings.HasSuffix(errorText(err), "dial tcp: address nowhere: missing port in address") {
		t.Errorf("got %v", err)
	}
}

// Every connection is made by the dial function.
func TestDial(t *testing.T) {
	var asked []string
	dial := func(_ context.Context, _, address string) (net.Conn, error) {
		asked = append(asked, address)
		return nil, errors.New("this address is not for you")
	}
	resolver := webhook.Resolver(
		func(context.Context, conversion.Service) (string, error) { return "10.0.0.1:8443", nil },
	)
	for _, config := range []conversion.ClientConfig{
		{URL: "https://169.254.169.254/latest"},
		{Service: &conversion.Service{Namespace: "ns", Name: "hook"}},
	} {
		client := clientFor(t, config, webhook.Dial(dial), webhook.Resolve(resolver))
		_, err := client.Call(t.Context(), nil)
		if err == nil || !strings.Contains(err.Error(), "not for you") {
			t.Errorf("%+v: %v", config, err)
		}
	}
	if got := strings.Join(asked, " "); got != "169.254.169.254:443 10.0.0.1:8443" {
		t.Errorf("dialed %s", got)
	}
}

// An answer that comes drop by drop ends with the timeout, and one that is
// long YAML is not decoded.
func TestAnswersAreBounded(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/yaml" {
			w.Header().Set("Content-Type", "application/yaml")
			w.WriteHeader(http.StatusInternalServerError)
			_, _ = io.WriteString(w, strings.Repeat("a: &a [b, c]\n", 1<<20))
			return
		}
		for r.Context().Err() == nil {
			_, _ = io.WriteString(w, " ")
			w.(http.Flusher).Flush()
			time.Sleep(10 * time.Millisecond)
		}
	}))
	defer server.Close()
	call := func(path string, timeout time.Duration) error {
		config := conversion.ClientConfig{URL: server.URL + path, CABundle: caBundle(server)}
		client := clientFor(t, config, webhook.Timeout(timeout))
		_, err := client.Call(t.Context(), nil)
		return err
	}
	if call("/drops", 200*time.Millisecond) == nil {
		t.Error("an answer without an end is taken")
	}
	err := call("/yaml", time.Minute)
	const want = `an error on the server ("unknown") has prevented the request from succeeding`
	if errorText(err) != want {
		t.Errorf("13 MB of YAML: %v", err)
	}
}

// A panic of the webhook is an answer.
func TestHandlerRecovers(t *testing.T) {
	handler := webhook.Handler(conversion.WebhookFunc(
		func(context.Context, []byte) ([]byte, error) { panic("no such pizza") },
	))
	request := httptest.NewRequest(http.MethodPost, "/", strings.NewReader("{}"))
	request.Header.Set("Content-Type", "application/json")
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, request)
	const want = "the conversion panicked: no such pizza\n"
	if recorder.Code != 500 || recorder.Body.String() != want {
		t.Errorf("%d %s", recorder.Code, recorder.Body)
	}
}

// deadlines is a writer that records its deadlines.
type deadlines struct {
	*httptest.ResponseRecorder
	read, write []time.Time
}

func (d *deadlines) SetReadDeadline(at time.Time) error {
	d.read = append(d.read, at)
	return nil
}

func (d *deadlines) SetWriteDeadline(at time.Time) error {
	d.write = append(d.write, at)
	return nil
}

// A request has a deadline until it is read, and an answer has another one. A
// request may be as long as the limit.
func TestHandlerReads(t *testing.T) {
	got := 0
	handler := webhook.Handler(conversion.WebhookFunc(
		func(_ context.Context, text []byte) ([]byte, error) {
			got = len(text)
			return []byte("{}"), nil
		},
	))
	for _, c := range []struct {
		body io.Reader
		code int
		text string
		size int
	}{
		{zeros(webhook.DefaultMaxBytes), 200, "{}", webhook.DefaultMaxBytes},
		{zeros(webhook.DefaultMaxBytes + 1), 413, "http: request body too large\n", 0},
		{iotest.ErrReader(errors.New("broken")), 400, "broken\n", 0},
	} {
		got = 0
		request := httptest.NewRequest(http.MethodPost, "/", c.body)
		request.Header.Set("Content-Type", "application/json")
		w := &deadlines{ResponseRecorder: httptest.NewRecorder()}
		before := time.Now()
		handler.ServeHTTP(w, request)
		if w.Code != c.code || w.Body.String() != c.text || got != c.size {
			t.Errorf("%d %s, %d bytes, want %d %s", w.Code, w.Body, got, c.code, c.text)
		}
		want := 1
		if c.code == 200 {
			want = 2
		}
		if len(w.read) != want || w.read[0].Before(before.Add(webhook.DefaultTimeout)) ||
			want == 2 && !w.read[1].IsZero() || len(w.write) != want-1 ||
			want == 2 && w.write[0].Before(w.read[0]) {
			t.Errorf("%d: deadlines of reading %v, of writing %v", c.code, w.read, w.write)
		}
	}
}

// zeros returns a text of some bytes.
func zeros(size int64) io.Reader {
	return io.LimitReader(zero{}, size)
}

type zero struct{}

func (zero) Read(into []byte) (int, error) { return len(into), nil }

// A request that is sent too slowly is ended. A conversion may take longer.
func TestHandlerDeadline(t *testing.T) {
	const timeout = 100 * time.Millisecond
	slow := conversion.WebhookFunc(func(ctx context.Context, text []byte) ([]byte, error) {
		select {
		case <-time.After(3 * timeout):
			return text, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	})
	server := httptest.NewServer(webhook.HandlerWithin(slow, timeout))
	defer server.Close()
	post := func(body io.Reader) (int, string) {
		response, err := http.Post(server.URL, "application/json", body)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		text, _ := io.ReadAll(response.Body)
		return response.StatusCode, string(text)
	}
	if code, text := post(strings.NewReader("{}")); code != 200 || text != "{}" {
		t.Errorf("a slow conversion: %d %s", code, text)
	}
	never, end := io.Pipe()
	defer end.Close()
	if code, text := post(never); code != http.StatusRequestTimeout {
		t.Errorf("a body that does not come: %d %s", code, text)
	}
}
