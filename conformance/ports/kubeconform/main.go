// Command kubeconform answers the op admit, for creates, with kubeconform and
// the JSON Schemas that "crdsem schema" writes of the definition. CRDSEM is the
// path of that command. Kubeconform only knows schemas: it decodes, prunes and
// defaults nothing.
package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/yannh/kubeconform/pkg/validator"
)

type request struct {
	ID, Subresource  string
	CRD, Object, Old json.RawMessage
}

func main() {
	folder, err := os.MkdirTemp("", "kubeconform")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	fmt.Println(`{"protocol":1,"name":"kubeconform","ops":["admit"]}`)
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var r request
		answer := map[string]any{}
		if err := json.Unmarshal(line, &r); err != nil {
			answer["fault"] = err.Error()
		} else if len(r.Old) > 0 || r.Subresource != "" {
			answer["fault"] = "not supported: updates"
		} else {
			answer = admit(&r, folder)
		}
		answer["id"] = r.ID
		text, _ := json.Marshal(answer)
		fmt.Println(string(text))
	}
}

// admit judges an object by the schemas of the definition.
func admit(r *request, folder string) map[string]any {
	crd := document(r.CRD)
	at := filepath.Join(folder, fmt.Sprintf("%x", sha256.Sum256(crd)))
	if _, err := os.Stat(at); err != nil {
		if err := os.Mkdir(at, 0o755); err != nil {
			return map[string]any{"fault": err.Error()}
		}
		name := filepath.Join(at, "crd.yaml")
		if err := os.WriteFile(name, crd, 0o644); err != nil {
			return map[string]any{"fault": err.Error()}
		}
		if out, err := exec.Command(os.Getenv("CRDSEM"), "schema", "-d", at, name).
			CombinedOutput(); err != nil {
			return map[string]any{"fault": fmt.Sprintf("crdsem schema: %v: %s", err, out)}
		}
	}
	v, err := validator.New([]string{
		at + "/{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json",
	}, validator.Opts{Strict: true})
	if err != nil {
		return map[string]any{"fault": err.Error()}
	}
	result := map[string]any{"stage": "admitted", "warnings": []any{}, "unknownFields": []any{},
		"errors": []any{}}
	for _, found := range v.Validate("object.yaml",
		io.NopCloser(bytes.NewReader(document(r.Object)))) {
		if found.Status != validator.Valid {
			text := fmt.Sprint(found.Err)
			result["stage"] = "invalid"
			result["errors"] = []any{map[string]any{
				"type": "", "field": "", "detail": "", "text": text}}
		}
	}
	return result
}

// document returns an input as text: a string of JSON or YAML, or a value.
func document(raw json.RawMessage) []byte {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return []byte(text)
	}
	return raw
}
