// Command scores runs the conformance vectors against every implementation that
// conformance/ports has an adapter for, and writes docs/implementations.md.
//
//	go run ./conformance/ports/scores [-only NAME,...] [-out FILE]
//
// It runs in the root of a checkout. Adapters in Go are modules of their own,
// which are built here; those in JavaScript need npm ci and make web before
// ("make scores" does all). An implementation that cannot be started is said to
// be missing.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
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
	var scores []*score
	for _, im := range implementations(crdsem) {
		if *only != "" && !slices.Contains(strings.Split(*only, ","), im.name) {
			scores = append(scores, &score{implementation: im, missing: "it was not asked to run"})
			continue
		}
		fmt.Fprintln(os.Stderr, im.name)
		scores = append(scores, im.score(work, vectors))
	}
	var page bytes.Buffer
	writePage(&page, *day, scores)
	return os.WriteFile(*out, page.Bytes(), 0o644)
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
	s := &score{implementation: im, parts: map[suite.Part]*counts{}}
	command := im.command
	if im.folder != "" {
		program, err := build(work, im.folder)
		if err != nil {
			s.missing = err.Error()
			return s
		}
		command = []string{program}
	}
	for _, minor := range im.minors() {
		asked, err := suite.Under(minor, vectors)
		if err == nil {
			err = s.ask(command, minor, asked)
		}
		if err != nil {
			s.missing = err.Error()
			return s
		}
	}
	return s
}

// ask starts the program once and judges its answers to the vectors of a minor.
func (s *score) ask(command []string, minor string, vectors []suite.Vector) error {
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
			s.add(v, minor, unsupported)
			continue
		}
		if !s.knowsMinors {
			request.Kubernetes = ""
		}
		lines, asked = append(lines, request.AppendJSON(nil)), append(asked, v)
	}
	err = program.Answers(ctx, lines, func(i int, answer []byte) {
		s.judge(asked[i], minor, answer)
	})
	_ = program.Close() // a program that does not end is ended
	return err
}
