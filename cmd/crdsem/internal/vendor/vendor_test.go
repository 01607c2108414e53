package vendor_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/config"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/engine"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/program"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/vendor"
	"github.com/crdsem/crdsem/internal/test/contexts"
)

// crd returns a definition.
func crd(plural, extra string) string {
	return fmt.Sprintf(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: %s.example.com
spec:
  group: example.com%s
`, plural, extra)
}

// loopback returns a transport for which a server is every host.
func loopback(t *testing.T, handler http.Handler) *http.Transport {
	t.Helper()
	server := httptest.NewTLSServer(handler)
	t.Cleanup(server.Close)
	transport := server.Client().Transport.(*http.Transport).Clone()
	transport.TLSClientConfig.InsecureSkipVerify = true // any host
	transport.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, server.Listener.Addr().String())
	}
	return transport
}

func digest(data []byte) string {
	hash := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(hash[:])
}

// site serves a forge, releases and a registry that wants a token.
func site(t *testing.T) http.Handler {
	archive := tarball(t, entry{"name-1.0/config/a.yaml", crd("as", "")},
		entry{"name-1.0/config/README.md", "CustomResourceDefinition"},
		entry{"name-1.0/test/b.yaml", crd("bs", "")})
	manifest := fmt.Appendf(nil, `{"schemaVersion":2,"layers":[
		{"mediaType":"application/vnd.cncf.helm.chart.content.v1.tar+gzip","digest":%q},
		{"mediaType":"application/vnd.cncf.helm.chart.provenance.v1.prov","digest":"x"}]}`,
		digest(archive))
	bad := []byte(`{"layers":[{"digest":"` + digest([]byte("x")) + `"}]}`)
	pages := map[string][]byte{
		"github.com/o/n/archive/refs/tags/v1.tar.gz":        archive,
		"github.com/o/n/releases/tag/v1":                    nil,
		"github.com/o/n/releases/download/v1/crds.yaml":     []byte(crd("cs", "")),
		"codeberg.org/o/n/archive/v1.tar.gz":                archive,
		"gitlab.com/o/n/-/archive/v1/archive.tar.gz":        archive,
		"r.example/token":                                   []byte(`{"token":"secret"}`),
		"r.example/v2/o/n/manifests/v1":                     manifest,
		"r.example/v2/o/n/manifests/" + digest(manifest):    manifest,
		"r.example/v2/o/n/manifests/bad":                    bad,
		"r.example/v2/o/n/manifests/" + digest(bad):         bad,
		"r.example/v2/o/n/blobs/" + digest(archive):         archive,
		"r.example/v2/o/n/blobs/" + digest([]byte("x")):     archive,
		"r.example/v2/o/n/manifests/" + digest([]byte("z")): manifest,
		"e.example/big.yaml":                                []byte(strings.Repeat("a", 1<<20)),
		"e.example/template.yaml":                           []byte("{{ if .a }}\n" + crd("ds", "")),
		"e.example/none.yaml":                               []byte("a: b"),
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, ok := pages[r.Host+r.URL.Path]
		switch {
		case strings.HasPrefix(r.URL.Path, "/v2/") &&
			r.Header.Get("Authorization") != "Bearer secret":
			w.Header().Set("WWW-Authenticate", `Bearer realm="https://r.example/token",service="s"`)
			w.WriteHeader(http.StatusUnauthorized)
		case r.URL.Path == "/o/n/releases/latest":
			http.Redirect(w, r, "/o/n/releases/tag/v1", http.StatusFound)
		case r.URL.Path == "/plain":
			http.Redirect(w, r, "http://e.example/none.yaml", http.StatusFound)
		case r.URL.Path == "/round":
			http.Redirect(w, r, "/round", http.StatusFound)
		case !ok:
			http.NotFound(w, r)
		default:
			_, _ = w.Write(page)
		}
	})
}

func TestSources(t *testing.T) {
	transport := loopback(t, site(t))
	for _, c := range []struct{ source, version, names, err string }{
		{source: "github:o/n@v1//config", names: "as"},
		{
			source:  "github:o/n@latest//config/a.yaml",
			version: "github:o/n@v1//config/a.yaml", names: "as",
		},
		{source: "github:o/n@v1", names: "as bs"},
		{source: "codeberg:o/n@v1//config", names: "as"},
		{source: "gitlab:o/n@v1//config", names: "as"},
		{source: "github:o/n@v2//config", err: "404"},
		{source: "github:o/n@v1//nothing", err: "no YAML or JSON file at nothing"},
		{
			source:  "https://github.com/o/n/releases/latest/download/crds.yaml",
			version: "https://github.com/o/n/releases/download/v1/crds.yaml", names: "cs",
		},
		{
			source:  "oci://r.example/o/n:v1//config",
			version: "oci://r.example/o/n@sha256:", names: "as",
		},
		{source: "oci://r.example/o/n:bad", err: "has not the digest"},
		{source: "oci://r.example/o/n@" + digest([]byte("z")), err: "the manifest has the digest"},
		{source: "https://e.example/big.yaml", err: "more than 65536 bytes"},
		{source: "https://e.example/template.yaml", err: "helm template"},
		{source: "https://e.example/none.yaml", err: "no CustomResourceDefinition"},
		{source: "https://e.example/none.yaml//a", err: "no tar.gz or zip archive"},
		{source: "https://e.example/plain", err: "not HTTPS"},
		{source: "https://e.example/round", err: "more than 5 redirects"},
		{source: "http://e.example/a.yaml", err: "use https://"},
		{source: "none", err: "no such file"},
	} {
		client := vendor.New(t.TempDir())
		client.SetTransport(transport)
		client.SetLimits(1<<16, 1<<16, 1<<16, 10)
		d := config.Definitions{Sources: []string{c.source}}
		staged, err := client.Stage(t.Context(), d, vendor.Locked)
		if c.err != "" {
			left, _ := os.ReadDir(client.Dir)
			if err == nil || !strings.Contains(err.Error(), c.err) || len(left) > 0 {
				t.Errorf("%s: %v, not %q; %v", c.source, err, c.err, left)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.source, err)
			continue
		}
		got := staged.Lock.Sources[0]
		if c.version == "" {
			c.version = c.source
		}
		if !strings.HasPrefix(got.Version, c.version) {
			t.Errorf("%s is %s, not %s", c.source, got.Version, c.version)
		}
		for name := range strings.FieldsSeq(c.names) {
			text, err := os.ReadFile(filepath.Join(staged.Folder, name+".example.com.yaml"))
			if err != nil || string(text) != crd(name, "") {
				t.Errorf("%s: %s: %v\n%s", c.source, name, err, text)
			}
		}
		if len(got.Definitions) != len(strings.Fields(c.names)) {
			t.Errorf("%s: %v, not %s", c.source, got.Definitions, c.names)
		}
	}
}

func TestSourceTexts(t *testing.T) {
	for text, isFine := range map[string]bool{
		"github:o/n@v1//a": true, "github:o/n": false, "github:o/n@../x": false, "github:o@v1": false,
		"github:o/n@v1//../a": false, "github:o/n@v1///a": false, "oci://r/a:v1": true,
		"oci://r:5000/a/b:v1//x": true, "oci://r/a": false, "oci:r/a:v1": false, "cluster": true,
		"cluster:kind-a": true, "": false, "../crds": true, "ftp://a/b": false, "https://": false,
		"github:o/n@sub/v1": true, "github:o/n?x@v1": false, "https://a/b.tgz//c": true,
	} {
		got, err := vendor.Normal(text)
		if (err == nil) != isFine || isFine && got != text {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}

func TestPublishers(t *testing.T) {
	if len(vendor.Publishers()) < 80 {
		t.Errorf("only %d names", len(vendor.Publishers()))
	}
	for name, source := range vendor.Publishers() {
		if got, err := vendor.Normal(source); err != nil || got != source {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	for _, c := range [][3]string{
		{"cert-manager.io", "Certificate", "github:cert-manager/"},
		{"argoproj.io", "Rollout", "github:argoproj/argo-rollouts@"},
		{"argoproj.io", "Application", "github:argoproj/argo-cd@"},
	} {
		if got := vendor.Publisher(c[0], c[1]); !strings.HasPrefix(got, c[2]) {
			t.Errorf("%s of %s: %q", c[1], c[0], got)
		}
	}
	if got := vendor.Publisher("example.com", "A"); got != "" {
		t.Errorf("example.com: %q", got)
	}
}

// A folder is replaced whole, and only one that was written before.
func TestFolder(t *testing.T) {
	client := vendor.New(t.TempDir())
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(client.Dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	do := func(mode vendor.Mode, d config.Definitions) error {
		staged, err := client.Stage(t.Context(), d, mode)
		if err != nil {
			return err
		}
		return staged.Commit()
	}
	d := config.Definitions{Folder: "out", Sources: []string{"a", "b.yaml"}}
	write("a/a.yaml", crd("as", ""))
	write("b.yaml", crd("bs", ""))
	for _, step := range []struct {
		name    string
		prepare func()
		mode    vendor.Mode
		err     string // of Stage, or of Check if it is not asked for
		check   string
	}{
		{name: "new"},
		{name: "again"},
		{name: "locked", prepare: func() { write("b.yaml", crd("bs", " # 2")) }},
		{
			name: "edited", prepare: func() { write("out/bs.example.com.yaml", "a: b") },
			err: "differs from the lock file", check: "bs.example.com.yaml differs",
		},
		{name: "update", mode: vendor.Update},
		{
			name: "other sources", prepare: func() { d.Sources = d.Sources[:1] },
		},
		{
			name: "same twice", prepare: func() { d.Sources = []string{"a", "a/a.yaml"} },
			err: "also comes from a", check: "other sources",
		},
		{
			name: "own file", prepare: func() { write("out/own.yaml", "a: b") },
			err: "own.yaml", check: "own.yaml",
		},
		{
			name: "own folder", prepare: func() { d.Folder = "a" },
			err: "was not written by crdsem vendor", check: "was not written",
		},
		{
			name: "outside", prepare: func() { d.Folder = "../a" },
			err: "not below", check: "not below",
		},
		{
			name: "lock", err: "c/crdsem.lock", check: "crdsem.lock",
			prepare: func() { d.Folder = "c"; write("c/crdsem.lock", "a: b") },
		},
		{
			name: "lock with a path", err: "no name", check: "no name",
			prepare: func() { write("c/crdsem.lock", "sources: [{source: a, definitions: {../a: b}}]") },
		},
	} {
		if step.prepare != nil {
			step.prepare()
		}
		check := client.Check(d)
		err := do(step.mode, d)
		if step.err == "" {
			if err == nil {
				err = client.Check(d)
			}
			if err != nil {
				t.Errorf("%s: %v", step.name, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), step.err) {
			t.Errorf("%s: %v, not %q", step.name, err, step.err)
		}
		if check == nil || !strings.Contains(check.Error(), step.check) {
			t.Errorf("%s: Check: %v, not %q", step.name, check, step.check)
		}
	}
	left, _ := filepath.Glob(filepath.Join(client.Dir, ".crdsem-*"))
	if len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// Every exported function of the command's packages that takes a context ends
// with it: here the source does not answer.
func TestEverythingEndsWithItsContext(t *testing.T) {
	waits := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	c := vendor.New(t.TempDir())
	c.SetTransport(loopback(t, waits))
	from := config.Definitions{Sources: []string{"https://e.example/a.yaml"}}
	waiting := filepath.Join(t.TempDir(), "kustomize")
	if err := os.WriteFile(waiting, []byte("#!/bin/sh\nexec sleep 60\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(waiting, 0o755); err != nil {
		t.Fatal(err)
	}
	overlay := t.TempDir()
	file := filepath.Join(overlay, "kustomization.yaml")
	if err := os.WriteFile(file, []byte("resources: []\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	discard := engine.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}
	contexts.Run(t, "..", map[string]func(context.Context){
		"engine Engine.Run": func(ctx context.Context) {
			e := engine.Engine{Config: &config.File{}, Inputs: engine.Inputs{
				Kustomize: []string{overlay}, KustomizeProgram: waiting,
			}}
			if outcome, err := e.Run(ctx, nil, discard); err == nil && outcome == engine.Accepted {
				t.Error("the engine says that what it did not read is accepted")
			}
		},
		"vendor Client.Stage": func(ctx context.Context) {
			if _, err := c.Stage(ctx, from, vendor.Update); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%v", err)
			}
		},
		"program Limits.Run": func(ctx context.Context) {
			limits := program.Limits{Time: time.Minute, Output: 1}
			if _, err := limits.Run(ctx, "sleep", "60"); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%v", err)
			}
		},
		"program Helm.Render": func(ctx context.Context) {
			if _, err := program.Helm(waiting).Render(ctx, overlay); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%v", err)
			}
		},
		"program Kustomize.Render": func(ctx context.Context) {
			_, _, err := program.Kustomize(waiting).Render(ctx, t.TempDir())
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%v", err)
			}
		},
	})
}

// All sources that fail are named, and nothing is written.
func TestFailedSources(t *testing.T) {
	client := vendor.New(t.TempDir())
	local := filepath.Join(client.Dir, "local.yaml")
	if err := os.WriteFile(local, []byte(crd("as", "")), 0o644); err != nil {
		t.Fatal(err)
	}
	d := config.Definitions{Sources: []string{"none", "local.yaml", "neither"}}
	_, err := client.Stage(t.Context(), d, vendor.Locked)
	left, _ := os.ReadDir(client.Dir)
	if err == nil || len(left) != 1 || !strings.Contains(err.Error(), "none: ") ||
		!strings.Contains(err.Error(), "neither: ") || strings.Contains(err.Error(), "local") {
		t.Errorf("%v, %v", err, left)
	}
}
