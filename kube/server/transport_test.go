package server

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/tools/clientcmd"

	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/definition"
)

// body is the body of a request, which has an end.
type body struct {
	io.Reader
	closed chan struct{}
}

func (b body) Close() error {
	close(b.closed)
	return nil
}

// A round is a request and its answer.
type round struct {
	*http.Response

	sent   *http.Request
	closed chan struct{} // with the body of the request
}

// trip sends a request to a function.
func trip(ctx context.Context, to http.HandlerFunc) (round, error) {
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/a", nil)
	closed := make(chan struct{})
	r.Body = body{strings.NewReader("sent"), closed}
	out := round{sent: r, closed: closed}
	var err error
	out.Response, err = transport{to}.RoundTrip(r) //nolint:bodyclose // the caller reads it
	return out, err
}

// An answer of a handler is that of a server, and the body of the request is
// closed after it.
func TestTransport(t *testing.T) {
	out, err := trip(t.Context(), func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		w.Header().Set("A", "b")
		w.WriteHeader(http.StatusTeapot)
		w.WriteHeader(http.StatusOK) // which is too late
		_, _ = w.Write(text)
		_, _ = w.Write([]byte(" twice"))
	})
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(out.Body)
	if err != nil || string(text) != "sent twice" {
		t.Errorf("%q, %v", text, err)
	}
	<-out.closed
	out.Body = nil
	want := &http.Response{
		Status: "I'm a teapot", StatusCode: 418, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"A": {"b"}}, ContentLength: -1, Request: out.sent,
	}
	if !reflect.DeepEqual(out.Response, want) {
		t.Errorf("%+v, want %+v", out.Response, want)
	}
	out, err = trip(t.Context(), func(http.ResponseWriter, *http.Request) {})
	if err != nil || out.StatusCode != http.StatusOK {
		t.Fatalf("of nothing: %v, %v", out, err)
	}
	<-out.closed
	if text, err := io.ReadAll(out.Body); err != nil || len(text) != 0 {
		t.Errorf("of nothing: %q, %v", text, err)
	}
}

// An answer begins with the header, and ends with the context or its reader.
func TestTransportEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	goOn, written := make(chan struct{}), make(chan error, 1)
	out, err := trip(ctx, func(w http.ResponseWriter, _ *http.Request) {
		w.(http.Flusher).Flush()
		<-goOn
		_, err := w.Write([]byte("a"))
		written <- err
	})
	if err != nil || out.StatusCode != http.StatusOK {
		t.Fatalf("%v, %v", out, err)
	}
	cancel()
	if text, err := io.ReadAll(out.Body); !errors.Is(err, context.Canceled) || len(text) != 0 {
		t.Errorf("after the context: %q, %v", text, err)
	}
	close(goOn)
	if err := <-written; err == nil {
		t.Error("a write after the context")
	}
	out, err = trip(t.Context(), func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusOK)
		_, err := w.Write([]byte("a"))
		written <- err
	})
	if err != nil {
		t.Fatal(err)
	}
	_ = out.Body.Close()
	if err := <-written; err == nil {
		t.Error("a write without a reader")
	}
	ctx, cancel = context.WithCancel(t.Context())
	time.AfterFunc(time.Millisecond, cancel)
	wait := make(chan struct{})
	out, err = trip(ctx, func(http.ResponseWriter, *http.Request) { <-wait })
	if out.Response != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("without a header: %v, %v", out, err)
	}
	close(wait)
	<-out.closed
}

