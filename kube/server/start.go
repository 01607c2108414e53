package server

import (
	"bufio"
	"cmp"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/subtle"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	mathrand "math/rand/v2"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/kube/server/internal/storage"
	"github.com/crdsem/crdsem/minors"
)

// Options say how a server is started.
type Options struct {
	// Definitions are files and folders with definitions that are installed.
	Definitions []string
	// Kubernetes is the minor whose server answers; the newest without one.
	Kubernetes minors.Minor
	// Listen is the address, by default a free port of 127.0.0.1. An address
	// without a host, e.g. :8443, is one of 127.0.0.1.
	Listen string
	// Resolve finds the address of a webhook that is a service, as host:port.
	// Without it the name of the service is looked up.
	Resolve func(ctx context.Context, namespace, name string, port int32) (string, error)
	// Data is a file that the objects are read from, if it exists, and written
	// to by [Server.Stop]. Without it they end with the server. The file is
	// this server's as long as it runs: a second one does not start.
	Data string
	// DataEvery is how often the file is written meanwhile, if anything was.
	// Without it a server that is killed loses what was written since its
	// start, and otherwise what was written since then.
	DataEvery time.Duration
	// MaxInFlight is how many requests are answered at the same time, watches
	// not counted; the default is 400. Others have to come again.
	MaxInFlight int
	// CollectGarbage deletes objects whose owners are gone, and what is in a
	// namespace that is deleted. Like envtest, a server does not without it.
	CollectGarbage bool
	// MaxObjectBytes is how large an object can be as JSON. The default is
	// etcd's, 1.5 MiB. MaxStoredBytes is how large all objects can be together,
	// by default 2 GiB, and MaxHistoryBytes how much of their past states is
	// kept for watches and pages, by default 64 MiB: a client that asks for
	// what was before that gets 410 Gone.
	MaxObjectBytes, MaxStoredBytes, MaxHistoryBytes int64
	// NoValidationWarnings leaves out the warning that the first write of a
	// built-in kind has if a cluster validates the kind by more rules.
	NoValidationWarnings bool
	// Now returns the time of a request, by default time.Now.
	Now func() time.Time
	// CBOR serves CBOR, too, as with the gate CBORServingAndStorage, which a
	// server has off.
	CBOR bool
	// Certificate is that of the server, by default one that it makes, and
	// ClientCAs are the authorities of clients that need no token.
	Certificate *tls.Certificate
	ClientCAs   *x509.CertPool

	deadlines deadlines // those of the server without others; for tests
}

// Server is an API server that listens. It comes from [Start].
type Server struct {
	cluster *cluster
	http    *http.Server
	cancel  context.CancelFunc
	address string
	ca      []byte // in PEM
	token   string
	data    string
	lock    *os.File   // of data, nil without it
	mu      sync.Mutex // guards stopped, and additions to active
	stopped bool
	active  sync.WaitGroup // requests, and the collector
	done    chan error
}

// Start starts a server that answers clients with its token over TLS, until
// its context ends or [Server.Stop] is called.
func Start(ctx context.Context, o Options) (*Server, error) {
	if o.Kubernetes == "" {
		o.Kubernetes = minors.Newest()
	}
	listen, err := onLoopback(o.Listen)
	if err != nil {
		return nil, err
	}
	o.Listen = listen
	c, err := newCluster(o.Kubernetes, o.Resolve)
	if err != nil {
		return nil, err
	}
	c.cbor, c.Now, c.quiet = o.CBOR, o.Now, o.NoValidationWarnings
	c.collects = o.CollectGarbage
	c.slots = make(chan struct{}, cmp.Or(o.MaxInFlight, 400))
	c.deadlines = cmp.Or(o.deadlines, serverDeadlines)
	c.store.Limits = storage.Limits{
		Object:  cmp.Or(o.MaxObjectBytes, storage.DefaultLimits.Object),
		Objects: cmp.Or(o.MaxStoredBytes, storage.DefaultLimits.Objects),
		History: cmp.Or(o.MaxHistoryBytes, storage.DefaultLimits.History),
	}
	// A uid is never that of another start.
	c.random = mathrand.New(mathrand.NewPCG(mathrand.Uint64(), mathrand.Uint64()))
	s := &Server{cluster: c, data: o.Data, done: make(chan error, 1)}
	if err := s.listen(ctx, o); err != nil {
		return nil, errors.Join(err, s.unlock())
	}
	return s, nil
}

