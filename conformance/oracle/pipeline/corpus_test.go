package pipeline_test

import (
	"flag"
	"slices"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/test/corpus"
)

var mutations = flag.Int(
	"mutations",
	2,
	"how many mutated requests the differential test makes of each real object",
)

// sample is a real object with the version of its definition.
type sample struct {
	file, version string
	crd           *realCRD
	body          []byte
}

type realCRD struct {
	json []byte
	def  *crdsem.Definition
}

func decodeText(text []byte) (any, error) {
	value, _, err := jsonvalue.Decode(text)
	return value, err
}

// samples returns the real objects with a definition that has their version.
// Without a corpus the test is skipped.
func samples(t *testing.T) (out []sample) {
	t.Helper()
	crds := map[string]*realCRD{}
	for _, file := range corpus.Definitions(t) {
		crds[file.Path] = readCRD(t, file)
	}
	for _, o := range corpus.Objects(t) {
		if crd := crds[o.Definition]; crd != nil {
			out = append(out, sample{o.Name(), o.Version, crd, o.Text})
		}
	}
	return out
}

func readCRD(t *testing.T, file corpus.File) *realCRD {
	t.Helper()
	crd := &realCRD{}
	var err error
	if crd.json, err = yaml.YAMLToJSON(file.Text); err != nil {
		t.Fatalf("%s: %v", file.Name(), err)
	}
	if crd.def, err = crdsem.Parse(crd.json); err != nil {
		t.Fatalf("%s: %v", file.Name(), err)
	}
	return crd
}

// attempts returns the requests made from one object: a create of the unchanged
// object, then creates and updates of mutated ones.
func (s sample) attempts(seed uint64, mutations int) []attempt {
	base := attempt{crd: s.crd.json, def: s.crd.def, version: s.version, body: s.body}
	out := []attempt{base}
	value, err := decodeText(s.body)
	object, ok := value.(map[string]any)
	if err != nil || !ok {
		return out
	}
	original, err := jsonvalue.EncodeJSON(object)
	if err != nil {
		return out
	}
	g := newGenerator(seed)
	for range mutations {
		a := base
		mutated := jsonvalue.DeepCopyMap(object)
		for range 1 + g.IntN(3) {
			target := mutated
			if spec, ok := mutated["spec"].(map[string]any); ok && g.IntN(5) > 0 {
				target = spec
			}
			g.mutate(target)
		}
		if a.body, err = jsonvalue.EncodeJSON(mutated); err != nil {
			continue
		}
		a.fieldValidation = []string{"Strict", "Warn", "Ignore"}[g.IntN(3)]
		if _, stored := object["metadata"].(map[string]any); stored &&
			g.one(2) { // the real code cannot read a stored object without it
			a.old = original
			if s.hasStatus() && g.one(2) {
				a.subresource = "status"
			}
		}
		out = append(out, a)
	}
	return out
}

func (s sample) hasStatus() bool {
	v := s.crd.def.Model().Version(s.version)
	return v != nil && v.HasStatus
}

// mutate changes one place in an object: adds or removes a field, sets a null
// or a value of another type, or copies an item.
func (g generator) mutate(object map[string]any) {
	keys := jsonvalue.SortedKeys(object)
	if len(keys) == 0 {
		object["unknown"] = g.any(2)
		return
	}
	key := keys[g.IntN(len(keys))]
	switch child := object[key].(type) {
	case map[string]any:
		if g.IntN(4) > 0 {
			g.mutate(child)
			return
		}
	case []any:
		if len(child) > 0 && g.IntN(3) > 0 {
			i := g.IntN(len(child))
			if fields, ok := child[i].(map[string]any); ok && g.IntN(3) > 0 {
				g.mutate(fields)
				return
			}
			object[key] = slices.Concat(child, []any{jsonvalue.DeepCopy(child[i])})
			return
		}
	}
	switch g.IntN(5) {
	case 0:
		delete(object, key)
	case 1:
		object[key] = nil
	case 2:
		object["unknown"+key] = g.any(2)
	default:
		object[key] = g.any(2)
	}
}

// Every real object, unchanged and mutated, is admitted or refused by the
// facade as by the real code: same stage, object, unknown fields, errors and
// warnings.
func TestCorpusDifferential(t *testing.T) {
	all := samples(t)
	stages := map[string]int{}
	failures := 0
	for i, s := range all {
		if testing.Short() && i%40 != 0 {
			continue
		}
		for _, a := range s.attempts(uint64(i), *mutations) {
			diff, stage := a.compare()
			stages[stage]++
			if diff == "" {
				continue
			}
			t.Errorf("%s: %s\n%s", s.file, diff, a.describe())
			if failures++; failures == 20 {
				t.Fatalf("stopped after %v", stages)
			}
		}
	}
	t.Logf("%d objects: %v", len(all), stages)
	for _, stage := range []string{
		protocol.StageAdmitted, protocol.StageInvalid, protocol.StageDecode,
	} {
		if stages[stage] == 0 {
			t.Errorf("no request came to stage %s", stage)
		}
	}
}
