// Package visible makes text from input harmless for a terminal and a log.
// Names and messages of files can hold escape sequences, line breaks, and
// commands that a CI system obeys when it finds them in a log.
//
// [Line] is for one name or message, [Printf] for a line that has several of
// them, and a [Writer] for all that a program writes. What would act is written
// as an escape of JSON, e.g. \u001b, so that JSON keeps its value.
package visible

import (
	"fmt"
	"io"
	"reflect"
	"strings"
)

// Line returns a text in one line, without anything that acts on a terminal or
// in a log. It leaves out lines on which the CEL library shows a rule, which
// start with a vertical bar.
func Line(text string) string {
	if strings.ContainsAny(text, "\r\n") {
		var lines []string
		for line := range strings.Lines(strings.ReplaceAll(text, "\r", "\n")) {
			if trimmed := strings.TrimSpace(line); trimmed != "" && trimmed[0] != '|' {
				lines = append(lines, trimmed)
			}
		}
		text = strings.Join(lines, " ")
	}
	return Text(strings.ReplaceAll(text, "\t", " "))
}

// Text returns a text without anything that acts on a terminal or in a log. It
// keeps tabs and line feeds.
func Text(text string) string {
	s := scanner{midLine: true}
	out, _ := s.scan(nil, []byte(text), atEnd)
	return string(out)
}

// Verbatim is an argument of Printf that is written as it is, e.g. a text of
// several lines.
type Verbatim string

// Printf is fmt.Fprintf with the Line of every argument that is a text, an
// error or a fmt.Stringer.
func Printf(out io.Writer, format string, args ...any) {
	lines := make([]any, len(args))
	for i, arg := range args {
		lines[i] = lineOf(arg)
	}
	fmt.Fprintf(out, format, lines...)
}

func lineOf(arg any) any {
	switch arg := arg.(type) {
	case Verbatim:
		return arg
	case error, fmt.Stringer:
		return Line(fmt.Sprint(arg))
	}
	if v := reflect.ValueOf(arg); v.Kind() == reflect.String {
		return Line(v.String())
	}
	return arg
}
