package merge_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/crdsem/crdsem/internal/test/corpus"
	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/structural"
)

var (
	managerPrograms = flag.String("programs", "",
		"the folder of the programs of other minors, which minors/build.sh builds")
	managerMinors = flag.String("minors", "",
		"with -programs, ask those of these minors only, e.g. \"1.34 1.35\"; all without it")
	managerSequences = flag.Int("minor-sequences", 20_000,
		"how many random sequences each minor gets")
)

// TestMinors compares our field manager of each minor with the recorded answers
// of the real one. With -programs it also sends the same random applies and
// updates to both.
func TestMinors(t *testing.T) {
	chosen := minors.All()
	if *managerMinors != "" {
		chosen = nil
		for _, name := range strings.Fields(*managerMinors) {
			chosen = append(chosen, minors.Minor(name))
		}
	}
	if *recordAnswers {
		recordSequences(t, chosen)
	}
	for _, minor := range minors.All() {
		t.Run(minor.String(), func(t *testing.T) { compareRecorded(t, minor) })
		if *managerPrograms != "" && !*recordAnswers && slices.Contains(chosen, minor) {
			t.Run("random "+minor.String(), func(t *testing.T) {
				t.Parallel()
				compareRandom(t, minor)
			})
		}
	}
}

// compareRandom sends random sequences to the real field manager of a minor and
// to ours.
func compareRandom(t *testing.T, minor minors.Minor) {
	t.Helper()
	if corpus.Path() == "" {
		t.Fatal("the sequences need the definitions of a corpus")
	}
	list := append(crds(t), pairs(), wide())
	ask := asker(t, minor)
	worlds := map[int]*world{}
	tally := map[string]int{}
	for seed := range *managerSequences {
		g := &generator{rand.New(rand.NewPCG(uint64(seed), 7))}
		i := seed / 20 % len(list) // a definition is sent once for some sequences
		if g.oneIn(8) {
			i = len(list) - 1 - g.IntN(2) // lists of several keys, everything
		}
		if worlds[i] == nil {
			worlds[i] = newWorld(t, list[i], structural.Kubernetes(minor))
			worlds[i].ask = ask
		}
		if diff := runSequence(t, worlds[i], g, tally); diff != "" {
			t.Fatalf("seed %d, %s: %s", seed, list[i].Name, diff)
		}
	}
	compareMalformed(t, minor, ask, *managerSequences)
	t.Logf("%d sequences over %d CRDs: %v", *managerSequences, len(worlds), tally)
	expectTally(t, tally, "apply", "update", "conflict", "bad object", "unchanged", "removed",
		"lumped")
}

// asker starts the program of a minor. It returns nil for the newest one, whose
// field manager is linked.
func asker(t *testing.T, minor minors.Minor) asking {
	t.Helper()
	if minor == minors.Newest() {
		return nil
	}
	return startManager(t, filepath.Join(*managerPrograms, minor.String())).do
}

// remoteManager is the program of another minor.
type remoteManager struct {
	in  *json.Encoder
	out *bufio.Reader
	crd *apiextensionsv1.CustomResourceDefinition // that was sent last
}

func startManager(t *testing.T, program string) *remoteManager {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, "managers")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		_, _ = io.Copy(io.Discard, out)
		_ = cmd.Wait()
	})
	return &remoteManager{in: json.NewEncoder(in), out: bufio.NewReader(out)}
}

// do asks for the object after a write. It has the form of world.ask.
func (m *remoteManager) do(
	crd *apiextensionsv1.CustomResourceDefinition, live map[string]any, s step,
) (map[string]any, error) {
	request := map[string]any{
		"live": live, "version": s.version.Name, "manager": s.manager, "apply": s.apply,
		"force": s.force, "subresource": s.subresource, "object": s.object,
	}
	if m.crd != crd {
		sent := crd.DeepCopy()
		sent.APIVersion, sent.Kind = "apiextensions.k8s.io/v1", "CustomResourceDefinition"
		m.crd, request["crd"] = crd, sent
	}
	if err := m.in.Encode(request); err != nil {
		return nil, err
	}
	line, err := m.out.ReadBytes('\n')
	if err != nil {
		return nil, err
	}
	var answer struct {
		Object json.RawMessage
		Error  string
	}
	if err := json.Unmarshal(line, &answer); err != nil {
		return nil, err
	}
	if answer.Error != "" {
		return nil, errors.New(answer.Error)
	}
	var object map[string]any
	return object, utiljson.Unmarshal(answer.Object, &object)
}
