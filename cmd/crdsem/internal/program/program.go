// Package program runs programs of the user, e.g. kubectl, within limits.
package program

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Limits bound a program. Variables are added to its environment, and Input is
// its standard input.
type Limits struct {
	Time      time.Duration
	Output    int64
	Variables []string
	Input     string
}

const (
	maxErrors = 64 << 10    // bytes of the standard error
	maxShown  = 2 << 10     // bytes of it in an error
	patience  = time.Second // for children that hold the output
)

// Run runs a program and returns its standard output. The error of a program
// that fails has its standard error.
func (l Limits) Run(ctx context.Context, name string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, l.Time,
		fmt.Errorf("it did not end within %v", l.Time))
	defer cancel()
	stop, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	command := exec.CommandContext(stop, name, args...)
	command.WaitDelay = patience
	command.Env = append(command.Environ(), l.Variables...)
	command.Stdin = strings.NewReader(l.Input)
	var out, errs bytes.Buffer
	command.Stdout = &bounded{&out, l.Output, l.Output, fail}
	command.Stderr = &bounded{&errs, maxErrors, maxErrors, fail}
	err := command.Run()
	if cause := context.Cause(stop); err != nil && cause != nil {
		err = cause
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", filepath.Base(name), err)
		if text := plain(strings.TrimSpace(errs.String())); text != "" {
			err = fmt.Errorf("%w: %s", err, text[:min(len(text), maxShown)])
		}
	}
	return out.Bytes(), err
}

var (
	// logged matches an error that kubectl writes as a line of its log.
	logged = regexp.MustCompile(`^E\d{4} \S+ +\d+ \S+\] "command failed" err=(".*")$`)
	// twice matches an error of kustomize about a path, which it tries as a
	// file and as a folder.
	twice = regexp.MustCompile(`accumulation err='accumulating resources from '(.+?)': ` +
		`(.+)': must build at directory: not a valid directory: (.+)$`)
)

// plain returns an error of kubectl or kustomize without the head of a line of
// a log, and with its cause once.
func plain(text string) string {
	if found := logged.FindStringSubmatch(text); found != nil {
		if inner, err := strconv.Unquote(found[1]); err == nil {
			text = inner
		}
	}
	if found := twice.FindStringSubmatch(text); found != nil && found[2] == found[3] {
		text = twice.ReplaceAllString(text, "'$1': $3")
	}
	return text
}

// bounded is a writer that ends the program when it is full.
type bounded struct {
	out         io.Writer
	left, limit int64
	fail        context.CancelCauseFunc
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.left -= int64(len(p)); b.left < 0 {
		err := fmt.Errorf("it prints more than %d bytes", b.limit)
		b.fail(err)
		return 0, err
	}
	return b.out.Write(p)
}

// Find returns the first of some programs that is found on PATH. One in the
// current folder is not found.
func Find(names ...string) (path string, err error) {
	var all error
	for _, name := range names {
		path, err := exec.LookPath(name)
		if err == nil {
			return path, nil
		}
		all = errors.Join(all, err)
	}
	return "", all
}
