//go:build unix

package vendor_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/config"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/vendor"
)

// startRegistry starts the registry of the CNCF's distribution, which knows one
// user, and returns its address.
func startRegistry(t *testing.T) string {
	t.Helper()
	program, err := exec.LookPath("docker-registry")
	if err != nil && os.Getenv("CI") == "" {
		t.Skip("docker-registry is not installed") // users of the Go module need none; CI has it
	} else if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	_ = listener.Close()
	folder := t.TempDir()
	settings := fmt.Sprintf("version: 0.1\nlog: {level: error}\nhttp: {addr: %q}\n"+
		"storage: {filesystem: {rootdirectory: %q}}\nauth: {htpasswd: {realm: r, path: %q}}\n",
		address, folder, filepath.Join(folder, "users"))
	for name, text := range map[string]string{
		"config.yml": settings,
		"users":      "ali:$2a$05$xLsK.ePBh.ZEMH.I5T9WYun0.NFlvGQixjQMd2LYnZzuuyULzatvC\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cmd := exec.CommandContext(ctx, program, "serve", filepath.Join(folder, "config.yml"))
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = cmd.Wait() // it was killed
		if t.Failed() {
			t.Log(out.String())
		}
	})
	for range 200 {
		if conn, err := net.Dial("tcp", address); err == nil {
			_ = conn.Close()
			return address
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("the registry does not listen")
	return ""
}

// pusher pushes to a repository of a registry.
type pusher struct {
	*testing.T
	repository string // its address
}

// send sends a request and returns the header Location of the answer.
func (p pusher) send(method, address, mediaType string, body []byte) string {
	p.Helper()
	request, err := http.NewRequestWithContext(p.Context(), method, address, bytes.NewReader(body))
	if err != nil {
		p.Fatal(err)
	}
	request.SetBasicAuth("ali", password)
	request.Header.Set("Content-Type", mediaType)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		p.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode >= http.StatusBadRequest {
		p.Fatalf("%s %s: %s", method, address, response.Status)
	}
	return response.Header.Get("Location")
}

// layer pushes a blob and returns how a manifest names it.
func (p pusher) layer(mediaType string, data []byte) string {
	p.Helper()
	at := p.send(http.MethodPost, p.repository+"/blobs/uploads/", "", nil)
	p.send(http.MethodPut, at+"&digest="+digest(data), "application/octet-stream", data)
	return fmt.Sprintf(`{"mediaType":%q,"digest":%q,"size":%d}`, mediaType, digest(data), len(data))
}

// A chart in a real registry is read by its tag, and then by its digest, even
// if the tag has moved.
func TestRegistry(t *testing.T) {
	address := startRegistry(t)
	push := pusher{t, "http://" + address + "/v2/charts/op"}
	tag := func(plural string) {
		chart := tarball(t, entry{"op/crds/a.yaml", crd(plural, "")},
			entry{"op/Chart.yaml", "name: op\n"})
		const manifest = "application/vnd.oci.image.manifest.v1+json"
		push.send(http.MethodPut, push.repository+"/manifests/1.0.0", manifest, fmt.Appendf(nil,
			`{"schemaVersion":2,"mediaType":%q,"config":%s,"layers":[%s]}`, manifest,
			push.layer("application/vnd.cncf.helm.config.v1+json", []byte(`{"name":"op"}`)),
			push.layer("application/vnd.cncf.helm.chart.content.v1.tar+gzip", chart)))
	}
	tag("as")
	auth := base64.StdEncoding.EncodeToString([]byte("ali:" + password))
	d := config.Definitions{Sources: []string{"oci://charts.example/charts/op:1.0.0//crds"}}
	client := vendor.New(t.TempDir())
	client.SetTransport(loopback(t, httputil.NewSingleHostReverseProxy(
		&url.URL{Scheme: "http", Host: address})))
	writeLogins(t, "", "")
	if _, err := client.Stage(t.Context(), d, vendor.Locked); err == nil ||
		!strings.Contains(err.Error(), "401: log in") {
		t.Errorf("without a login: %v", err)
	}
	writeLogins(t, "", `{"auths": {"charts.example": {"auth": "`+auth+`"}}}`)
	for _, step := range []struct {
		mode   vendor.Mode
		moved  bool
		plural string
	}{{vendor.Locked, false, "as"}, {vendor.Locked, true, "as"}, {vendor.Update, false, "bs"}} {
		if step.moved {
			tag("bs")
		}
		staged, err := client.Stage(t.Context(), d, step.mode)
		if err != nil {
			t.Fatal(err)
		}
		if err := staged.Commit(); err != nil {
			t.Fatal(err)
		}
		all := staged.Lock.Sources[0].Definitions
		if len(all) != 1 || all[step.plural+".example.com"] == "" {
			t.Errorf("%+v: %v", step, all)
		}
		if file := filepath.Join(staged.Target, step.plural+".example.com.yaml"); step.moved {
			if err := os.Remove(file); err != nil { // it is read again, by its digest
				t.Fatal(err)
			}
			again, err := client.Stage(t.Context(), d, vendor.Locked)
			if err != nil {
				t.Fatal(err)
			}
			again.Discard()
		}
	}
}
