//go:build !older

package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/crdsem/crdsem/conformance/oracle/differential"
	"github.com/crdsem/crdsem/conformance/oracle/kube"
	"github.com/crdsem/crdsem/internal/app/evaluator/whole"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/test/suite"
)

// matrix asks the real code of every minor, and the library, to judge the
// definitions of a folder. It prints the definitions whose verdict differs
// between minors, and those on which the library does not agree.
func matrix(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("matrix", flag.ContinueOnError)
	folder := flags.String("corpus", "", "the `folder` of the definitions")
	programs := flags.String("programs", "",
		"the `folder` of the programs of older minors, made by minors/build.sh")
	if err := flags.Parse(args); err != nil {
		return err
	}
	documents, err := differential.Documents(*folder)
	if err != nil {
		return err
	}
	documents = slices.DeleteFunc(documents, func(doc map[string]any) bool {
		return doc["kind"] != "CustomResourceDefinition"
	})
	verdicts := map[string][]verdict{}
	for _, minor := range suite.Minors() {
		if verdicts[minor], err = judgeAll(ctx, minor, *programs, documents); err != nil {
			return err
		}
	}
	out := bufio.NewWriter(os.Stdout)
	differing := writeMatrix(out, documents, verdicts)
	if err := out.Flush(); err != nil {
		return err
	}
	if differing > 0 {
		return errFound
	}
	return nil
}

// verdict is what one minor says about a definition.
type verdict struct {
	real  string      // "accepted", or the first error by type and field
	level suite.Level // how deep the library differs
}

// judgeAll asks the real code of a minor and the library.
func judgeAll(
	ctx context.Context, minor, programs string, documents []map[string]any,
) ([]verdict, error) {
	real, stop := differential.Handled(kube.New()), func() {}
	if minor != suite.Newest() {
		var err error
		real, stop, err = differential.Programs(ctx, filepath.Join(programs, minor), "eval")
		if err != nil {
			return nil, err
		}
	}
	defer stop()
	ours := differential.Handled(whole.New())
	var list []verdict
	for _, doc := range documents {
		line, err := differential.Case{
			Op:         protocol.OpCRD,
			Inputs:     map[string]any{"crd": doc},
			Kubernetes: minor,
		}.Line("1")
		if err != nil {
			return nil, err
		}
		answer := real(ctx, line)
		level, err := suite.Depth(answer, ours(ctx, line))
		if err != nil {
			return nil, err
		}
		list = append(list, verdict{real: said(answer), level: level})
	}
	return list, nil
}

// said returns "accepted", or the first error by its type and field.
func said(answer []byte) string {
	var a struct {
		Fault  string
		Errors []protocol.FieldError
	}
	if err := json.Unmarshal(answer, &a); err != nil {
		return err.Error()
	}
	if len(a.Errors) == 0 {
		return cmp.Or(a.Fault, "accepted")
	}
	first := slices.MinFunc(a.Errors, func(x, y protocol.FieldError) int {
		return cmp.Or(cmp.Compare(x.Field, y.Field), cmp.Compare(x.Type, y.Type))
	})
	return first.Type + " " + first.Field
}

// writeMatrix returns the number of answers on which the library differs, in
// verdicts, costs or texts. It writes how many these are in each minor.
func writeMatrix(
	out io.Writer, documents []map[string]any, verdicts map[string][]verdict,
) (different int) {
	changing := 0
	levels := map[string]map[suite.Level]int{}
	for _, minor := range suite.Minors() {
		levels[minor] = map[suite.Level]int{}
	}
	for i, doc := range documents {
		metadata, _ := doc["metadata"].(map[string]any)
		last := verdicts[suite.Newest()][i].real
		changes := false
		for _, minor := range suite.Minors() {
			changes = changes || verdicts[minor][i].real != last
		}
		changing += count(changes)
		for _, minor := range suite.Minors() {
			v := verdicts[minor][i]
			levels[minor][v.level]++
			if changes || v.level != suite.Same {
				fmt.Fprintf(out, "%v\t%s\t%s\t%s\n", metadata["name"], minor, v.real, v.level)
			}
		}
	}
	for _, minor := range suite.Minors() {
		n := levels[minor]
		different += len(documents) - n[suite.Same]
		fmt.Fprintf(out, "%s: the library differs in %d verdicts, %d costs, %d texts\n", minor,
			n[suite.Verdict], n[suite.Cost], n[suite.Text])
	}
	fmt.Fprintf(out, "%d definitions, %d with another verdict in some minor\n", len(documents),
		changing)
	return different
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
