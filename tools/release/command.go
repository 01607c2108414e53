package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// shell runs programs in a folder with additions to the environment.
type shell struct {
	dir string
	env []string
}

func (s shell) with(env ...string) shell {
	return shell{s.dir, append(s.env[:len(s.env):len(s.env)], env...)}
}

func (s shell) in(dir string) shell { return shell{dir, s.env} }

// run runs a program and returns what it prints.
func (s shell) run(ctx context.Context, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = s.dir, append(os.Environ(), s.env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out)), nil
}

// all runs programs one after the other, each given as its words.
func (s shell) all(ctx context.Context, lines ...[]string) error {
	for _, line := range lines {
		if _, err := s.run(ctx, line[0], line[1:]...); err != nil {
			return err
		}
	}
	return nil
}
