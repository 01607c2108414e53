package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"sync"

	"github.com/crdsem/crdsem/conformance/oracle/kube"
	"github.com/crdsem/crdsem/conformance/protocol"
	"github.com/crdsem/crdsem/conformance/run"
)

// maxVariants is the number of answers up to which a vector whose answer varies is
// of use.
const maxVariants = 8

// record asks the real code every vector's request and writes its answers into the
// vectors' files, or with -check compares them with what is written there.
func record(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("record", flag.ContinueOnError)
	folder := flags.String("vectors", "../vectors/eval", "the `folder` of the vectors' files")
	check := flags.Bool("check", false, "write nothing and fail where an answer is not the one written")
	runs := flags.Int("runs", 6, "ask each request `N` times, for the real code's answers may vary")
	if err := flags.Parse(args); err != nil {
		return err
	}
	vectors, err := run.Load(os.DirFS(*folder))
	if err != nil {
		return err
	}
	answers := askAll(ctx, kube.New(), vectors, *runs)
	if *check {
		return checkDrift(vectors, answers)
	}
	for i := range vectors {
		if len(answers[i]) > maxVariants {
			return fmt.Errorf("%s: the answer varies too much", vectors[i].ID)
		}
		setAnswers(&vectors[i], answers[i])
	}
	return writeVectors(*folder, vectors)
}

// askAll asks every request the given number of times and returns, for each, the
// different answers in their canonical form, sorted.
func askAll(ctx context.Context, handler protocol.Handler, vectors []run.Vector, runs int) [][]string {
	answers := make([][]string, len(vectors))
	next := make(chan int)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := range next {
				answers[i] = ask(ctx, handler, &vectors[i], runs)
			}
		})
	}
	for i := range vectors {
		next <- i
	}
	close(next)
	workers.Wait()
	return answers
}

func ask(ctx context.Context, handler protocol.Handler, v *run.Vector, runs int) []string {
	seen := map[string]bool{}
	for range runs {
		req, err := v.ProtocolRequest()
		if err != nil {
			return []string{faultOf(err)}
		}
		answer := protocol.AnswerRequest(ctx, req, handler)
		canonical, err := run.Canonical(answer.AppendJSON(nil))
		if err != nil {
			return []string{faultOf(err)}
		}
		seen[string(canonical)] = true
	}
	list := make([]string, 0, len(seen))
	for answer := range seen {
		list = append(list, answer)
	}
	sort.Strings(list)
	return list
}

func faultOf(err error) string {
	fault, _ := json.Marshal(map[string]string{"fault": err.Error()})
	return string(fault)
}

// setAnswers writes answers into a vector. Variants that are written there already
// stay where one of them still occurs, for not every run shows all of them.
func setAnswers(v *run.Vector, answers []string) {
	all := append([]string{}, answers...)
	if len(v.Or) > 0 || len(answers) > 1 {
		for _, written := range written(v) {
			if !contains(all, written) {
				all = append(all, written)
			}
		}
		sort.Strings(all)
	}
	v.Want = json.RawMessage(all[0])
	v.Or = nil
	for _, other := range all[1:] {
		v.Or = append(v.Or, json.RawMessage(other))
	}
}

// written returns the answers that a vector holds.
func written(v *run.Vector) []string {
	var list []string
	if len(v.Want) > 0 {
		list = append(list, string(v.Want))
	}
	for _, other := range v.Or {
		list = append(list, string(other))
	}
	return list
}

func contains(list []string, s string) bool {
	for _, other := range list {
		if other == s {
			return true
		}
	}
	return false
}

// checkDrift tells every answer that is not among those written.
func checkDrift(vectors []run.Vector, answers [][]string) error {
	drifted := 0
	for i := range vectors {
		allowed := written(&vectors[i])
		for _, answer := range answers[i] {
			if contains(allowed, answer) {
				continue
			}
			drifted++
			difference, err := run.Difference(vectors[i].Want, []byte(answer))
			if err != nil {
				difference = err.Error() + "\n"
			}
			fmt.Printf("%s: the real code now answers\n%s", vectors[i].ID, difference)
			break
		}
	}
	fmt.Printf("%d vectors, %d drifted\n", len(vectors), drifted)
	if drifted > 0 {
		return errFound
	}
	return nil
}

// writeVectors writes the files of all groups.
func writeVectors(folder string, vectors []run.Vector) error {
	files := map[string]*bytes.Buffer{}
	for i := range vectors {
		v := &vectors[i]
		file := files[v.Group]
		if file == nil {
			file = &bytes.Buffer{}
			files[v.Group] = file
		}
		line, err := v.AppendLine(nil)
		if err != nil {
			return err
		}
		file.Write(line)
	}
	for group, file := range files {
		if err := os.WriteFile(filepath.Join(folder, group+".jsonl"), file.Bytes(), 0o644); err != nil {
			return err
		}
	}
	fmt.Printf("%d vectors in %d files\n", len(vectors), len(files))
	return nil
}
