package definition_test

import (
	"testing"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/test/corpus"
)

// Every real definition decodes and compiles, with a schema in every version.
func TestCompileCorpus(t *testing.T) {
	versions := 0
	for _, file := range corpus.Definitions(t) {
		crd, _, err := definition.Decode(file.Text)
		if err != nil {
			t.Errorf("%s: %v", file.Name(), err)
			continue
		}
		def, err := definition.Compile(crd)
		if err != nil {
			t.Errorf("%s: %v", file.Name(), err)
			continue
		}
		if def.StorageVersion() == nil || def.Name() != def.Names().Plural+"."+def.Group() {
			t.Errorf("%s: storage version %v, name %q", file.Name(), def.StorageVersion(), def.Name())
		}
		for _, v := range def.Versions() {
			versions++
			if v.Schema() == nil {
				t.Errorf("%s: version %s has no schema", file.Name(), v.Name)
			}
		}
	}
	t.Logf("%d versions", versions)
}

// Nothing is found in real definitions that servers run.
func TestValidateCorpus(t *testing.T) {
	for _, file := range corpus.Definitions(t) {
		crd := decode(t, file.Text).ForCreate()
		result := definition.Validate(crd)
		for _, err := range result.Errors {
			t.Errorf("%s: %v", file.Name(), err)
		}
	}
}