// The certificate of a server is for its address, and for those by which it is
// called on the same machine.
func TestCertify(t *testing.T) {
	for listen, want := range map[string]string{
		":0":               "[localhost kubernetes kubernetes.default.svc] [127.0.0.1 ::1]",
		"127.0.0.1:0":      "[localhost kubernetes kubernetes.default.svc] [127.0.0.1 ::1 127.0.0.1]",
		"10.1.2.3:80":      "[localhost kubernetes kubernetes.default.svc] [127.0.0.1 ::1 10.1.2.3]",
		"api.example.com:": "[localhost kubernetes kubernetes.default.svc api.example.com] [127.0.0.1 ::1]",
	} {
		s := &Server{}
		certificate, err := s.certify(listen)
		if err != nil {
			t.Fatal(err)
		}
		c, err := x509.ParseCertificate(certificate.Certificate[0])
		if err != nil || len(certificate.Certificate) != 1 {
			t.Fatal(err)
		}
		if got := fmt.Sprint(c.DNSNames, " ", c.IPAddresses); got != want {
			t.Errorf("%s: %s, want %s", listen, got, want)
		}
		now, key := time.Now(), certificate.PrivateKey.(*ecdsa.PrivateKey)
		ago, left := now.Sub(c.NotBefore).Round(time.Minute), c.NotAfter.Sub(now).Round(time.Hour)
		if ago != time.Hour || left != 365*24*time.Hour || !key.PublicKey.Equal(c.PublicKey) ||
			c.Subject.CommonName != "crdsem" || c.SerialNumber.Sign() <= 0 || !c.IsCA ||
			!c.BasicConstraintsValid || c.CheckSignatureFrom(c) != nil ||
			c.KeyUsage != x509.KeyUsageDigitalSignature|x509.KeyUsageCertSign ||
			!reflect.DeepEqual(c.ExtKeyUsage, []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}) {
			t.Errorf("%s: %+v", listen, c)
		}
		block, rest := pem.Decode(s.ca)
		if len(rest) != 0 || block.Type != "CERTIFICATE" || !bytes.Equal(block.Bytes, c.Raw) {
			t.Errorf("%s: another authority", listen)
		}
		if len(s.token) != 64 || strings.Trim(s.token, "0") == "" {
			t.Errorf("%s: the token is %s", listen, s.token)
		}
	}
	const bad = "the certificate: address none: missing port in address"
	if _, err := (&Server{}).certify("none"); err == nil || err.Error() != bad {
		t.Errorf("%v, want %s", err, bad)
	}
}

// signed returns a certificate of an authority, nil of one of its own.
func signed(t *testing.T, by *tls.Certificate) *tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IsCA: by == nil,
		BasicConstraintsValid: true, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	parent, signer := template, any(key)
	if by != nil {
		parent, signer = by.Leaf, by.PrivateKey
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signer)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	out := &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}
	if by != nil {
		out.Certificate = append(out.Certificate, by.Certificate...)
	}
	return out
}

