//go:build unix

package vendor_test

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/config"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/vendor"
)

const password = "open-sesame"

const identity = "refresh-me"

// guarded serves a file and a registry to who logs in, and redirects. It
// records what each host was told.
type guarded struct {
	mu   sync.Mutex
	told []string // host, path and header of requests with a header
	next http.Handler
}

func (g *guarded) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := r.Header.Get("Authorization")
	if header != "" {
		g.mu.Lock()
		g.told = append(g.told, r.Host+" "+strings.Fields(header)[0])
		g.mu.Unlock()
	}
	name, secret, ok := r.BasicAuth()
	isKnown := ok && name == "ali" && secret == password
	switch {
	case r.Host == "private.example" && !isKnown:
		w.WriteHeader(http.StatusUnauthorized)
	case r.URL.Path == "/away.yaml":
		http.Redirect(w, r, "https://other.example/crds.yaml", http.StatusFound)
	case r.URL.Path == "/sub.yaml":
		http.Redirect(w, r, "https://cdn."+r.Host+"/crds.yaml", http.StatusFound)
	case r.URL.Path == "/crds.yaml":
		fmt.Fprint(w, crd("as", ""))
	case r.Host == "basic.example" && !isKnown:
		w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
		w.WriteHeader(http.StatusUnauthorized)
	case r.Host == "basic.example" && strings.Contains(r.URL.Path, "/blobs/"):
		http.Redirect(w, r, "https://r.example"+r.URL.Path+"?signed", http.StatusFound)
	case r.Host == "r.example" && r.URL.RawQuery == "signed":
		r.Header.Set("Authorization", "Bearer secret")
		g.next.ServeHTTP(w, r)
	case r.Host == "r.example" && r.URL.Path == "/token" && r.Method == http.MethodPost:
		g.refresh(w, r)
	case r.Host == "r.example" && r.URL.Path == "/token" && !isKnown:
		w.WriteHeader(http.StatusForbidden)
	default:
		if r.Host = "r.example"; isKnown {
			r.Header.Set("Authorization", "Bearer secret")
		}
		g.next.ServeHTTP(w, r)
	}
}

// refresh gives a token for an identity token, as OAuth 2.0 does.
func (g *guarded) refresh(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	form, err := url.ParseQuery(string(body))
	g.mu.Lock()
	defer g.mu.Unlock()
	g.told = append(g.told, r.Host+" form")
	switch {
	case r.Header.Get("Content-Type") != "application/x-www-form-urlencoded" || err != nil,
		r.URL.RawQuery != "", form.Get("grant_type") != "refresh_token", form.Get("service") != "s",
		form.Get("scope") != "repository:o/n:pull", form.Get("client_id") == "":
		w.WriteHeader(http.StatusBadRequest)
	case form.Get("refresh_token") == "moved":
		http.Redirect(w, r, "https://other.example/token", http.StatusTemporaryRedirect)
	case form.Get("refresh_token") != identity:
		w.WriteHeader(http.StatusUnauthorized)
	default:
		fmt.Fprint(w, `{"access_token": "secret"}`)
	}
}