// onLoopback returns an address to listen on: a free port and the loopback
// interface, where the other names none.
func onLoopback(address string) (string, error) {
	host, port, err := net.SplitHostPort(cmp.Or(address, ":0"))
	if err != nil {
		return "", err
	}
	return net.JoinHostPort(cmp.Or(host, "127.0.0.1"), port), nil
}

// addressOf returns an address that clients on this machine can use: one of all
// interfaces is none, and the certificate does not have it.
func addressOf(of net.Addr) string {
	host, port, err := net.SplitHostPort(of.String())
	if ip := net.ParseIP(host); err == nil && ip != nil && ip.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", port)
	}
	return of.String()
}

// unlock gives the file of the server free for others.
func (s *Server) unlock() error {
	if s.lock == nil {
		return nil
	}
	return s.lock.Close()
}

// listen reads what the server begins with and starts to answer.
func (s *Server) listen(ctx context.Context, o Options) (err error) {
	c := s.cluster
	if s.data != "" {
		if s.lock, err = lockData(s.data); err != nil {
			return err
		}
	}
	if err := c.fill(ctx, o); err != nil {
		return err
	}
	certificate, err := s.certify(o.Listen)
	if err != nil {
		return err
	}
	if o.Certificate != nil {
		certificate = *o.Certificate
		s.ca = pem.EncodeToMemory(&pem.Block{
			Type: "CERTIFICATE", Bytes: certificate.Certificate[len(certificate.Certificate)-1],
		})
	}
	listener, err := net.Listen("tcp", o.Listen)
	if err != nil {
		return err
	}
	s.address = addressOf(listener.Addr())
	// Watches end with the context, too.
	running, cancel := context.WithCancel(ctx)
	s.cancel = cancel
	s.http = &http.Server{
		Handler:           s,
		ReadHeaderTimeout: c.deadlines.header, IdleTimeout: c.deadlines.idle,
		BaseContext: func(net.Listener) context.Context { return running },
		ErrorLog:    log.New(io.Discard, "", 0),
		TLSConfig: &tls.Config{
			Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12,
			ClientCAs: o.ClientCAs, ClientAuth: clientAuth(o.ClientCAs),
		},
	}
	go func() {
		defer cancel()
		s.done <- s.http.ServeTLS(listener, "", "")
	}()
	context.AfterFunc(running, func() { _ = s.http.Close() })
	if o.CollectGarbage {
		s.active.Go(func() { c.collect(running) })
	}
	if o.DataEvery > 0 && o.Data != "" {
		s.active.Go(func() { c.saveEvery(running, o.DataEvery, o.Data) })
	}
	return nil
}

// fill stores the objects that a server begins with.
func (c *cluster) fill(ctx context.Context, o Options) error {
	var given []map[string]any
	for object, err := range manifest.Definitions(o.Definitions, nil) {
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		given = append(given, object.Content)
	}
	if err := c.restore(ctx, o.Data); err != nil {
		return err
	}
	return c.load(ctx, given)
}

// Stop ends the server and its watches, waits until no request is answered any
// more, and writes [Options.Data]. It fails if that cannot be written.
func (s *Server) Stop() error {
	s.mu.Lock()
	s.stopped = true
	s.mu.Unlock()
	s.cancel()
	err := s.http.Close()
	s.active.Wait()
	s.cluster.close()
	if s.data != "" {
		err = errors.Join(err, s.cluster.save(s.data), s.unlock())
	}
	if ended := <-s.done; !errors.Is(ended, http.ErrServerClosed) {
		err = errors.Join(err, ended)
	}
	return err
}

