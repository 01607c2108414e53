package jsonschema_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// serverVariable names yaml-language-server. In cmd/crdsem/editors, `make
// schemas` installs it.
const serverVariable = "YAML_LANGUAGE_SERVER"

// languageServer is yaml-language-server, to which files are opened one after
// the other.
type languageServer struct {
	in     io.Writer
	out    *bufio.Reader
	opened int
}

// startServer starts the server.
func startServer(t *testing.T) *languageServer {
	t.Helper()
	path := os.Getenv(serverVariable)
	if path == "" {
		t.Skip("it needs npm and a minute: make -C cmd/crdsem/editors schemas runs it")
	}
	command := exec.CommandContext(t.Context(), path, "--stdio")
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	s := &languageServer{in: in, out: bufio.NewReader(out)}
	t.Cleanup(func() {
		in.Close()
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	s.send(t, "initialize", 1, map[string]any{
		"processId": nil, "rootUri": nil, "capabilities": map[string]any{},
	})
	for s.read(t)["id"] == nil {
	}
	s.send(t, "initialized", 0, map[string]any{})
	s.send(t, "workspace/didChangeConfiguration", 0, map[string]any{"settings": map[string]any{
		"yaml": map[string]any{"schemaStore": map[string]any{"enable": false}},
	}})
	return s
}

// send sends a request, or a notification if the id is 0.
func (s *languageServer) send(t *testing.T, method string, id int, params any) {
	t.Helper()
	message := map[string]any{"jsonrpc": "2.0", "method": method, "params": params}
	if id != 0 {
		message["id"] = id
	}
	text, err := json.Marshal(message)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fprintf(s.in, "Content-Length: %d\r\n\r\n%s", len(text), text); err != nil {
		t.Fatal(err)
	}
}

// read reads the next message.
func (s *languageServer) read(t *testing.T) map[string]any {
	t.Helper()
	header, err := textproto.NewReader(s.out).ReadMIMEHeader()
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil {
		t.Fatal(err)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(s.out, text); err != nil {
		t.Fatal(err)
	}
	var message map[string]any
	if err := json.Unmarshal(text, &message); err != nil {
		t.Fatal(err)
	}
	return message
}

// refusal opens an object with its schema, and returns what the server finds.
func (s *languageServer) refusal(t *testing.T, schema string, object map[string]any) string {
	t.Helper()
	text, err := yaml.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	s.opened++
	uri := fmt.Sprintf("file:///objects/%d.yaml", s.opened)
	document := map[string]any{
		"uri": uri, "languageId": "yaml", "version": 1,
		"text": "# yaml-language-server: $schema=file://" + schema + "\n" + string(text),
	}
	s.send(t, "textDocument/didOpen", 0, map[string]any{"textDocument": document})
	for {
		message := s.read(t)
		params, _ := message["params"].(map[string]any)
		switch {
		case message["method"] == "textDocument/publishDiagnostics" && params["uri"] == uri:
			s.send(t, "textDocument/didClose", 0, map[string]any{
				"textDocument": map[string]any{"uri": uri},
			})
			var found []string
			for _, d := range params["diagnostics"].([]any) {
				found = append(found, d.(map[string]any)["message"].(string))
			}
			return strings.Join(found, "; ")
		case message["method"] == "workspace/configuration":
			items := params["items"].([]any)
			answer := map[string]any{
				"jsonrpc": "2.0", "id": message["id"], "result": make([]any, len(items)),
			}
			text, err := json.Marshal(answer)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(s.in, "Content-Length: %d\r\n\r\n%s", len(text), text)
		}
	}
}

// The findings of yaml-language-server are those of the library, too.
func TestLanguageServer(t *testing.T) {
	server, p := startServer(t), newPeer(t)
	p.judge = server.refusal
	t.Run("generated", func(t *testing.T) { compareGenerated(t, p, 1) })
	t.Run("real", func(t *testing.T) { compareReal(t, p) })
}
