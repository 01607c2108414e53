package upgrade_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/conformance/oracle/kube"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/definition/validate"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/generate"
	"github.com/crdsem/crdsem/kit/upgrade"
)

// Definitions are changed at random: real ones and made ones. Where logic says
// that nothing breaks, no object is accepted before and refused after.
// CRDSEM_CHANGES is the number of changes, CRDSEM_OBJECTS the number of objects
// for each, CRDSEM_SEED the seed.
func TestFineIsFine(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(number(t, "CRDSEM_SEED", 1)), 32))
	files, objects := smallDefinitions(t), number(t, "CRDSEM_OBJECTS", 50)
	counts := map[string]int{}
	wanted := number(t, "CRDSEM_CHANGES", 40)
	if testing.Short() {
		wanted = min(wanted, 10)
	}
	for counts["changes"] < wanted {
		text := files[r.IntN(len(files))].Text
		if r.IntN(2) == 0 {
			text = madeDefinition(t, r)
		}
		old, changed, what := change(t, r, text)
		if changed == nil {
			continue
		}
		report, err := upgrade.Compare(t.Context(), old, changed, upgrade.Tries(0),
			upgrade.ByPolicy(&upgrade.Policy{Merging: upgrade.Breaking, Status: upgrade.Breaking}))
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if refused(report) {
			continue
		}
		counts["changes"]++
		b := &bruteForce{T: t, r: r, what: what, old: old, changed: changed, counts: counts}
		for version, outcome := range outcomes(report) {
			counts[string(outcome.writers)]++
			if outcome.stored == upgrade.Notable {
				counts["ratcheted"]++
			}
			if outcome.stored == upgrade.Fine || outcome.stored == upgrade.Notable {
				b.version(version, outcome, objects)
			}
		}
	}
	t.Log(counts)
}

// madeDefinition returns a random definition that the server accepts.
func madeDefinition(t *testing.T, r *rand.Rand) []byte {
	t.Helper()
	for {
		text, err := json.Marshal(generate.Definition(r, generate.DefinitionConfig{}))
		if err != nil {
			t.Fatal(err)
		}
		crd, _, err := definition.Parse(text)
		if err == nil && len(validate.Create(t.Context(), crd.ForCreate()).Errors) == 0 {
			return text
		}
	}
}

// outcome is what the changes of a version mean to writers, and to stored
// objects.
type outcome struct{ writers, stored upgrade.Severity }

// outcomes returns the highest severities for writers, of changes that refuse
// more, and for stored objects, of all changes, for each version that both
// definitions serve.
func outcomes(report *upgrade.Report) map[string]outcome {
	found := map[string]outcome{}
	order := []upgrade.Severity{
		"", upgrade.Fine, upgrade.Notable, upgrade.Undecided, upgrade.Breaking,
	}
	most := func(a, b upgrade.Severity) upgrade.Severity {
		return order[max(slices.Index(order, a), slices.Index(order, b))]
	}
	for i := range report.Changes {
		c := &report.Changes[i]
		if c.Version == "" || c.From != "" {
			continue
		}
		o := found[c.Version]
		o.writers, o.stored = most(o.writers, upgrade.Fine), most(o.stored, upgrade.Fine)
		if c.Class == upgrade.Stricter {
			o.writers = most(o.writers, c.Severity)
		}
		o.stored = most(o.stored, c.Severities.Stored)
		found[c.Version] = o
	}
	return found
}

// bruteForce tries objects on both sides of a change.
type bruteForce struct {
	*testing.T
	r            *rand.Rand
	what         string
	old, changed []byte
	counts       map[string]int
}

// mostAsked returns how many of a number of objects of a version the real code
// is asked about that both definitions admit, and how many of those that are
// only refused as new ones. It is asked about all that show a wrong verdict.
func mostAsked(objects int) (admitted, ratcheted int) {
	return 3 + objects/100, 12 + objects/25
}

// version tries objects of a version. Stored objects that are refused as new
// ones are written unchanged.
func (b *bruteForce) version(name string, expected outcome, objects int) {
	b.Helper()
	old, oldMaker := b.side(b.old, name)
	changed, newMaker := b.side(b.changed, name)
	if oldMaker == nil || newMaker == nil {
		return
	}
	mostAdmitted, mostRatcheted := mostAsked(objects)
	admitted, ratcheted := 0, 0
	for i := range objects {
		object := b.object(i, oldMaker, newMaker)
		if object == nil {
			continue
		}
		b.counts["objects"]++
		before := old.Create(b.Context(), jsonvalue.DeepCopyMap(object))
		if !before.Admitted() || len(before.Pruned) > 0 {
			continue
		}
		after := changed.Create(b.Context(), jsonvalue.DeepCopyMap(object))
		if after.Admitted() {
			if admitted++; admitted > mostAdmitted || expected.writers != upgrade.Fine {
				continue
			}
		} else if expected.writers != upgrade.Fine {
			b.counts["refused"]++
			read := changed.Read(b.Context(), before.Object).Object
			unchanged := changed.Update(b.Context(), jsonvalue.DeepCopyMap(read),
				jsonvalue.DeepCopyMap(read))
			if ratcheted++; unchanged.Admitted() && ratcheted > mostRatcheted {
				continue
			}
		}
		if !b.isRight(name, expected, object, changed) {
			return
		}
	}
}

