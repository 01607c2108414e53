package vendor_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/config"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/vendor"
)

// charts serves a repository of charts, whose archives are on other hosts, too.
func charts(t *testing.T) http.Handler {
	t.Helper()
	archive := tarball(t, entry{"op/crds/a.yaml", crd("as", "")},
		entry{"op/Chart.yaml", "name: op"},
		entry{"op/templates/b.yaml", "{{ if .x }}\n" + crd("bs", "") + "{{ end }}\n"})
	other := tarball(t, entry{"op/crds/c.yaml", crd("cs", "")})
	index := fmt.Sprintf(`apiVersion: v1
entries:
  op:
  - {version: 2.0.0-rc.1, urls: [op-2.tgz]}
  - {version: v1.9.0, urls: [op-1.9.tgz], digest: %s}
  - {version: 1.10.0, urls: ["https://other.example/op.tgz"], digest: "%s"}
  - {version: 1.2.0, urls: ["oci://r.example/o/n:v1"]}
  - {version: 1.1.0, urls: [op-1.9.tgz], digest: %s}
  - {version: 1.0.0, urls: ["http://c.example/op-1.9.tgz"]}
  - {version: 0.9.0, urls: []}
  - {version: 0.8.0, urls: ["%%zz"]}
  - {version: 0.7.0, urls: ["../../../none.tgz"]}
  - {version: ../x, urls: [op-1.9.tgz]}
  pre:
  - {version: 1.0.0-alpha, urls: [op-1.9.tgz]}
`, strings.TrimPrefix(digest(archive), "sha256:"), digest(other),
		strings.TrimPrefix(digest(other), "sha256:"))
	pages := map[string][]byte{
		"c.example/charts/index.yaml": []byte(index), "c.example/charts/op-1.9.tgz": archive,
		"other.example/op.tgz": other, "bad.example/index.yaml": []byte("entries: [\n"),
		"odd.example/index.yaml":   []byte("entries: {op: x}\n"),
		"empty.example/index.yaml": nil, "huge.example/index.yaml": make([]byte, 33<<20),
	}
	registry := site(t)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, ok := pages[r.Host+r.URL.Path]
		if !ok {
			registry.ServeHTTP(w, r)
			return
		}
		_, _ = w.Write(page)
	})
}

// Charts are found in the index of their repository.
func TestCharts(t *testing.T) {
	t.Setenv("NETRC", t.TempDir()+"/none")
	t.Setenv("DOCKER_CONFIG", t.TempDir())
	transport := loopback(t, charts(t))
	const repository = "helm:c.example/charts/"
	for _, c := range []struct{ source, version, name, err string }{
		{source: repository + "op@v1.9.0//crds", name: "as"},
		{source: repository + "op@v1.9.0", name: "as"},
		{source: repository + "op@latest//crds", version: repository + "op@1.10.0//crds", name: "cs"},
		{source: repository + "op@1.2.0//config", name: "as"},
		{source: repository + "op@1.1.0", err: "has not the digest"},
		{source: repository + "op@1.0.0", err: "not an address of HTTPS"},
		{source: repository + "op@0.9.0", err: "has no address"},
		{source: repository + "op@0.8.0", err: "invalid URL escape"},
		{source: repository + "op@0.7.0", err: "404"},
		{source: repository + "op@3.0.0", err: `has no version "3.0.0" of op`},
		{source: repository + "no@3.0.0", err: `has no chart "no"`},
		{source: repository + "pre@latest", err: "no release: name a version"},
		{source: repository + "op", err: "want helm:host/path/chart@version"},
		{source: repository + "op@../x", err: "want helm:"},
		{source: "helm:https://c.example/charts/op@1.9.0", err: "want helm:"},
		{source: "helm:none.example/op@1.0.0", err: "404"},
		{source: "helm:bad.example/op@1.0.0", err: "index.yaml: yaml: "},
		{source: "helm:odd.example/op@1.0.0", err: "index.yaml: yaml: "},
		{source: "helm:empty.example/op@1.0.0", err: `has no chart "op"`},
		{source: "helm:huge.example/op@1.0.0", err: "more than 33554432 bytes"},
	} {
		client := vendor.New(t.TempDir())
		client.SetTransport(transport)
		d := config.Definitions{Sources: []string{c.source}}
		staged, err := client.Stage(t.Context(), d, vendor.Locked)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v, not %q", c.source, err, c.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.source, err)
			continue
		}
		got := staged.Lock.Sources[0]
		if want := c.version; want != "" && got.Version != want || len(got.Definitions) != 1 ||
			got.Definitions[c.name+".example.com"] == "" {
			t.Errorf("%s: %+v", c.source, got)
		}
	}
}
