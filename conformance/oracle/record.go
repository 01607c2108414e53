package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"sync"

	"github.com/crdsem/crdsem/conformance/oracle/kube"
	"github.com/crdsem/crdsem/internal/test/suite"
)

// maxVariants is the maximum number of different answers of a vector. A vector
// with more shows nothing.
const maxVariants = 8

// record asks the real code the questions of all vectors and cases and writes
// the answers of its minor into their files. With -check it compares them with
// the files instead.
func record(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("record", flag.ContinueOnError)
	folder := flags.String("vectors", "../vectors", "the `folder` that holds eval and other")
	check := flags.Bool("check", false,
		"write nothing and fail where an answer is not the one written")
	runs := flags.Int("runs", 6,
		"ask each question `N` times, for the real code's answers may vary")
	requests := flags.String("requests", "",
		"record the `file` of requests instead of vectors and cases")
	match := flags.String("match", "", "ask only those whose id matches the regular `expression`")
	if err := flags.Parse(args); err != nil {
		return err
	}
	chosen, err := regexp.Compile(*match)
	if err != nil {
		return err
	}
	if *requests != "" {
		return recordRequests(ctx, *requests, *check)
	}
	all, err := load(*folder)
	if err != nil {
		return err
	}
	questions := slices.DeleteFunc(all.questions(),
		func(q question) bool { return !chosen.MatchString(q.id) })
	answers := askAll(ctx, questions, *runs)
	if *check {
		return checkDrift(questions, answers)
	}
	for i, q := range questions {
		if len(answers[i]) > maxVariants {
			return fmt.Errorf("%s: the answer varies too much", q.id)
		}
		if err := q.record(kube.Minor(), answers[i]); err != nil {
			return fmt.Errorf("%s: %w", q.id, err)
		}
	}
	return all.write(*folder)
}

// askAll asks every question the given number of times. For each it returns the
// distinct answers in their canonical form, sorted.
func askAll(ctx context.Context, questions []question, runs int) [][]string {
	answers := make([][]string, len(questions))
	next := make(chan int)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := range next {
				answers[i] = questions[i].answers(ctx, runs)
			}
		})
	}
	for i := range questions {
		next <- i
	}
	close(next)
	workers.Wait()
	return answers
}

// checkDrift prints every answer that is not among those written.
func checkDrift(questions []question, answers [][]string) error {
	drifted := 0
	for i, q := range questions {
		allowed := q.written(kube.Minor())
		if len(allowed) > 0 && len(answers[i]) == 0 {
			fmt.Printf("%s: this minor cannot be asked\n", q.id)
			drifted++
		}
		at := slices.IndexFunc(answers[i],
			func(answer string) bool { return !slices.Contains(allowed, answer) })
		if at < 0 {
			continue
		}
		drifted++
		difference := "no answer is recorded\n"
		if len(allowed) > 0 {
			var err error
			difference, err = suite.Difference([]byte(allowed[0]), []byte(answers[i][at]))
			if err != nil {
				difference = err.Error() + "\n"
			}
		}
		fmt.Printf("%s: the real code now answers\n%s", q.id, difference)
	}
	fmt.Printf("%s: %d vectors, %d drifted\n", kube.Minor(), len(questions), drifted)
	if drifted > 0 {
		return errFound
	}
	return nil
}

// set is everything that is recorded.
type set struct {
	vectors []suite.Vector // of eval
	cases   []suite.Case   // of other
}

// The folders of vectors and cases.
const (
	vectorFolder = "eval"
	caseFolder   = "other"
)

func load(folder string) (*set, error) {
	vectors, err := suite.Load(os.DirFS(filepath.Join(folder, vectorFolder)))
	if err != nil {
		return nil, err
	}
	cases, err := suite.LoadCases(os.DirFS(filepath.Join(folder, caseFolder)))
	if err != nil {
		return nil, err
	}
	return &set{vectors, cases}, nil
}

// write writes the files of all groups and kinds.
func (s *set) write(folder string) error {
	files := map[string][]byte{}
	for i := range s.vectors {
		name := filepath.Join(folder, vectorFolder, s.vectors[i].Group+".jsonl")
		if err := appendLine(files, name, &s.vectors[i]); err != nil {
			return err
		}
	}
	for i := range s.cases {
		name := filepath.Join(folder, caseFolder, s.cases[i].Kind+".jsonl")
		if err := appendLine(files, name, &s.cases[i]); err != nil {
			return err
		}
	}
	for name, content := range files {
		if err := os.WriteFile(name, content, 0o644); err != nil {
			return err
		}
	}
	fmt.Printf("%d vectors in %d files\n", len(s.vectors)+len(s.cases), len(files))
	return nil
}

func appendLine(
	files map[string][]byte, name string, line interface{ AppendLine([]byte) ([]byte, error) },
) error {
	content, err := line.AppendLine(files[name])
	files[name] = content
	return err
}
