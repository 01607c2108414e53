//go:build !older

package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/crdsem/crdsem/conformance/oracle/celfunctions"
	"github.com/crdsem/crdsem/conformance/oracle/differential"
	"github.com/crdsem/crdsem/conformance/oracle/kube"
	"github.com/crdsem/crdsem/internal/app/evaluator/whole"
	"github.com/crdsem/crdsem/internal/test/suite"
)

// compare sends the same generated requests to the library and to the real code
// and reports the differences.
func compare(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("differential", flag.ContinueOnError)
	functions := flags.Int("functions", 0,
		"compare the table of functions, with at most `N` calls of each, not generated cases")
	ops := flags.String("ops", strings.Join(differential.Ops(), ","),
		"compare these `ops`, separated by commas")
	n := flags.Int("n", 1000, "`N` cases for each op")
	seed := flags.Uint64("seed", 1, "the `seed` of the cases")
	folder := flags.String("corpus", "",
		"make half of the cases of the definitions and objects in this `folder`")
	known := flags.String("known", "../known_differences.yaml", "the `file` of known differences")
	most := flags.Int("most", 5, "shrink and print at most `N` differences of an op")
	minor := flags.String("kubernetes", suite.Newest(), "compare the answers of this `minor`")
	file := flags.String("real", "",
		"compare with this `program`, made by minors/build.sh, not with the newest minor")
	level := flags.String("level", string(suite.Text),
		"count differences of this `level` and deeper: text, cost, verdict")
	self := flags.Bool("self", false,
		"compare with the newest real code, not with the library: what changed, or is random")
	if err := flags.Parse(args); err != nil {
		return err
	}
	real, stop, err := judge(ctx, *file)
	if err != nil {
		return err
	}
	defer stop()
	pair := differential.Pair{
		Real:  real,
		Ours:  differential.Handled(whole.New()),
		Level: suite.Level(*level),
	}
	if *self {
		pair.Ours = differential.Handled(kube.New())
		*minor = ""
	}
	if *functions > 0 {
		f := &differential.Functions{Pair: pair, Kubernetes: *minor}
		return tellFunctions(ctx, f, *functions)
	}
	plan := differential.Plan{Pair: pair, Ops: strings.Split(*ops, ","), N: *n, Seed: *seed,
		Most: *most, Kubernetes: *minor}
	if plan.Known, err = readKnown(*known, *minor); err != nil {
		return err
	}
	var corpus []differential.Definition
	if *folder != "" {
		if corpus, err = differential.Corpus(ctx, *folder, plan.Pair.Real); err != nil {
			return err
		}
		fmt.Printf("corpus: %d definitions\n", len(corpus))
	}
	plan.Sources = differential.Sources(plan.Pair.Real, corpus)
	for _, op := range plan.Ops {
		if plan.Sources[op] == nil {
			return fmt.Errorf("op %q is not known", op)
		}
	}
	return tellDifferences(ctx, plan)
}

// readKnown reads the known differences of a minor from a file.
func readKnown(file, minor string) (suite.KnownDifferences, error) {
	doc, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	known, err := suite.ParseKnownDifferences(doc)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return known.Under(cmp.Or(minor, suite.Newest())), nil
}

// judge returns the real code: a program, or what is linked here.
func judge(ctx context.Context, file string) (differential.Respondent, func(), error) {
	if file == "" {
		return differential.Handled(kube.New()), func() {}, nil
	}
	return differential.Programs(ctx, file, "eval")
}

// tellDifferences runs the plan op by op and prints the outcomes.
func tellDifferences(ctx context.Context, plan differential.Plan) error {
	bad := 0
	for _, op := range plan.Ops {
		one := plan
		one.Ops = []string{op}
		start := time.Now()
		for _, o := range differential.Run(ctx, one) {
			for _, f := range o.Findings {
				tellFinding(f)
			}
			c := o.Counts
			bad += c.Differing - c.Known
			fmt.Printf(
				"%-10s %6d cases, %d differing (%d known), %d in texts only, %d in costs, "+
					"%d faults on both sides, %d panics of the real code, %v\n",
				o.Op,
				c.Cases,
				c.Differing,
				c.Known,
				c.Texts,
				c.Costs,
				c.BothFault,
				c.RealPanics,
				time.Since(start).Round(time.Millisecond),
			)
		}
	}
	if bad > 0 {
		return errFound
	}
	return nil
}

// tellFunctions compares the table of functions and prints the rules on which
// the two differ.
func tellFunctions(ctx context.Context, f *differential.Functions, most int) error {
	env := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
	f.Tell = tellFinding
	rules := celfunctions.Expressions(env.StoredExpressionsEnv(), most)
	c := f.Run(ctx, rules)
	fmt.Printf("%d rules, %d cases, %d differing, %d requests in texts only, %d in costs\n",
		len(rules), c.Cases, c.Differing, c.Texts, c.Costs)
	if c.Differing > 0 {
		return errFound
	}
	return nil
}

func tellFinding(f differential.Finding) {
	line, err := f.Case.Line("shrunk")
	if err != nil {
		line = []byte(err.Error())
	}
	fmt.Printf("\n%s\n%s\n", line, strings.TrimSuffix(f.Difference, "\n"))
}
