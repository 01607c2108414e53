package pipeline_test

import (
	"encoding/json"
	"flag"
	"strings"
	"testing"
	"time"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/test/corpus"
	"github.com/crdsem/crdsem/kit/generate"
)

var rounds = flag.Int(
	"rounds",
	2,
	"how many objects of each sort are made for a version of a real definition",
)

// served is a version of a real definition without descriptions, which are long
// and have no effect.
type served struct {
	file, version string
	crd           *realCRD
	status        bool // is a subresource
}

// definitions returns the versions of the real definitions. Without a corpus
// the test is skipped.
func definitions(t *testing.T) []served {
	t.Helper()
	var out []served
	for _, file := range corpus.Definitions(t) {
		crd := withoutDescriptions(t, readCRD(t, file))
		for _, v := range crd.def.Model().Versions() {
			if v.Served {
				out = append(out, served{file.Name(), v.Name, crd, v.HasStatus})
			}
		}
	}
	return out
}

func withoutDescriptions(t *testing.T, crd *realCRD) *realCRD {
	t.Helper()
	document, err := decodeText(crd.json)
	if err != nil {
		t.Fatal(err)
	}
	var visit func(v any)
	visit = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if _, ok := v["description"].(string); ok {
				delete(v, "description")
			}
			for _, member := range v {
				visit(member)
			}
		case []any:
			for _, item := range v {
				visit(item)
			}
		}
	}
	visit(document)
	short := &realCRD{}
	if short.json, err = json.Marshal(document); err != nil {
		t.Fatal(err)
	}
	if short.def, err = crdsem.Parse(short.json); err != nil {
		t.Fatal(err)
	}
	return short
}

// made is a request with a generated object and the error that was planted in
// it.
type made struct {
	sort   string
	broken generate.Breakage
	attempt
}

// requests makes an object of each sort and the requests that send them.
// Objects that cannot be made are left out; the tests of package generate list
// them.
func (s served) requests(t *testing.T, resources *generate.Resources, seed uint64) []made {
	t.Helper()
	r := generate.NewRand(seed)
	old, err := resources.Valid(r)
	if err != nil {
		t.Fatalf("%s %s: %v", s.file, s.version, err)
	}
	text := func(object map[string]any) []byte {
		data, err := jsonvalue.EncodeJSON(object)
		if err != nil {
			t.Fatalf("%s: %v", s.file, err)
		}
		return data
	}
	var out []made
	add := func(sort string, update bool, object map[string]any, broken generate.Breakage,
		err error) {
		if err != nil {
			return
		}
		a := attempt{
			crd:             s.crd.json,
			def:             s.crd.def,
			version:         s.version,
			body:            text(object),
			fieldValidation: "Strict",
		}
		if update {
			a.old = text(old)
		}
		if strings.HasSuffix(sort, "status") {
			a.subresource = "status"
		}
		out = append(out, made{sort, broken, a})
	}
	valid := func(sort string, update bool) func(map[string]any, error) {
		return func(object map[string]any, err error) {
			add(sort, update, object, generate.Breakage{}, err)
		}
	}
	broken := func(sort string, update bool) func(map[string]any, generate.Breakage, error) {
		return func(object map[string]any, broken generate.Breakage, err error) {
			add(sort, update, object, broken, err)
		}
	}
	add("valid", false, old, generate.Breakage{}, nil)
	valid("boundary", false)(resources.Boundary(r))
	valid("update", true)(resources.Update(r, old))
	broken("broken", false)(resources.Broken(r))
	broken("broken update", true)(resources.BrokenUpdate(r, old))
	if s.status {
		valid("status", true)(resources.UpdateStatus(r, old))
		broken("broken status", true)(resources.BrokenStatus(r, old))
	}
	return out
}

// The real code admits the objects that package generate calls valid. It
// rejects those that generate calls broken, with an error of the planned type
// at the planned path. The facade gives the same answer in both cases.
func TestGeneratedObjectsOfCorpus(t *testing.T) {
	versions := definitions(t)
	counts := map[string]int{}
	var slowest time.Duration // to a valid object
	var where string
	for i, s := range versions {
		if testing.Short() && i%20 != 0 {
			continue
		}
		resources, err := generate.ParseResources(s.crd.json, s.version)
		if err != nil {
			t.Fatalf("%s: %v", s.file, err)
		}
		start := time.Now()
		for seed := range *rounds {
			_, _ = resources.Valid(generate.NewRand(uint64(1000 + seed)))
		}
		if took := time.Since(start) / time.Duration(max(1, *rounds)); took > slowest {
			slowest, where = took, s.file+" "+s.version
		}
		for seed := range *rounds {
			for _, m := range s.requests(t, resources, uint64(1000+seed)) {
				counts[m.sort]++
				m.check(t, s.file)
			}
		}
	}
	t.Logf("%d versions: %v; the slowest valid object took %v: %s", len(versions), counts, slowest,
		where)
	if counts["valid"] == 0 || counts["boundary"] < counts["valid"] ||
		counts["update"] < counts["valid"] ||
		10*counts["broken"] < 9*counts["valid"] ||
		counts["status"] == 0 {
		t.Error("too few were made")
	}
}

// check asks both for their verdicts.
func (m made) check(t *testing.T, file string) {
	t.Helper()
	diff, stage := m.compare()
	if diff != "" {
		t.Errorf("%s: %s: %s\n%s", file, m.sort, diff, m.describe())
		return
	}
	if m.broken.Keyword == "" {
		if stage != protocol.StageAdmitted {
			t.Errorf("%s: %s: %s, though valid: %v\n%s", file, m.sort, stage, m.ours().Errors,
				m.describe())
		}
		return
	}
	for _, err := range m.ours().Errors { // compare has shown that they are the real ones
		if err.Type == string(m.broken.Type) &&
			(err.Field == m.broken.Path || err.Field == "<nil>" && strings.Contains(err.Detail,
				m.broken.Path)) {
			return
		}
	}
	t.Errorf("%s: %s: %s is not told at %q: %v\n%s", file, m.sort, m.broken.Keyword, m.broken.Path,
		m.ours().Errors, m.describe())
}
