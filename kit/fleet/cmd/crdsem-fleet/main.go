// Command crdsem-fleet judges the stored objects of many clusters by a change
// of definitions:
//
//	crdsem-fleet -old old-crds/ -new new-crds/ -input 'dump/*.jsonl' -output out
//
// The input has lines of JSON: {"cluster": NAME, "object": OBJECT}. The output
// folder gets the files verdicts-*, counts-*, malformed-* and failures-*, see
// package fleet. Beam's flags choose a runner and its options, e.g. -runner
// flink.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/textio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/kit/fleet"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/kit/upgrade"
)

var (
	oldPath    = flag.String("old", "", "read the old definitions from `PATH`, a file or folder")
	newPath    = flag.String("new", "", "read the new definitions from `PATH`, a file or folder")
	policyPath = flag.String("policy", "", "read severities from `FILE`")
	input      = flag.String("input", "", "read records from the files that match `GLOB`")
	output     = flag.String("output", "", "write results into the folder `PATH`")
	shards     = flag.Int("shards", 8, "write verdicts into `N` files")
	deadline   = flag.Duration("deadline", 0, "judge a record in this `TIME`; 0 is 10s")
	bytes      = flag.Int("bytes", 0, "take records of `N` bytes; 0 is 3 MiB")
)

func main() {
	flag.Parse()
	beam.Init() // of a worker, this does not return
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "crdsem-fleet:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	for name, value := range map[string]string{"input": *input, "output": *output} {
		if value == "" {
			return fmt.Errorf("-%s is missing", name)
		}
	}
	u, err := readUpgrade()
	if err != nil {
		return err
	}
	u.Limits = fleet.Limits{Deadline: *deadline, Bytes: *bytes}
	p, s := beam.NewPipelineWithRoot()
	results := u.Judge(s, textio.Read(s, *input))
	prefix := strings.TrimSuffix(*output, "/") + "/"
	fleet.Write(s, prefix+"verdicts", *shards, results.Verdicts)
	fleet.Write(s, prefix+"counts", 1, results.Counts)
	fleet.Write(s, prefix+"malformed", *shards, results.Malformed)
	fleet.Write(s, prefix+"failures", *shards, results.Failures)
	return beamx.Run(ctx, p)
}

// readUpgrade reads the definitions and the policy.
func readUpgrade() (*fleet.Upgrade, error) {
	olds, err := readDefinitions(*oldPath)
	if err != nil {
		return nil, fmt.Errorf("-old: %w", err)
	}
	news, err := readDefinitions(*newPath)
	if err != nil {
		return nil, fmt.Errorf("-new: %w", err)
	}
	var changes []fleet.Change
	for _, name := range slices.Sorted(maps.Keys(olds)) {
		if news[name] != nil {
			changes = append(changes, fleet.Change{Old: olds[name], New: news[name]})
		}
	}
	if len(changes) == 0 {
		return nil, errors.New("-old and -new have no definition in common")
	}
	u, err := fleet.NewUpgrade(changes...)
	if err != nil || *policyPath == "" {
		return u, err
	}
	text, err := os.ReadFile(*policyPath)
	if err != nil {
		return nil, err
	}
	u.Policy, err = upgrade.ParsePolicy(text)
	return u, err
}

// readDefinitions returns the definitions in the manifests of a path, by name.
func readDefinitions(root string) (map[string][]byte, error) {
	found := map[string][]byte{}
	for o, err := range manifest.Definitions([]string{root}, nil) {
		if err != nil {
			return nil, err
		}
		metadata, _ := o.Content["metadata"].(map[string]any)
		name, _ := metadata["name"].(string)
		if found[name] != nil {
			fmt.Fprintf(os.Stderr, "%v: %s is defined twice; the later definition counts\n",
				o.Start(), name)
		}
		if found[name], err = crdsem.Encode(o.Content); err != nil {
			return nil, fmt.Errorf("%v: %w", o.Start(), err)
		}
	}
	return found, nil
}
