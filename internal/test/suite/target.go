package suite

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"sync"
	"time"

	"github.com/crdsem/crdsem/internal/app/protocol"
)

// Target is an implementation that vectors are run against.
type Target interface {
	// Answers sends request lines, without line breaks, and calls got with the
	// answer to each, in order. It returns early if the target stops answering.
	Answers(ctx context.Context, lines [][]byte, got func(i int, answer []byte)) error
	// Supports reports whether the target answers an op.
	Supports(op string) bool
}

// handlerTarget is a handler in this process.
type handlerTarget struct {
	handler protocol.Handler
	ops     []string
}

// NewHandler returns a target that calls a handler. ops are the ops that the
// handler answers; without any it is expected to answer all.
func NewHandler(handler protocol.Handler, ops ...string) Target {
	return &handlerTarget{handler, ops}
}

func (t *handlerTarget) Supports(op string) bool {
	return len(t.ops) == 0 || slices.Contains(t.ops, op)
}

func (t *handlerTarget) Answers(ctx context.Context, lines [][]byte, got func(int, []byte)) error {
	for i, line := range lines {
		if err := ctx.Err(); err != nil {
			return err
		}
		got(i, protocol.AnswerLine(ctx, line, t.handler).AppendJSON(nil))
	}
	return nil
}

// Command describes how to start a program that speaks the protocol.
type Command struct {
	// Name is the program's file, or its name if PATH has it. Args are its
	// arguments.
	Name string
	Args []string
	// Stderr receives what the program writes to its standard error.
	Stderr io.Writer
	// Patience is the maximum time for one answer, and for the exit. Zero means
	// a minute.
	Patience time.Duration
}

// Program is a started program that speaks the protocol on its stdin and
// stdout.
type Program struct {
	stdin    io.WriteCloser
	pipe     io.ReadCloser
	stdout   *bufio.Reader
	cmd      *exec.Cmd
	patience time.Duration

	// hello is the line by which the program introduced itself, or nil.
	hello *helloLine
	once  sync.Once
	ended error
}

// helloLine holds the members of an introduction that are used.
type helloLine struct {
	Protocol int      `json:"protocol"`
	Name     string   `json:"name"`
	Version  string   `json:"version"`
	Ops      []string `json:"ops"`
}

// Start starts a program. The program may introduce itself in its first line.
// When the context ends, the program is killed. If Start fails, nothing is left
// running.
func Start(ctx context.Context, c Command) (*Program, error) {
	cmd := exec.CommandContext(ctx, c.Name, c.Args...)
	cmd.Stderr = c.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p := &Program{
		stdin:    stdin,
		pipe:     pipe,
		stdout:   bufio.NewReaderSize(pipe, 64<<10),
		cmd:      cmd,
		patience: c.Patience,
	}
	if p.patience == 0 {
		p.patience = time.Minute
	}
	// A child of the program may keep its outputs open.
	cmd.WaitDelay = min(p.patience, 5*time.Second)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, p.kill)
	if err := p.probe(); err != nil {
		p.kill()
		return nil, errors.Join(err, ignoreKill(p.Close()))
	}
	return p, nil
}

// kill ends the program and everything that waits for its answer.
func (p *Program) kill() {
	_ = p.cmd.Process.Kill() // it may have ended already
	_ = p.pipe.Close()
}

// ignoreKill drops the exit status of a program that was killed.
func ignoreKill(err error) error {
	if status := (*exec.ExitError)(nil); errors.As(err, &status) && status.ExitCode() < 0 {
		return nil
	}
	return err
}

// probe sends a trivial request to learn whether the program introduces itself
// before its first answer.
func (p *Program) probe() error {
	if _, err := fmt.Fprintln(p.stdin, `{"id":"probe","op":"sort","names":[]}`); err != nil {
		return err
	}
	line, err := p.read()
	if err != nil {
		return fmt.Errorf("the program does not answer: %w", err)
	}
	var hello helloLine
	if err := json.Unmarshal(line, &hello); err != nil || hello.Protocol == 0 {
		return nil
	}
	if hello.Protocol != protocol.Version {
		return fmt.Errorf("the program speaks version %d of the protocol, not %d", hello.Protocol,
			protocol.Version)
	}
	p.hello = &hello
	_, err = p.read()
	return err
}

// maxAnswer is the maximum length of an answer in bytes.
const maxAnswer = 64 << 20

// read returns the next line without its line break. A program that takes too
// long is killed.
func (p *Program) read() ([]byte, error) {
	timer := time.AfterFunc(p.patience, p.kill)
	line, err := p.line()
	if !timer.Stop() && err != nil {
		return nil, fmt.Errorf("no answer within %v", p.patience)
	}
	return line, err
}

func (p *Program) line() ([]byte, error) {
	var line []byte
	for {
		part, err := p.stdout.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == nil:
			return line[:len(line)-1], nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		case len(line) > maxAnswer:
			p.kill()
			return nil, fmt.Errorf("an answer of more than %d MiB", maxAnswer>>20)
		}
	}
}

// Name returns the name by which the program introduced itself, or "".
func (p *Program) Name() string {
	if p.hello == nil {
		return ""
	}
	return p.hello.Name + " " + p.hello.Version
}

// Supports reports whether the program answers the op. A program that did not
// list its ops is expected to answer all.
func (p *Program) Supports(op string) bool {
	return p.hello == nil || p.hello.Ops == nil || slices.Contains(p.hello.Ops, op)
}

// Answers implements [Target].
func (p *Program) Answers(ctx context.Context, lines [][]byte, got func(int, []byte)) error {
	go func() {
		out := bufio.NewWriter(p.stdin)
		for _, line := range lines {
			if _, err := out.Write(append(line[:len(line):len(line)], '\n')); err != nil {
				return // the reading side gets the same error
			}
		}
		_ = out.Flush()
	}()
	for i := range lines {
		answer, err := p.read()
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, io.EOF):
			return errors.New("the program ended its output")
		case err != nil:
			return err
		}
		got(i, answer)
	}
	return nil
}

// Close closes the program's input and waits for it to exit. A program that
// does not exit is killed.
func (p *Program) Close() error {
	p.once.Do(func() {
		timer := time.AfterFunc(p.patience, p.kill)
		defer timer.Stop()
		_ = p.stdin.Close() // a program that has ended has closed it
		p.ended = p.cmd.Wait()
	})
	return p.ended
}