// Logins of netrc and of Docker are sent to their hosts only, and are in no
// error.
func TestCredentials(t *testing.T) {
	auth := base64.StdEncoding.EncodeToString([]byte("ali:" + password))
	machine := func(host string) string {
		return "machine " + host + " login ali password " + password + "\n"
	}
	docker := func(host string) string { return `{"auths": {"` + host + `": {"auth": "` + auth + `"}}}` }
	for _, c := range []struct {
		line, source, netrc, docker, err string
		told                             []string
	}{
		{line: "no login", source: "https://private.example/crds.yaml", err: "401 Unauthorized"},
		{line: "netrc", source: "https://private.example/crds.yaml", netrc: machine("private.example"),
			told: []string{"private.example Basic"}},
		{line: "netrc with a macro", source: "https://private.example/crds.yaml",
			netrc: "# a comment\nmacdef init\nmachine x\n\n" + machine("other") + machine("private.example"),
			told:  []string{"private.example Basic"}},
		{line: "another machine", source: "https://private.example/crds.yaml",
			netrc: machine("example") + machine("private.example.com"), err: "401 Unauthorized"},
		{line: "the default", source: "https://private.example/crds.yaml",
			netrc: "default login ali password " + password, err: "401 Unauthorized"},
		{line: "a redirect", source: "https://private.example/away.yaml",
			netrc: machine("private.example") + machine("other.example"),
			told:  []string{"private.example Basic"}},
		{line: "a redirect to a subdomain", source: "https://private.example/sub.yaml",
			netrc: machine("private.example"), told: []string{"private.example Basic"}},
		{line: "an unreadable netrc", source: "https://private.example/crds.yaml", netrc: "folder",
			err: "netrc is not a file"},
		{line: "in the source", source: "https://ali:" + password + "@private.example/crds.yaml",
			err: "netrc is the place"},
		{line: "a registry without a login", source: "oci://basic.example/o/n:v1//config",
			err: "401: log in by docker login"},
		{line: "a registry", source: "oci://basic.example/o/n:v1//config",
			docker: docker("https://basic.example/v2/"), netrc: machine("basic.example"),
			told: []string{"basic.example Basic"}},
		{line: "a registry with tokens", source: "oci://r.example/o/n:v1//config",
			docker: docker("r.example"), told: []string{"r.example Basic", "r.example Bearer"}},
		{line: "another registry", source: "oci://basic.example/o/n:v1//config",
			docker: docker("r.example"), err: "401: log in"},
		{line: "a helper", source: "oci://basic.example/o/n:v1//config",
			docker: `{"credHelpers": {"basic.example": "good"}}`, told: []string{"basic.example Basic"}},
		{line: "the store", source: "oci://basic.example/o/n:v1//config",
			docker: `{"credsStore": "good"}`, told: []string{"basic.example Basic"}},
		{line: "a helper that fails", source: "oci://basic.example/o/n:v1//config",
			docker: `{"credsStore": "bad"}`, err: "docker-credential-bad: exit status 1: not there"},
		{line: "a helper that is not there", source: "oci://basic.example/o/n:v1//config",
			docker: `{"credsStore": "none"}`, err: "docker-credential-none"},
		{line: "a helper that is a path", source: "oci://basic.example/o/n:v1//config",
			docker: `{"credsStore": "/../good"}`, err: "a name of a helper"},
		{line: "a helper that gives no JSON", source: "oci://basic.example/o/n:v1//config",
			docker: `{"credsStore": "odd"}`, err: "docker-credential-odd gives no readable login"},
		{line: "an identity token", source: "oci://r.example/o/n:v1//config",
			docker: `{"auths": {"r.example": {"auth": "` + auth + `", "identitytoken": "` + identity + `"}}}`,
			told:   []string{"r.example Bearer", "r.example form"}},
		{line: "an identity token of the store", source: "oci://r.example/o/n:v1//config",
			docker: `{"credsStore": "token"}`, told: []string{"r.example Bearer", "r.example form"}},
		{line: "an identity token that ended", source: "oci://r.example/o/n:v1//config",
			docker: `{"auths": {"r.example": {"identitytoken": "` + password + `"}}}`,
			err:    "https://r.example/token: 401", told: []string{"r.example form"}},
		{line: "an identity token for another host", source: "oci://r.example/o/n:v1//config",
			docker: `{"auths": {"r.example": {"identitytoken": "moved"}}}`,
			err:    "https://r.example/token: 307", told: []string{"r.example form"}},
		{line: "an identity token without tokens", source: "oci://basic.example/o/n:v1//config",
			docker: `{"credsStore": "token"}`, err: "the login is an identity token"},
		{line: "no JSON", source: "oci://basic.example/o/n:v1//config",
			docker: `{"auths": {"basic.example": {"auth": "` + password + `"`, err: "is not readable"},
		{line: "no base64", source: "oci://basic.example/o/n:v1//config",
			docker: `{"auths": {"basic.example": {"auth": "` + password + `"}}}`, err: "is not readable"},
	} {
		t.Run(c.line, func(t *testing.T) {
			writeLogins(t, c.netrc, c.docker)
			host := &guarded{next: site(t)}
			client := vendor.New(t.TempDir())
			client.SetTransport(loopback(t, host))
			d := config.Definitions{Sources: []string{c.source}}
			staged, err := client.Stage(t.Context(), d, vendor.Locked)
			text := ""
			if err != nil {
				text = err.Error()
			} else if _, err := os.Stat(filepath.Join(staged.Folder, vendor.LockName)); err != nil {
				t.Error(err)
			}
			if (c.err == "") != (err == nil) || !strings.Contains(text, c.err) {
				t.Errorf("%v, not %q", err, c.err)
			}
			for _, secret := range []string{password, identity, auth} {
				if strings.Contains(text, secret) {
					t.Errorf("the error has a secret: %v", err)
				}
			}
			slices.Sort(host.told)
			if told := slices.Compact(host.told); !slices.Equal(told, c.told) {
				t.Errorf("told: %q, want %q", told, c.told)
			}
		})
	}
}

// writeLogins makes texts the user's netrc and Docker configuration, and has
// helpers on PATH.
func writeLogins(t *testing.T, netrc, docker string) {
	t.Helper()
	folder := t.TempDir()
	t.Setenv("NETRC", filepath.Join(folder, "netrc"))
	t.Setenv("DOCKER_CONFIG", folder)
	t.Setenv("PATH", folder+":"+os.Getenv("PATH"))
	script := "#!/bin/sh\nread host\n[ \"$1\" = get ] || exit 3\n"
	answer := func(name, secret string) string {
		return script + `echo '{"ServerURL":"x","Username":"` + name + `","Secret":"` + secret + `"}'`
	}
	all := map[string]string{
		"netrc": netrc, "config.json": docker,
		"docker-credential-good":  answer("ali", password),
		"docker-credential-token": answer("<token>", identity),
		"docker-credential-odd":   script + "echo " + password,
		"docker-credential-bad":   script + "echo " + password + "; echo not there >&2; exit 1",
	}
	if netrc == "folder" {
		delete(all, "netrc")
		if err := os.Mkdir(filepath.Join(folder, "netrc"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range all {
		if text == "" {
			continue
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
}
