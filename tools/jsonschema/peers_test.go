package jsonschema_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yannh/kubeconform/pkg/resource"
	"github.com/yannh/kubeconform/pkg/validator"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/app/jsonschema"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/test/corpus"
	"github.com/crdsem/crdsem/kit/generate"
)

// peer judges objects by schemas.
type peer struct {
	dir     string // of the schemas
	written int
	// judge returns what the peer finds in an object by a file, empty if it
	// accepts the object.
	judge func(t *testing.T, file string, object map[string]any) string
	// explains returns why the verdict differs from the library's, empty if it
	// should not.
	explains func(theirs string, ours error) string
	counts   map[string]int
}

func newPeer(t *testing.T) *peer {
	t.Helper()
	p := &peer{dir: t.TempDir(), counts: map[string]int{}, explains: explained}
	t.Cleanup(func() {
		for reason, n := range p.counts {
			t.Logf("%6d %s", n, reason)
		}
	})
	return p
}

// kubeconform returns kubeconform.
func kubeconform(t *testing.T) *peer {
	t.Helper()
	p := newPeer(t)
	validators := map[string]validator.Validator{} // it keeps one schema of a kind
	p.judge = func(t *testing.T, file string, object map[string]any) string {
		t.Helper()
		validate, ok := validators[file]
		if !ok {
			var err error
			form := filepath.Dir(filepath.Dir(file)) +
				"/{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json"
			validate, err = validator.New([]string{form}, validator.Opts{Strict: true})
			if err != nil {
				t.Fatal(err)
			}
			validators[file] = validate
		}
		found := validate.ValidateResource(resource.Resource{Bytes: asJSON(t, object)})
		if found.Status == validator.Valid {
			return ""
		}
		return found.Err.Error()
	}
	return p
}

// object compares the verdicts on an object.
func (p *peer) object(t *testing.T, version *crdsem.Version, file string, object map[string]any) {
	t.Helper()
	ours := version.Create(t.Context(), object, crdsem.FieldValidation(crdsem.Strict)).Err()
	theirs := p.judge(t, file, object)
	if (ours != nil) == (theirs != "") {
		p.counts["the same"]++
		return
	}
	reason := p.explains(theirs, ours)
	if reason == "" {
		t.Errorf("the schema says: %q, and a server: %v\n%.2000s", theirs, ours, asJSON(t, object))
	}
	p.counts[reason]++
}

// explained returns why a schema accepts an object that is refused.
func explained(_ string, ours error) string {
	refusal, ok := errors.AsType[*crdsem.StatusError](ours)
	if !ok {
		return ""
	}
	for rule, reason := range map[string]string{
		"CEL-": "rules", "COST-": "rules", "LST-": "keys of list-maps",
		"META-": "the content of metadata", "VAL-052": "limits outside of their type",
		"FMT-": "formats",
	} {
		if strings.HasPrefix(refusal.Rule, rule) {
			return "accepted: " + reason
		}
	}
	if strings.Contains(refusal.Error(), `unknown field "status.`) {
		return "accepted: unknown fields of a status that is dropped"
	}
	return ""
}

func asJSON(t *testing.T, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Of generated objects, valid and broken, the schemas find what the library
// finds, and of real objects.
func TestKubeconform(t *testing.T) {
	t.Run("generated", func(t *testing.T) { compareGenerated(t, kubeconform(t), 3) })
	t.Run("real", func(t *testing.T) { compareReal(t, kubeconform(t)) })
}

func compareGenerated(t *testing.T, p *peer, seeds uint64) {
	t.Helper()
	for _, file := range corpus.Definitions(t) {
		def, err := crdsem.Parse(file.Text)
		if err != nil {
			t.Fatalf("%s: %v", file.Path, err)
		}
		for _, v := range def.Model().Versions() {
			if !v.Served {
				continue
			}
			t.Run(fmt.Sprintf("%s %s", def.Model().Name(), v.Name), func(t *testing.T) {
				version, schema := p.write(t, def, v.Name)
				source, err := generate.NewResources(def, v.Name)
				if err != nil {
					t.Fatal(err)
				}
				for seed := range seeds {
					r := generate.NewRand(seed)
					if object, err := source.Valid(r); err == nil {
						p.object(t, version, schema, object)
					}
					if object, _, err := source.Broken(r); err == nil {
						p.object(t, version, schema, object)
					}
				}
			})
		}
	}
}

func compareReal(t *testing.T, p *peer) {
	t.Helper()
	type known struct {
		version *crdsem.Version
		schema  string
	}
	all := map[string]*known{} // nil for a version that is not served
	for _, o := range corpus.Objects(t) {
		key := o.Definition + " " + o.Version
		if _, ok := all[key]; !ok && o.Definition != "" {
			text, err := os.ReadFile(o.Definition)
			if err != nil {
				t.Fatal(err)
			}
			def, err := crdsem.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			if def.Model().Version(o.Version).Served {
				version, schema := p.write(t, def, o.Version)
				all[key] = &known{version, schema}
			}
		}
		object, _, err := jsonvalue.DecodeObject(o.Text)
		if err != nil {
			t.Fatal(err)
		}
		if k := all[key]; k != nil {
			p.object(t, k.version, k.schema, object)
		}
	}
}

// write writes the schema of a version, and returns its file.
func (p *peer) write(t *testing.T, def *crdsem.Definition, name string) (*crdsem.Version, string) {
	t.Helper()
	version, err := def.Version(name)
	if err != nil {
		t.Fatal(err)
	}
	kind := jsonschema.Kind{
		Group: def.Model().Group(), Version: name, Kind: def.Model().Names().Kind,
	}
	var options []jsonschema.Option
	if def.Model().Version(name).HasStatus {
		options = append(options, jsonschema.DropStatus())
	}
	// Two definitions of a kind may be in the corpus.
	p.written++
	path := filepath.Join(p.dir, fmt.Sprint(p.written), filepath.FromSlash(jsonschema.File(kind)))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	text := asJSON(t, jsonschema.Of(version.Schema(), kind, options...))
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return version, path
}
