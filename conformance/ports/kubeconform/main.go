// Command kubeconform answers the op admit, for creates, with kubeconform and
// the JSON Schemas that "crdsem schema" writes of the definition. CRDSEM is the
// path of that command. Kubeconform only knows schemas: it decodes, prunes and
// defaults nothing.
package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/yannh/kubeconform/pkg/validator"

	"github.com/crdsem/crdsem/conformance/ports/internal/adapter"
)

func main() {
	folder, err := os.MkdirTemp("", "kubeconform")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	adapter.Serve("kubeconform", "admit", adapter.Creating(func(r *adapter.Request) adapter.Answer {
		return create(r, folder)
	}))
}

// create judges an object by the schemas of the definition.
func create(r *adapter.Request, folder string) adapter.Answer {
	schemas, err := schemasOf(adapter.Document(r.CRD), folder)
	if err != nil {
		return adapter.Fault(err)
	}
	v, err := validator.New([]string{
		schemas + "/{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json",
	}, validator.Opts{Strict: true})
	if err != nil {
		return adapter.Fault(err)
	}
	body := io.NopCloser(bytes.NewReader(adapter.Document(r.Object)))
	for _, found := range v.Validate("object.yaml", body) {
		if found.Status != validator.Valid {
			return adapter.Refused("invalid", fmt.Sprint(found.Err))
		}
	}
	return adapter.Admitted(nil)
}

// schemasOf returns the folder with the schemas of a definition, which it
// writes once.
func schemasOf(crd []byte, folder string) (string, error) {
	at := filepath.Join(folder, fmt.Sprintf("%x", sha256.Sum256(crd)))
	if _, err := os.Stat(at); err == nil {
		return at, nil
	}
	if err := os.Mkdir(at, 0o755); err != nil {
		return "", err
	}
	name := filepath.Join(at, "crd.yaml")
	if err := os.WriteFile(name, crd, 0o644); err != nil {
		return "", err
	}
	out, err := exec.Command(os.Getenv("CRDSEM"), "schema", "-d", at, name).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("crdsem schema: %w: %s", err, out)
	}
	return at, nil
}
