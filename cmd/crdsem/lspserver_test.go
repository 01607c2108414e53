package main

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/channel"

	"github.com/crdsem/crdsem/internal/test/testschema"
)

var lspCRD = testschema.Definition("Tab", `
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              image: {type: string, description: The image to run.}
              size: {type: integer}
`)

// lspSession is a client of a server over pipes.
type lspSession struct {
	*jrpc2.Client
	t         testing.TB
	published chan string // the parameters of diagnostics
	done      chan error
}

func startLSP(t testing.TB, capabilities string, folder string) *lspSession {
	t.Helper()
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- serveLSP(t.Context(), toServer, fromServer, lspConfig{Version: "1",
			Link: func(rule string) string { return "https://example.com/" + rule }})
	}()
	s := connectLSP(t, toClient, fromClient, capabilities, folder)
	s.done = done
	return s
}

// connectLSP initializes a server.
func connectLSP(
	t testing.TB, from io.Reader, to io.WriteCloser, capabilities, folder string,
) *lspSession {
	t.Helper()
	s := &lspSession{t: t, published: make(chan string, 100)}
	s.Client = jrpc2.NewClient(channel.LSP(from, to), &jrpc2.ClientOptions{
		OnNotify: func(r *jrpc2.Request) { s.published <- r.ParamString() },
		OnCallback: func(context.Context, *jrpc2.Request) (any, error) {
			return nil, nil
		},
	})
	t.Cleanup(func() { _ = s.Close() })
	s.call("initialize", `{"rootUri":"file://`+filepath.ToSlash(folder)+`","capabilities":`+capabilities+`}`)
	s.notify("initialized", `{}`)
	return s
}

// call returns the answer to a request, as JSON.
func (s *lspSession) call(method, params string) string {
	s.t.Helper()
	r, err := s.Call(s.t.Context(), method, json.RawMessage(params))
	if err != nil {
		s.t.Fatalf("%s: %v", method, err)
	}
	return r.ResultString()
}

func (s *lspSession) notify(method, params string) {
	s.t.Helper()
	if err := s.Notify(s.t.Context(), method, json.RawMessage(params)); err != nil {
		s.t.Fatalf("%s: %v", method, err)
	}
}

// wait returns the first published diagnostics that have a text.
func (s *lspSession) wait(text string) string {
	s.t.Helper()
	late := time.After(time.Minute)
	for {
		select {
		case got := <-s.published:
			if strings.Contains(got, text) {
				return got
			}
		case <-late:
			s.t.Fatalf("no diagnostics with %q", text)
		}
	}
}

// open opens a document, and returns its diagnostics.
func (s *lspSession) open(uri, text string) string {
	s.t.Helper()
	s.notify("textDocument/didOpen", `{"textDocument":{"uri":"`+uri+`","version":1,`+
		`"languageId":"yaml","text":`+jsonText(text)+`}}`)
	return s.wait(`"` + uri + `"`)
}

