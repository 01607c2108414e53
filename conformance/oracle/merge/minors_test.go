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
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/structural"
)

var (
	managerPrograms = flag.String("programs", "",
		"the folder of the programs of other minors, which minors/build.sh builds")
	managerSequences = flag.Int("minor-sequences", 20_000,
		"how many random sequences each minor gets")
)

// TestMinors sends the same random applies and updates to the real field
// manager of each other minor and to ours. It needs their programs.
func TestMinors(t *testing.T) {
	if *managerPrograms == "" {
		t.Skip("without -programs there are no other minors") // each takes minutes to build
	}
	list := append(crds(t), pairs())
	asked := 0
	for _, minor := range minors.All() {
		program := filepath.Join(*managerPrograms, minor.String())
		if _, err := os.Stat(program); err != nil {
			continue
		}
		asked++
		t.Run(minor.String(), func(t *testing.T) {
			t.Parallel()
			manager := startManager(t, program)
			worlds := map[int]*world{}
			tally := map[string]int{}
			for seed := range *managerSequences {
				g := &generator{rand.New(rand.NewPCG(uint64(seed), 7))}
				i := seed / 20 % len(list) // a definition is sent once for some sequences
				if g.oneIn(8) {
					i = len(list) - 1 // lists of several keys
				}
				if worlds[i] == nil {
					worlds[i] = newWorld(t, list[i], structural.Kubernetes(minor))
					worlds[i].ask = manager.do
				}
				if diff := runSequence(t, worlds[i], g, tally); diff != "" {
					t.Fatalf("seed %d, %s: %s", seed, list[i].Name, diff)
				}
			}
			compareMalformed(t, minor, program, *managerSequences)
			t.Logf("%d sequences over %d CRDs: %v", *managerSequences, len(worlds), tally)
			expectTally(t, tally, "apply", "update", "conflict", "bad object", "unchanged",
				"removed", "lumped")
		})
	}
	if asked == 0 {
		t.Errorf("%s has no program of a minor", *managerPrograms)
	}
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
