package live

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"go.opentelemetry.io/otel/trace/noop"
	"k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apiextensions-apiserver/pkg/cmd/server/options"
	generatedopenapi "k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	openapinamer "k8s.io/apiserver/pkg/endpoints/openapi"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/util/openapi"
	"k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
)

// storagePrefix is the prefix of every key that the server writes to etcd.
const storagePrefix = "/registry/crdsem.live"

// apiServer is the real apiextensions API server, running in this process
// behind its real HTTPS front end.
type apiServer struct {
	url    string
	client *http.Client
	etcd   string // the URL of its etcd
	config *rest.Config
}

// startServer starts the server on a free port of loopback, with a given etcd
// and every feature gate at its default. Parts that need a kube-apiserver are
// off: authentication, authorization, admission plugins, priority and fairness.
// The configuration can be changed. The end of the test stops the server.
func startServer(t *testing.T, etcdURL string, change ...func(*apiserver.Config)) *apiServer {
	t.Helper()
	klog.SetLogger(logr.Discard())
	defer discardStderr(t)()
	config, err := serverConfig(t, etcdURL)
	if err != nil {
		t.Fatalf("the API server's configuration: %v", err)
	}
	for _, change := range change {
		change(config)
	}
	server, err := config.Complete().New(genericapiserver.NewEmptyDelegate())
	if err != nil {
		t.Fatalf("the API server: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- server.GenericAPIServer.PrepareRun().RunWithContext(ctx) }()
	t.Cleanup(func() {
		cancel()
		select {
		case err := <-done:
			if err != nil {
				t.Logf("the API server stopped: %v", err)
			}
		case <-time.After(10 * time.Second):
			t.Log("the API server does not stop; the process ends anyway")
		}
	})
	loopback := server.GenericAPIServer.LoopbackClientConfig
	transport, err := rest.TransportFor(&rest.Config{
		Host:               loopback.Host,
		BearerToken:        loopback.BearerToken,
		TLSClientConfig:    loopback.TLSClientConfig,
		DisableCompression: true,
	})
	if err != nil {
		t.Fatalf("the loopback client: %v", err)
	}
	s := &apiServer{
		url:    loopback.Host,
		etcd:   etcdURL,
		config: loopback,
		client: &http.Client{Transport: transport, Timeout: 60 * time.Second},
	}
	s.waitUntilReady(t, done)
	return s
}

// discardStderr discards the errors of everything that starts now. The server
// would log every panic with its stack. The function that it returns ends this.
func discardStderr(t *testing.T) (restore func()) {
	t.Helper()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	stderr := os.Stderr
	os.Stderr = null
	return func() { os.Stderr = stderr }
}

// serverConfig returns the configuration that the server's own command builds,
// without the parts that need a cluster.
func serverConfig(t *testing.T, etcdURL string) (*apiserver.Config, error) {
	o := options.NewCustomResourceDefinitionsServerOptions(io.Discard, io.Discard)
	recommended := o.RecommendedOptions
	recommended.Authentication, recommended.Authorization = nil, nil
	recommended.Admission, recommended.CoreAPI = nil, nil
	recommended.Features.EnablePriorityAndFairness = false
	recommended.Etcd.StorageConfig.Transport.ServerList = []string{etcdURL}
	recommended.Etcd.StorageConfig.Prefix = storagePrefix
	recommended.Etcd.EnableWatchCache = false
	recommended.SecureServing.BindAddress = net.IPv4(127, 0, 0, 1)
	recommended.SecureServing.BindPort = 0
	recommended.SecureServing.ServerCert.CertDirectory = t.TempDir()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	recommended.SecureServing.Listener = listener
	recommended.SecureServing.BindPort = listener.Addr().(*net.TCPAddr).Port
	if err := o.Complete(); err != nil {
		return nil, err
	}
	if err := o.Validate(); err != nil {
		return nil, err
	}
	err = recommended.SecureServing.MaybeDefaultWithSelfSignedCerts("localhost", nil,
		[]net.IP{net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return nil, fmt.Errorf("the serving certificate: %w", err)
	}
	return assemble(o)
}

// assemble applies the options to the server's configuration.
func assemble(o *options.CustomResourceDefinitionsServerOptions) (*apiserver.Config, error) {
	generic := genericapiserver.NewRecommendedConfig(apiserver.Codecs)
	if err := o.ServerRunOptions.ApplyTo(&generic.Config); err != nil {
		return nil, err
	}
	if err := o.RecommendedOptions.ApplyTo(generic); err != nil {
		return nil, err
	}
	err := o.APIEnablement.ApplyTo(&generic.Config, apiserver.DefaultAPIResourceConfigSource(),
		apiserver.Scheme)
	if err != nil {
		return nil, err
	}
	definitions := openapi.GetOpenAPIDefinitionsWithoutDisabledFeatures(
		generatedopenapi.GetOpenAPIDefinitions,
	)
	namer := openapinamer.NewDefinitionNamer(apiserver.Scheme, scheme.Scheme)
	generic.OpenAPIV3Config = genericapiserver.DefaultOpenAPIV3Config(definitions, namer)
	storage := options.NewCRDRESTOptionsGetter(*o.RecommendedOptions.Etcd,
		generic.ResourceTransformers, generic.StorageObjectCountTracker)
	return &apiserver.Config{
		GenericConfig: generic,
		ExtraConfig: apiserver.ExtraConfig{
			CRDRESTOptionsGetter: storage,
			ServiceResolver:      webhook.NewDefaultServiceResolver(),
			AuthResolverWrapper: webhook.NewDefaultAuthenticationInfoResolverWrapper(nil, nil,
				generic.LoopbackClientConfig, noop.NewTracerProvider()),
		},
	}, nil
}

// waitUntilReady requests /readyz until it answers 200.
func (s *apiServer) waitUntilReady(t *testing.T, done <-chan error) {
	t.Helper()
	last := "never asked"
	end := time.Now().Add(serverPatience)
	for ; time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		select {
		case err := <-done:
			t.Fatalf("the API server stopped: %v", err)
		default:
		}
		response, err := s.client.Get(s.url + "/readyz?verbose")
		if err != nil {
			last = err.Error()
			continue
		}
		text, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if response.StatusCode == http.StatusOK {
			return
		}
		last = string(text)
	}
	t.Fatalf("the API server is not ready after %s: %s", serverPatience, last)
}
