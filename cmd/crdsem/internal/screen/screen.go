// Package screen is the output of a command: text for people or machines, and a
// line of progress on a terminal.
package screen

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"time"

	terminal "golang.org/x/term"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/internal/kit/visible"
)

// Screen is the standard output. If the standard error is a terminal, it has a
// line of progress after a second.
type Screen struct {
	out        *bufio.Writer
	err        io.Writer
	isTerminal bool // the output
	progresses bool // show progress
	started    time.Time
	written    time.Time // when the line of progress was last written
	shown      bool      // the line of progress is there
}

// New returns the screen of a standard output and a standard error.
func New(out, err io.Writer) *Screen {
	return &Screen{
		out: bufio.NewWriter(out), err: unwrapped(err),
		isTerminal: IsTerminal(out), progresses: IsTerminal(err), started: time.Now(),
	}
}

// IsTerminal reports whether a writer is a terminal.
func IsTerminal(out io.Writer) bool {
	file, ok := unwrapped(out).(*os.File)
	return ok && terminal.IsTerminal(int(file.Fd()))
}

// unwrapped returns what is below a writer that makes text harmless.
func unwrapped(out io.Writer) io.Writer {
	if w, ok := out.(*visible.Writer); ok {
		return w.Unwrap()
	}
	return out
}

// Style returns how text looks. Colors are for terminals, unless NO_COLOR is
// set (https://no-color.org) or the terminal is dumb. The source line of a
// finding is for people too.
func (s *Screen) Style(verbose bool) output.Style {
	style := output.Style{Verbose: verbose, Sources: s.isTerminal || verbose}
	style.Colors = s.isTerminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	return style
}

// Write writes to the standard output.
func (s *Screen) Write(data []byte) (int, error) {
	if s.isTerminal {
		s.clear()
	}
	return s.out.Write(data)
}

// The times of the line of progress.
const (
	progressAfter = time.Second
	progressEvery = 100 * time.Millisecond
)

// Advance shows how far the run is.
func (s *Screen) Advance(n int, what string) {
	if s.isTerminal {
		// An error stays in the writer until Close returns it.
		_ = s.out.Flush()
	}
	now := time.Now()
	if s.progresses && now.Sub(s.started) > progressAfter && now.Sub(s.written) > progressEvery {
		fmt.Fprintf(s.err, "\r\x1b[K%d %s", n, what)
		s.written, s.shown = now, true
	}
}

// clear removes the line of progress.
func (s *Screen) clear() {
	if s.shown {
		fmt.Fprint(s.err, "\r\x1b[K")
	}
	s.shown = false
}

// Close writes what is left. It returns the first error of the output.
func (s *Screen) Close() error {
	s.clear()
	return s.out.Flush()
}
