package fleet_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/crdsem/crdsem/kit/fleet"
)

// An object of a cluster is ratcheted: its replicas are above the new maximum.
func Example() {
	before, _ := os.ReadFile("../../examples/upgrade/old.yaml")
	after, _ := os.ReadFile("../../examples/upgrade/new.yaml")
	u, err := fleet.NewUpgrade(fleet.Change{Old: before, New: after})
	if err != nil {
		log.Fatal(err)
	}
	out, err := os.MkdirTemp("", "fleet")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(out)
	p, s := beam.NewPipelineWithRoot()
	results := u.Judge(s, beam.Create(s, `{"cluster": "east", "object":
{"apiVersion": "example.com/v1beta1", "kind": "Pool", "metadata": {"name": "a", "namespace": "b"},
"spec": {"replicas": 500, "zone": "a"}}}`))
	fleet.Write(s, out+"/counts", 1, results.Counts)
	if err := beamx.Run(context.Background(), p); err != nil {
		log.Fatal(err)
	}
	text, _ := os.ReadFile(filepath.Join(out, "counts-00000-of-00001.jsonl"))
	fmt.Print(string(text))
	// Output:
	// {"cluster":"east","definition":"pools.example.com","version":"v1beta1","fate":"ratcheted","objects":1}
	// {"cluster":"east","definition":"pools.example.com","version":"v1beta1","fate":"ratcheted","rule":"VAL-050","objects":1}
}
