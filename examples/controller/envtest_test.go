package controller

import (
	"os"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// TestEnvtest is TestReconcile with a real API server. It needs the programs
// kube-apiserver and etcd in the folder KUBEBUILDER_ASSETS:
//
//	KUBEBUILDER_ASSETS=$(setup-envtest use -p path) go test -v .
func TestEnvtest(t *testing.T) {
	if os.Getenv("KUBEBUILDER_ASSETS") == "" {
		t.Skip("set KUBEBUILDER_ASSETS") // an example does not fetch programs of 100 MB
	}
	environment := &envtest.Environment{
		CRDDirectoryPaths:     []string{"../rules"},
		ErrorIfCRDPathMissing: true,
	}
	config, err := environment.Start()
	must(t, err)
	defer func() { must(t, environment.Stop()) }()
	c, err := client.New(config, client.Options{Scheme: newScheme(t)})
	must(t, err)
	testReconcile(t, c)
}
