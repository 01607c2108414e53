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

	"github.com/crdsem/crdsem/internal/protocol"
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

// Command says how a program that speaks the protocol is started.
type Command struct {
	// Name is the program's file, or its name where it lies in PATH; Args follow it.
	Name string
	Args []string
	// Stderr takes what the program writes to its standard error.
	Stderr io.Writer
	// Patience is how long the program may take for one answer, and to exit. Zero is a
	// minute.
	Patience time.Duration
}

// Program is a started program that speaks the protocol on its stdin and stdout.
type Program struct {
	stdin    io.WriteCloser
	pipe     io.ReadCloser
	stdout   *bufio.Reader
	cmd      *exec.Cmd
	patience time.Duration

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

// Start starts a program. The program may introduce itself in its first line. The
// context's end kills it. Where Start fails, nothing is left running.
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
	p := &Program{stdin: stdin, pipe: pipe, stdout: bufio.NewReaderSize(pipe, 64<<10), cmd: cmd, patience: c.Patience}
	if p.patience == 0 {
		p.patience = time.Minute
	}
	// What the program itself has started may hold its outputs open.
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

// kill ends the program and whoever waits for its answer.
func (p *Program) kill() {
	_ = p.cmd.Process.Kill() // it may have ended
	_ = p.pipe.Close()
}

// ignoreKill drops the exit status of a program that was killed.
func ignoreKill(err error) error {
	if status := (*exec.ExitError)(nil); errors.As(err, &status) && status.ExitCode() < 0 {
		return nil
	}
	return err
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

// maxAnswer is the length of the longest answer that is read, in bytes.
const maxAnswer = 64 << 20

// read returns the next line without its line break. A program that takes too long
// for it is killed.
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

// Name returns how the program introduced itself, or "".
func (p *Program) Name() string {
	if p.hello == nil {
		return ""
	}
	return p.hello.Name + " " + p.hello.Version
}

// Supports reports whether the program introduced itself as answering the op; one
// that did not say which ops it answers is taken to answer all.
func (p *Program) Supports(op string) bool {
	return p.hello == nil || p.hello.Ops == nil || slices.Contains(p.hello.Ops, op)
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

// Close ends the program's input and waits for it to exit; one that does not is
// killed.
func (p *Program) Close() error {
	p.once.Do(func() {
		timer := time.AfterFunc(p.patience, p.kill)
		defer timer.Stop()
		_ = p.stdin.Close() // a program that has ended has closed it
		p.ended = p.cmd.Wait()
	})
	return p.ended
}
