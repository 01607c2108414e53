// Command scores runs the conformance vectors against every implementation that
// conformance/ports has an adapter for, and writes docs/implementations.md.
//
//	go run ./conformance/ports/scores [-only NAME,...] [-keep FILE] [-out FILE]
//
// It runs in the root of a checkout. Adapters in Go are modules of their own,
// which are built here; those in JavaScript need npm ci and make web before
// ("make scores" does all). An implementation that cannot be started is said to
// be missing. The file of -keep holds the scores of earlier runs: those that
// -only does not name are taken from it, and each new one is written to it.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/crdsem/crdsem/internal/test/suite"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "scores:", err)
		os.Exit(2)
	}
}

func run() error {
	only := flag.String("only", "", "run these implementations only, separated by commas")
	keep := flag.String("keep", "", "a `file` of the scores of earlier runs")
	out := flag.String("out", "docs/implementations.md", "the `file` to write")
	day := flag.String("date", time.Now().UTC().Format(time.DateOnly), "the `day` of the run")
	flag.Parse()
	vectors, err := suite.Load(os.DirFS("conformance/vectors/eval"))
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "scores")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	crdsem, err := build(work, "cmd/crdsem")
	if err != nil {
		return err
	}
	if err := os.Setenv("CRDSEM", crdsem); err != nil {
		return err
	}
	kept, err := readKept(*keep)
	if err != nil {
		return err
	}
	var scores []*score
	for _, im := range implementations(crdsem) {
		if *only == "" || slices.Contains(strings.Split(*only, ","), im.name) {
			fmt.Fprintln(os.Stderr, im.name)
			kept[im.name] = im.score(work, vectors)
			if err := writeKept(*keep, kept); err != nil {
				return err
			}
		}
		if s := kept[im.name]; s != nil {
			s.implementation = im
			scores = append(scores, s)
		}
	}
	var page bytes.Buffer
	writePage(&page, *day, scores)
	return os.WriteFile(*out, page.Bytes(), 0o644)
}

// readKept reads the scores of earlier runs by name. Without a file there are
// none.
func readKept(name string) (map[string]*score, error) {
	kept := map[string]*score{}
	text, err := os.ReadFile(name)
	if name == "" || errors.Is(err, fs.ErrNotExist) {
		return kept, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &kept)
	}
	return kept, err
}

func writeKept(name string, kept map[string]*score) error {
	if name == "" {
		return nil
	}
	text, err := json.Marshal(kept)
	if err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o644)
}

// build builds the program of a folder, which is a module of its own.
func build(work, folder string) (string, error) {
	name := filepath.Join(work, filepath.Base(folder))
	cmd := exec.Command("go", "build", "-o", name, ".")
	cmd.Dir = folder
	if folder != "cmd/crdsem" {
		cmd.Env = append(os.Environ(), "GOWORK=off")
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w: %s", folder, err, out)
	}
	return name, nil
}

// score asks an implementation all vectors of its ops.
func (im *implementation) score(work string, vectors []suite.Vector) *score {
	s := &score{implementation: im, Parts: map[suite.Part]*counts{}}
	command := im.command
	if im.folder != "" {
		program, err := build(work, im.folder)
		if err != nil {
			s.Missing = err.Error()
			return s
		}
		command = []string{program}
	}
	for _, round := range im.rounds() {
		if err := s.ask(command, round, vectors); err != nil {
			s.Missing = err.Error()
			return s
		}
	}
	return s
}

// ask starts the program once and compares its answers with those of some
// minors.
func (s *score) ask(command, minors []string, vectors []suite.Vector) error {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Minute)
	defer cancel()
	program, err := suite.Start(ctx, suite.Command{
		Name: command[0], Args: command[1:], Stderr: os.Stderr, Patience: time.Minute,
	})
	if err != nil {
		return err
	}
	var lines [][]byte
	var asked []*suite.Vector
	for i := range vectors {
		v := &vectors[i]
		request, err := v.ProtocolRequest()
		if err != nil {
			return err
		}
		if !program.Supports(request.Op) {
			s.judge(v, minors, nil)
			continue
		}
		if len(s.asked) > 0 {
			request.Kubernetes = minors[0]
		}
		lines, asked = append(lines, request.AppendJSON(nil)), append(asked, v)
	}
	err = program.Answers(ctx, lines, func(i int, answer []byte) {
		s.judge(asked[i], minors, answer)
	})
	_ = program.Close() // a program that does not end is ended
	return err
}