// isRight asks the real code about an object.
func (b *bruteForce) isRight(
	name string, expected outcome, object map[string]any, changed *crdsem.Version,
) bool {
	b.Helper()
	b.counts["asked"]++
	was, is := b.ask(b.old, name, object, nil), b.ask(b.changed, name, object, nil)
	if was.Stage != protocol.StageAdmitted || is.Stage == protocol.StageAdmitted {
		return true
	}
	if expected.writers == upgrade.Fine {
		b.fails("is refused", object, fmt.Errorf("%v", is.Errors))
		return false
	}
	stored := was.Object.(map[string]any)
	b.counts["stored"]++
	// A server reads what is stored by the new definition, then compares.
	read := changed.Read(b.Context(), stored).Object
	unchanged := b.ask(b.changed, name, read, read)
	if unchanged.Stage != protocol.StageAdmitted && !isOfOtherType(unchanged) {
		b.fails("is refused unchanged", read, fmt.Errorf("%v", unchanged.Errors))
		return false
	}
	return true
}

// keep writes a file of the last failure; go test -artifacts says where.
func (b *bruteForce) keep(name string, text []byte) {
	b.Helper()
	if err := os.WriteFile(filepath.Join(b.ArtifactDir(), name), text, 0o600); err != nil {
		b.Error(err)
	}
}

func (b *bruteForce) side(text []byte, version string) (*crdsem.Version, *generate.Resources) {
	b.Helper()
	def, err := crdsem.Parse(text)
	if err != nil {
		b.Fatal(err)
	}
	made, err := generate.NewResources(def, version)
	if err != nil {
		return nil, nil
	}
	v, err := def.Version(version)
	if err != nil {
		b.Fatal(err)
	}
	return v, made
}

// object makes an object by one of the definitions: a valid one, one at the
// limits, or a broken one.
func (b *bruteForce) object(i int, old, changed *generate.Resources) (object map[string]any) {
	var err error
	switch i % 5 {
	case 0:
		object, err = old.Valid(b.r)
	case 1:
		object, err = old.Boundary(b.r)
	case 2:
		object, err = changed.Boundary(b.r)
	case 3:
		object, _, err = changed.Broken(b.r)
	default:
		object, err = changed.Valid(b.r)
		if err == nil {
			object, _ = generate.Mutate(b.r, object).(map[string]any)
		}
	}
	if err != nil {
		return nil
	}
	return object
}

// isOfOtherType reports whether a rule fails for a value that the server takes
// though it is of another type than the schema: a number like 1.0 in a field of
// integers (VAL-021), or a list in a string with a format (VAL-022). That does
// not ratchet. It is a matter of the object, and docs/upgrade.md says it.
func isOfOtherType(a protocol.Admitted) bool {
	return slices.ContainsFunc(a.Errors, func(e protocol.FieldError) bool {
		return strings.Contains(e.Detail, "expected int, got float64") ||
			strings.Contains(e.Detail, "expected string, got []interface {}")
	})
}

// fails reports a wrong verdict.
func (b *bruteForce) fails(how string, object map[string]any, err error) {
	b.Helper()
	b.Errorf("%s: not breaking, and %v %s: %v", b.what, object["spec"], how, err)
	b.keep("old.json", b.old)
	b.keep("new.json", b.changed)
}

// ask sends an object to the real code, as the update of an old one if there is
// one.
func (b *bruteForce) ask(crd []byte, version string, object, old map[string]any) protocol.Admitted {
	b.Helper()
	request := &protocol.Request{Op: "admit", CRD: protocol.JSONInput(crd), Version: version}
	var err error
	if request.Object, err = protocol.ValueInput(maps.Clone(object)); err != nil {
		b.Fatal(err)
	}
	if old != nil {
		if request.Old, err = protocol.ValueInput(maps.Clone(old)); err != nil {
			b.Fatal(err)
		}
	}
	result, err := kube.New()(b.Context(), request)
	if err != nil { // the new definition cannot read what the old one stored
		b.Log(b.what, err)
		return protocol.Admitted{}
	}
	return result.(protocol.Admitted)
}