// folderOf returns the current folder, which is a new one with files.
func folderOf(t *testing.T, files map[string]string) string {
	t.Helper()
	writeFiles(t, files)
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

func jsonText(text any) string {
	out, _ := json.Marshal(text)
	return string(out)
}

const lspObject = "apiVersion: example.com/v1\nkind: Tab\n" +
	"metadata:\n  name: a\nspec:\n  imagge: x\n"

// A client opens a document, gets what is wrong, completes, hovers, acts, and
// types what it was offered.
func TestSession(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "crd.yaml"), []byte(lspCRD), 0o600); err != nil {
		t.Fatal(err)
	}
	s := startLSP(t, `{"general":{"positionEncodings":["utf-16","utf-8"]}}`, folder)
	const doc = `{"uri":"file:///x.yaml","version":1}`
	s.notify("textDocument/didOpen", `{"textDocument":{"uri":"file:///x.yaml","version":1,`+
		`"languageId":"yaml","text":`+jsonText(lspObject)+`}}`)
	got := s.wait("imagge")
	for _, want := range []string{`"code":"PIPE-006"`, `"severity":1`, "did you mean `image`?",
		`"href":"https://example.com/PIPE-006"`, `"start":{"line":5,"character":2}`,
		`"end":{"line":5,"character":8}`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s lacks %s", got, want)
		}
	}
	at := func(line, character string) string {
		return `{"textDocument":` + doc + `,"position":{"line":` + line + `,"character":` + character + `}}`
	}
	for method, c := range map[string]struct{ params, want string }{
		"textDocument/hover":      {at("4", "1"), `"value":"**spec**: object`},
		"textDocument/completion": {at("5", "4"), `"label":"size"`},
		"textDocument/codeAction": {`{"textDocument":` + doc + `,"range":{"start":{"line":5,"character":2},` +
			`"end":{"line":5,"character":2}},"context":{"diagnostics":[]}}`, `"title":"change it to image"`},
		"textDocument/diagnostic":     {`{"textDocument":` + doc + `}`, `"kind":"full"`},
		"textDocument/definition":     {at("4", "1"), `/crd.yaml","range":{"start":{"line":15,"character":10}`},
		"textDocument/references":     {at("4", "1"), `[]`},
		"textDocument/documentSymbol": {`{"textDocument":` + doc + `}`, `"name":"imagge"`},
		"textDocument/foldingRange":   {`{"textDocument":` + doc + `}`, `{"endLine":5,"startLine":4}`},
		"textDocument/selectionRange": {`{"textDocument":` + doc + `,"positions":[{"line":5,"character":3}]}`,
			`"parent":{"range":{"start":{"line":5,"character":2},"end":{"line":5,"character":11}}`},
		"textDocument/documentLink": {`{"textDocument":` + doc + `}`, `[]`},
		"textDocument/inlayHint": {`{"textDocument":` + doc + `,"range":{"start":{"line":0,"character":0},` +
			`"end":{"line":9,"character":0}}}`, `"label":"removed"`},
		"workspace/symbol": {`{"query":"tab"}`, `"name":"Tab a"`},
		"workspace/executeCommand": {`{"command":"crdsem.skeleton","arguments":["example.com/v1","Tab"]}`,
			`kind: Tab\nmetadata:\n  name: example\n`},
	} {
		if got := s.call(method, c.params); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s lacks %s", method, got, c.want)
		}
	}
	s.notify("textDocument/didChange", `{"textDocument":{"uri":"file:///x.yaml","version":2},`+
		`"contentChanges":[{"range":{"start":{"line":5,"character":2},"end":{"line":5,"character":8}},`+
		`"text":"image"}]}`)
	if got := s.wait(`"version":2`); !strings.Contains(got, `"diagnostics":[]`) {
		t.Errorf("after the change: %s", got)
	}
	if got := s.call("workspace/executeCommand",
		`{"command":"crdsem.stored","arguments":["file:///x.yaml",0]}`); !strings.Contains(got, `image: x\n`) {
		t.Errorf("stored: %s", got)
	}
	// The definition changes on the disk.
	changed := strings.Replace(lspCRD, "image:", "picture:", 1)
	if err := os.WriteFile(filepath.Join(folder, "crd.yaml"), []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	s.notify("workspace/didChangeWatchedFiles", `{"changes":[{"uri":"file://`+
		filepath.ToSlash(folder)+`/crd.yaml","type":2}]}`)
	s.wait(`unknown field \"spec.image\"`)
	s.notify("textDocument/didClose", `{"textDocument":`+doc+`}`)
	s.wait(`"diagnostics":[]`)
	s.call("shutdown", `null`)
	s.notify("exit", `null`)
	if err := <-s.done; err != nil {
		t.Error(err)
	}
}