// A server has the certificate that it is given, and clients the authority of
// it. Clients with a certificate of an authority need no token.
func TestCertificates(t *testing.T) {
	authority := signed(t, nil)
	pool := x509.NewCertPool()
	pool.AddCert(authority.Leaf)
	given, err := Start(t.Context(), Options{Certificate: signed(t, authority), ClientCAs: pool})
	if err != nil {
		t.Fatal(err)
	}
	own, err := Start(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	block, _ := pem.Decode(given.ca)
	if !bytes.Equal(block.Bytes, authority.Leaf.Raw) || block.Type != "CERTIFICATE" {
		t.Error("the authority is not that of the certificate")
	}
	other := signed(t, nil)
	for _, test := range []struct {
		of          *Server
		certificate *tls.Certificate
		token       string
		code        int
	}{
		{given, nil, "", 401}, {given, nil, "x", 401}, {given, nil, given.token, 200},
		{given, signed(t, authority), "", 200}, {given, other, given.token, 0},
		{own, nil, "", 401}, {own, nil, own.token, 200}, {own, signed(t, authority), "", 401},
	} {
		config := &tls.Config{RootCAs: x509.NewCertPool()}
		config.RootCAs.AppendCertsFromPEM(test.of.ca)
		if test.certificate != nil {
			config.Certificates = []tls.Certificate{*test.certificate}
		}
		by := &http.Client{Transport: &http.Transport{TLSClientConfig: config}}
		r := httptest.NewRequestWithContext(t.Context(), "GET",
			test.of.Config().Host+"/version", nil)
		r.RequestURI = ""
		r.Header.Set("Authorization", "Bearer "+test.token)
		out, err := by.Do(r)
		if (err == nil) != (test.code != 0) || err == nil && out.StatusCode != test.code {
			t.Errorf("%+v: %v, %v", test, out, err)
		}
		if err == nil {
			_ = out.Body.Close()
		}
		by.CloseIdleConnections()
	}
	if err := errors.Join(given.Stop(), own.Stop()); err != nil {
		t.Error(err)
	}
}

// What clients without a token get, and the configurations of those with one.
func TestClients(t *testing.T) {
	s := &Server{address: "127.0.0.1:7", token: "t", ca: []byte("ca")}
	for path, want := range map[string]string{
		"/healthz": "200 text/plain; charset=utf-8 ok", "/livez/ping": "200 text/plain; charset=utf-8 ok",
		"/version": `401 application/json {"kind":"Status","apiVersion":"v1","metadata":{},` +
			`"status":"Failure","message":"Unauthorized","reason":"Unauthorized","code":401}` + "\n",
	} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", path, nil))
		out := w.Result()
		text, _ := io.ReadAll(out.Body)
		got := fmt.Sprint(out.StatusCode, " ", out.Header.Get("Content-Type"), " ", string(text))
		if got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	text, err := s.Kubeconfig()
	if err != nil {
		t.Fatal(err)
	}
	config, err := clientcmd.RESTConfigFromKubeConfig(text)
	if err != nil {
		t.Fatal(err)
	}
	if config.QPS = -1; !reflect.DeepEqual(config, s.Config()) || config.BearerToken != "t" ||
		config.Host != "https://127.0.0.1:7" || string(config.CAData) != "ca" {
		t.Errorf("%+v", config)
	}
}

// A server that cannot start says why.
func TestStartFails(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	for want, o := range map[string]Options{
		"address none: missing port":                 {Listen: "none"},
		"listen tcp " + taken.Addr().String() + ": ": {Listen: taken.Addr().String()},
		"open none.yaml: ":                           {Definitions: []string{"none.yaml"}},
		"read .: is a directory":                     {Data: "."},
	} {
		if s, err := Start(t.Context(), o); s != nil || err == nil ||
			!strings.Contains(err.Error(), strings.TrimPrefix(want, "open ")) {
			t.Errorf("%v, %v, want %s", s, err, want)
		}
	}
}

// The webhook of a definition is a service at its name, or where a function
// finds it. Without a webhook, a call fails.
func TestConversionHook(t *testing.T) {
	s := conversion.Service{Namespace: "n", Name: "s", Port: 8443}
	h := &conversionHook{}
	if got, err := h.address(t.Context(), s); got != "s.n.svc:8443" || err != nil {
		t.Errorf("%s, %v", got, err)
	}
	none := errors.New("none")
	h.resolve = func(_ context.Context, namespace, name string, port int32) (string, error) {
		return fmt.Sprint(namespace, " ", name, " ", port), none
	}
	if got, err := h.address(t.Context(), s); got != "n s 8443" || err != none {
		t.Errorf("%s, %v", got, err)
	}
	crd, _, err := definition.Parse([]byte(`{"apiVersion":"apiextensions.k8s.io/v1",
		"kind":"CustomResourceDefinition","metadata":{"name":"as.g.io"},"spec":{"group":"g.io",
		"scope":"Cluster","names":{"plural":"as","kind":"A"},"versions":[{"name":"v1","served":true,
		"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	if h.of, err = definition.Compile(crd); err != nil {
		t.Fatal(err)
	}
	const without = "as.g.io has no conversion webhook"
	if out, err := h.Call(t.Context(), nil); out != nil || err == nil || err.Error() != without {
		t.Errorf("%s, %v, want %s", out, err, without)
	}
	h.close()
	(*conversionHook)(nil).close()
}
