package run

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

	"github.com/crdsem/crdsem/conformance/protocol"
)

// Target is an implementation that vectors are run against.
type Target interface {
	// Answers takes request lines without line breaks and calls got with the
	// answer to each, in order. It returns early where the target stops to answer.
	Answers(ctx context.Context, lines [][]byte, got func(i int, answer []byte)) error
	// Supports reports whether the target says that it answers an op.
	Supports(op string) bool
}

// handlerTarget is a handler in this process.
type handlerTarget struct {
	handler protocol.Handler
	ops     []string
}

// NewHandler returns the target that a handler is. ops are the ops it answers;
// without any it is taken to answer all.
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

// Program is a started program that speaks the protocol on its stdin and stdout.
type Program struct {
	stdin  io.WriteCloser
	stdout *bufio.Reader
	cmd    *exec.Cmd

	// hello is the line by which the program introduced itself, if it did.
	hello *helloLine
	once  sync.Once
	ended error
}

// helloLine is what is read of an introduction.
type helloLine struct {
	Protocol int      `json:"protocol"`
	Name     string   `json:"name"`
	Version  string   `json:"version"`
	Ops      []string `json:"ops"`
}

// Start starts a program. Its stderr goes to the writer given. The program may
// introduce itself in its first line. The context's end kills it.
func Start(ctx context.Context, stderr io.Writer, command string, args ...string) (*Program, error) {
	cmd := exec.CommandContext(ctx, command, args...)
	cmd.Stderr = stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &Program{stdin: stdin, stdout: bufio.NewReaderSize(stdout, 64<<10), cmd: cmd}
	return p, p.probe()
}

// probe asks for a trivial answer and so learns whether the program introduced
// itself before it.
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
		return fmt.Errorf("the program speaks version %d of the protocol, not %d", hello.Protocol, protocol.Version)
	}
	p.hello = &hello
	_, err = p.read()
	return err
}

// read returns the next line without its line break.
func (p *Program) read() ([]byte, error) {
	line, err := p.stdout.ReadBytes('\n')
	if err != nil {
		return nil, err
	}
	return line[:len(line)-1], nil
}

// Name returns how the program introduced itself, or "".
func (p *Program) Name() string {
	if p.hello == nil {
		return ""
	}
	return p.hello.Name + " " + p.hello.Version
}

// Supports reports whether the program introduced itself as answering the op; one
// that did not introduce itself is taken to answer all.
func (p *Program) Supports(op string) bool {
	return p.hello == nil || slices.Contains(p.hello.Ops, op)
}

// Answers implements [Target].
func (p *Program) Answers(ctx context.Context, lines [][]byte, got func(int, []byte)) error {
	go func() {
		out := bufio.NewWriter(p.stdin)
		for _, line := range lines {
			if _, err := out.Write(append(line[:len(line):len(line)], '\n')); err != nil {
				return // the reading side learns it too
			}
		}
		_ = out.Flush()
	}()
	for i := range lines {
		if err := ctx.Err(); err != nil {
			return err
		}
		answer, err := p.read()
		if err != nil {
			return fmt.Errorf("the program ended: %w", err)
		}
		got(i, answer)
	}
	return nil
}

// Close ends the program's input and waits for it to exit.
func (p *Program) Close() error {
	p.once.Do(func() {
		p.ended = errors.Join(p.stdin.Close(), p.cmd.Wait())
	})
	return p.ended
}
