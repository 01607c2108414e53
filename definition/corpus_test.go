package definition_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/crdsem/crdsem/definition"
)

// corpus returns real definitions by file name; the test is skipped where there is no corpus.
func corpus(t testing.TB) map[string][]byte {
	t.Helper()
	root := os.Getenv("CRDSEM_CORPUS")
	if root == "" {
		root = filepath.Join("..", "..", "shared", "corpus")
	}
	files, _ := filepath.Glob(filepath.Join(root, "*", "crds", "*.yaml"))
	if len(files) == 0 {
		t.Skip("no corpus here")
	}
	out := map[string][]byte{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		out[file] = bytes.TrimPrefix(data, []byte("---\n"))
	}
	return out
}

// Every real definition decodes and compiles, with a schema in every version.
func TestCompileCorpus(t *testing.T) {
	versions := 0
	for file, data := range corpus(t) {
		crd, _, err := definition.Decode(data)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		def, err := definition.Compile(crd)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if def.StorageVersion() == nil || def.Name() != def.Names().Plural+"."+def.Group() {
			t.Errorf("%s: storage version %v, name %q", file, def.StorageVersion(), def.Name())
		}
		for _, v := range def.Versions() {
			versions++
			if v.Schema() == nil {
				t.Errorf("%s: version %s has no schema", file, v.Name)
			}
		}
	}
	t.Logf("%d versions", versions)
}

// Nothing is found in real definitions that servers run.
func TestValidateCorpus(t *testing.T) {
	for file, data := range corpus(t) {
		crd := decode(t, data).ForCreate()
		result := definition.Validate(crd)
		for _, err := range result.Errors {
			t.Errorf("%s: %v", file, err)
		}
	}
}