// clientAuth asks for certificates that an authority has signed, if there are
// authorities.
func clientAuth(of *x509.CertPool) tls.ClientAuthType {
	if of == nil {
		return tls.NoClientCert
	}
	return tls.VerifyClientCertIfGiven
}

// isCertified reports whether a client has a certificate that was verified.
func isCertified(r *http.Request) bool { return r.TLS != nil && len(r.TLS.VerifiedChains) > 0 }

// ServeHTTP answers clients that have the token or a certificate.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	limitBody(w, r, time.Now().Add(serverDeadlines.body))
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		token = ""
	}
	switch {
	case isHealth(r.URL.Path):
		writeText(w, "ok")
	case !isCertified(r) && subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) != 1:
		writeJSON(w, http.StatusUnauthorized, &metav1.Status{
			TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: "Failure",
			Message: "Unauthorized", Reason: "Unauthorized", Code: http.StatusUnauthorized,
		})
	default:
		s.serve(w, r)
	}
}

// serve answers a request.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	if s.stopped {
		s.mu.Unlock()
		http.Error(w, "the server is stopping", http.StatusServiceUnavailable)
		return
	}
	s.active.Add(1)
	s.mu.Unlock()
	defer s.active.Done()
	s.cluster.ServeHTTP(w, r)
}

// Config returns the configuration of a client with all rights.
func (s *Server) Config() *rest.Config {
	return &rest.Config{
		Host: "https://" + s.address, BearerToken: s.token, QPS: -1,
		TLSClientConfig: rest.TLSClientConfig{CAData: s.ca},
	}
}

// Kubeconfig returns the configuration as a file for kubectl.
func (s *Server) Kubeconfig() ([]byte, error) {
	const name = "crdsem"
	c := clientcmdapi.NewConfig()
	c.Clusters[name] = &clientcmdapi.Cluster{
		Server: "https://" + s.address, CertificateAuthorityData: s.ca,
	}
	c.AuthInfos[name] = &clientcmdapi.AuthInfo{Token: s.token}
	c.Contexts[name] = &clientcmdapi.Context{Cluster: name, AuthInfo: name}
	c.CurrentContext = name
	return clientcmd.Write(*c)
}

// WriteKubeconfig writes [Server.Kubeconfig] to a file that only its owner can
// read. What was there under the name, a link too, is replaced and not changed.
func (s *Server) WriteKubeconfig(path string) error {
	text, err := s.Kubeconfig()
	if err != nil {
		return err
	}
	return writeWhole(path, func(out *bufio.Writer) error {
		_, err := out.Write(text)
		return err
	})
}

// certify makes the certificate of the server, which signs itself, and a token.
func (s *Server) certify(listen string) (tls.Certificate, error) {
	fail := func(err error) (tls.Certificate, error) {
		return tls.Certificate{}, fmt.Errorf("the certificate: %w", err)
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return fail(err)
	}
	host, _, err := net.SplitHostPort(listen)
	if err != nil {
		return fail(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: "crdsem"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(365 * 24 * time.Hour),
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		IsCA:        true, BasicConstraintsValid: true,
		DNSNames: []string{"localhost", "kubernetes", "kubernetes.default.svc"},
	}
	for _, address := range []string{"127.0.0.1", "::1", host} {
		if ip := net.ParseIP(address); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else if address != "" {
			template.DNSNames = append(template.DNSNames, address)
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return fail(err)
	}
	secret := make([]byte, 32)
	if _, err := rand.Read(secret); err != nil {
		return fail(err)
	}
	s.token = hex.EncodeToString(secret)
	s.ca = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, nil
}
