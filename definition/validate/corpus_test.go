package validate_test

import (
	"testing"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/definition/validate"
	"github.com/crdsem/crdsem/internal/test/corpus"
)

// Every real definition decodes and compiles, with a schema in every version.
func TestCompileCorpus(t *testing.T) {
	versions := 0
	for _, file := range corpus.Definitions(t) {
		crd, _, err := definition.Parse(file.Text)
		if err != nil {
			t.Errorf("%s: %v", file.Name(), err)
			continue
		}
		model, err := definition.Compile(crd)
		if err != nil {
			t.Errorf("%s: %v", file.Name(), err)
			continue
		}
		storage, name := model.StorageVersion(), model.Names().Plural+"."+model.Group()
		if storage == nil || model.Name() != name {
			t.Errorf("%s: storage version %v, name %q", file.Name(), storage, model.Name())
		}
		for _, v := range model.Versions() {
			versions++
			if v.Schema() == nil {
				t.Errorf("%s: version %s has no schema", file.Name(), v.Name)
			}
		}
	}
	t.Logf("%d versions", versions)
}

// Real definitions have no errors: servers run them.
func TestValidateCorpus(t *testing.T) {
	for _, file := range corpus.Definitions(t) {
		crd := decode(t, file.Text).ForCreate()
		result := validate.Create(t.Context(), crd)
		for _, err := range result.Errors {
			t.Errorf("%s: %v", file.Name(), err)
		}
	}
}
