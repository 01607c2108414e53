package server_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/crdsem/crdsem/internal/test/contexts"
	"github.com/crdsem/crdsem/kube/server"
)

// Every exported function of the module that takes a context ends with it.
func TestEverythingEndsWithItsContext(t *testing.T) {
	contexts.Run(t, ".", map[string]func(context.Context){". Start": start(t)})
}

// start returns a row: a server starts with a hostile definition.
func start(t *testing.T) func(context.Context) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "crd.json")
	if err := os.WriteFile(file, []byte(contexts.Definition(300)), 0o600); err != nil {
		t.Fatal(err)
	}
	return func(ctx context.Context) {
		s, err := server.Start(ctx, server.Options{Definitions: []string{file}})
		if err == nil {
			err = s.Stop()
		}
		if err == nil {
			t.Error("the definition is installed")
		}
	}
}