// The configuration of the workspace is used: what is left out, severities of
// lint. A field is renamed in a definition. A change of the configuration is
// noticed.
func TestConfiguredSession(t *testing.T) {
	files := map[string]string{
		"crd.yaml": strings.Replace(lspCRD, "            properties:", "            x-kubernetes-validations:\n"+
			"            - rule: self.size > 0\n            properties:", 1),
		".crdsem.yaml": "ignore:\n- {rule: PIPE-006, path: a/, reason: test}\n- {rule: CEL-091, reason: test}\nskip: {paths: [b/]}\n" +
			"lint: {severity: {LINT-has: warning}}\n",
		"a/x.yaml": lspObject, "b/x.yaml": lspObject,
	}
	folder := folderOf(t, files)
	s := startLSP(t, `{"window":{"workDoneProgress":true}}`, folder)
	uri := func(name string) string { return "file://" + filepath.ToSlash(folder) + "/" + name }
	open := func(name string) string { return s.open(uri(name), files[name]) }
	s.wait(`"kind":"end"`) // of the progress
	for _, name := range []string{"a/x.yaml", "b/x.yaml"} {
		if got := open(name); !strings.Contains(got, `"diagnostics":[]`) {
			t.Errorf("%s: %s", name, got)
		}
	}
	if got := open("crd.yaml"); !strings.Contains(got, `"code":"LINT-has"`) ||
		!strings.Contains(got, `"severity":2`) {
		t.Errorf("crd.yaml: %s", got)
	}
	at := `{"textDocument":{"uri":"` + uri("crd.yaml") + `"},"position":{"line":18,"character":29},"newName":"count"}`
	if got := s.call("textDocument/rename", at); strings.Count(got, `"newText":"count"`) != 2 {
		t.Errorf("rename: %s", got)
	}
	if err := os.WriteFile(filepath.Join(folder, ".crdsem.yaml"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s.notify("workspace/didChangeWatchedFiles", `{"changes":[{"uri":"`+uri(".crdsem.yaml")+`","type":2}]}`)
	s.wait("imagge")
	s.call("shutdown", `null`)
}

// Files of tools are known: Flux substitutes, a patch is judged as a
// part, encrypted values and templates have no findings. A change of what is
// substituted is noticed.
func TestRepositorySession(t *testing.T) {
	object := func(name, spec string) string {
		return "apiVersion: example.com/v1\nkind: Tab\nmetadata:\n  name: " + name +
			"\nspec:\n" + spec
	}
	flux := "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n" +
		"metadata: {name: a}\n" +
		"spec: {path: ./apps, postBuild: {substitute: {NAME: UPPER, SIZE: x}}}\n"
	files := map[string]string{
		"crd.yaml": lspCRD, "flux/a.yaml": flux, ".git/HEAD": "x",
		".crdsem.yaml":            "substitute: {SIZE: y}\n",
		"apps/x.yaml":             object("n-${NAME}-${SIZE}", "  size: ${OTHER}\n"),
		"apps/secret.yaml":        object("a", "  image: ENC[AES256_GCM,data:x]\n  size: ENC[AES256_GCM,data:y]\n") + "sops: {mac: x}\n",
		"base/kustomization.yaml": "patches: [{path: p.yaml}]\n",
		"base/p.yaml":             object("a", "  $patch: replace\n"),
		"chart/x.yaml":            object("{{ .Values.name }}", "{{ toYaml . | nindent 2 }}\n"),
	}
	folder := folderOf(t, files)
	s := startLSP(t, `{"window":{"workDoneProgress":true}}`, folder)
	uri := func(name string) string { return "file://" + filepath.ToSlash(folder) + "/" + name }
	s.wait(`"kind":"end"`)
	got := s.open(uri("apps/x.yaml"), files["apps/x.yaml"])
	if strings.Count(got, `"severity"`) != 1 || !strings.Contains(got, "n-UPPER-y") {
		t.Errorf("substituted: %s", got)
	}
	for _, name := range []string{"apps/secret.yaml", "base/p.yaml", "chart/x.yaml"} {
		if got := s.open(uri(name), files[name]); !strings.Contains(got, `"diagnostics":[]`) {
			t.Errorf("%s: %s", name, got)
		}
	}
	s.open(uri("flux/a.yaml"), strings.Replace(flux, "UPPER", "lower", 1))
	if got := s.call("textDocument/diagnostic", `{"textDocument":{"uri":"`+uri("apps/x.yaml")+`"}}`); !strings.Contains(got, `"items":[]`) {
		t.Errorf("substituted by the open text: %s", got)
	}
	s.call("shutdown", `null`)
}

// A request that is canceled ends with the error of the protocol, and one that
// panics with an error.
func TestGuarded(t *testing.T) {
	parsed, err := jrpc2.ParseRequests([]byte(`{"jsonrpc":"2.0","id":1,"method":"x"}`))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	waits := func(ctx context.Context, _ *jrpc2.Request) (any, error) {
		cancel()
		<-ctx.Done()
		return 1, nil
	}
	if _, err := guarded(waits)(ctx, parsed[0].ToRequest()); jrpc2.ErrorCode(err) != lspCancelled {
		t.Errorf("canceled: %v", err)
	}
	panics := func(context.Context, *jrpc2.Request) (any, error) { panic("no") }
	if _, err := guarded(panics)(t.Context(), parsed[0].ToRequest()); err == nil ||
		err.Error() != "x failed: no" {
		t.Errorf("a panic: %v", err)
	}
}

// Requests that make no sense get an error, and the server goes on.
func TestBadRequests(t *testing.T) {
	s := startLSP(t, `{"textDocument":{"diagnostic":{}}}`, t.TempDir())
	for method, c := range map[string]struct {
		params string
		fails  bool
	}{
		"textDocument/hover": {params: `{"position":{"line":-1,"character":-5}}`},
		"textDocument/completion": {
			params: `{"textDocument":{"uri":":"},"position":{"line":1000000,"character":0}}`},
		"textDocument/diagnostic":   {params: `{"textDocument":{"uri":"untitled:1"}}`},
		"textDocument/unknown":      {params: `{}`, fails: true},
		"textDocument/codeAction":   {params: `[]`, fails: true},
		"textDocument/documentLink": {params: `{"textDocument":1}`, fails: true},
	} {
		_, err := s.Call(t.Context(), method, json.RawMessage(c.params))
		if (err != nil) != c.fails {
			t.Errorf("%s: %v", method, err)
		}
	}
	s.call("shutdown", `null`)
}

// Clients without snippets get the first lines of completions: some insert
// nothing else.
func TestCompletedLines(t *testing.T) {
	folder := folderOf(t, map[string]string{"crd.yaml": lspCRD})
	for capabilities, want := range map[string]string{
		`{"window":{"workDoneProgress":true}}`: `"newText":"spec:"`,
		`{"window":{"workDoneProgress":true},"textDocument":{"completion":{"completionItem":{"snippetSupport":true}}}}`: `"newText":"spec:\n  "`,
	} {
		s := startLSP(t, capabilities, folder)
		s.wait(`"kind":"end"`)
		s.open("file:///x.yaml", "apiVersion: example.com/v1\nkind: Tab\n")
		got := s.call("textDocument/completion",
			`{"textDocument":{"uri":"file:///x.yaml"},"position":{"line":2,"character":0}}`)
		if !strings.Contains(got, want) ||
			strings.Contains(got, "the smallest Tab") != strings.Contains(capabilities, "snippet") {
			t.Errorf("%s: %s lacks %s", capabilities, got, want)
		}
		s.call("shutdown", "null")
	}
}

// The smallest object is found where a rule refuses the plain one.
func TestSkeletonSession(t *testing.T) {
	refuses := strings.Replace(lspCRD, "properties:",
		"x-kubernetes-validations: [{rule: has(self.spec) && self.spec.size > 6}]\n"+
			"        properties:", 1)
	folder := folderOf(t, map[string]string{"crd.yaml": refuses})
	s := startLSP(t, `{"window":{"workDoneProgress":true}}`, folder)
	s.wait(`"kind":"end"`)
	if got := s.call("workspace/executeCommand", `{"command":"crdsem.skeleton",`+
		`"arguments":["example.com/v1","Tab"]}`); !strings.Contains(got, `spec:\n  size: `) {
		t.Error(got)
	}
	s.call("shutdown", "null")
}
