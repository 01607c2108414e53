package manifest

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/json"
)

// Error is an error with its position.
type Error struct {
	Position
	// Err is the error.
	Err error
}

// Error returns the position and the text, e.g. `app.yaml:12:3: key "a" already
// set in map`.
func (e *Error) Error() string { return fmt.Sprintf("%v: %v", e.Position, e.Err) }

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

var (
	// lineInText matches a line in a message of the YAML library.
	lineInText = regexp.MustCompile(`\bline (\d+)\b`)
	// lineBefore matches the line that such a message is about.
	lineBefore = regexp.MustCompile(`\bline \d+: `)
)

// FileLines returns a message of the server's YAML decoder with the lines of
// the file instead of those of the document, e.g. "yaml: line 12: could not
// find expected ':'". Other messages are returned as they are.
func (d *Document) FileLines(message string) string {
	if !isYAMLMessage(message) {
		return message
	}
	return lineInText.ReplaceAllStringFunc(message, func(match string) string {
		line, err := strconv.Atoi(strings.TrimPrefix(match, "line "))
		if err != nil {
			return match // a line that no text has
		}
		return fmt.Sprintf("line %d", line+d.Line-1)
	})
}

func isYAMLMessage(message string) bool {
	return strings.Contains(message, "yaml: ") || alreadySet.MatchString(message)
}

// decodeError returns the error of a text that is not decodable.
func (d *Document) decodeError(err error) *Error {
	if ok, offset := json.SyntaxErrorOffset(err); ok {
		return &Error{d.position(int(offset) - 1), err}
	}
	text := err.Error()
	at := d.LocateText(text)
	if bad := d.firstUnreadable(); at == d.Start() && bad >= 0 {
		at = d.position(bad)
	}
	return &Error{at, withoutLine(text)}
}

// withoutLine returns the error of a message, without a line: the position has
// it.
func withoutLine(message string) error {
	return errors.New(lineBefore.ReplaceAllString(message, ""))
}

// firstUnreadable returns the offset of the first byte that YAML does not
// allow, or -1.
func (d *Document) firstUnreadable() int {
	for i := 0; i < len(d.Data); {
		r, width := utf8.DecodeRune(d.Data[i:])
		control := unicode.IsControl(r) && !strings.ContainsRune("\t\n\r\u0085", r)
		if r == utf8.RuneError && width == 1 || control || r == '\uFFFE' || r == '\uFFFF' {
			return i
		}
		i += width
	}
	return -1
}

var (
	// alreadySet matches the YAML library's error about a duplicate key.
	alreadySet = regexp.MustCompile(`\bline (\d+): key (.+) already set in map`)
	// strictField matches an error of the server's strict decoder.
	strictField = regexp.MustCompile(`\b(unknown|duplicate) field ("(?:[^"\\]|\\.)*")`)
	// yamlLine matches an error of the YAML library about the text.
	yamlLine = regexp.MustCompile(`\byaml: line (\d+): (.*)`)
	// inRule matches the place in a rule of CEL.
	inRule = regexp.MustCompile(`<input>:(\d+):(\d+)`)
)

// LocateText returns the position that a message of the server names, e.g. of
// the key spec.x for the warning `unknown field "spec.x"`, of the second key
// for `line 7: key "a" already set in map`, of the value of spec.x for "spec.x:
// ...", and of the value that [Document.Mistyped] finds. For any other message
// it returns the position of the document.
//
// The first call for a document, and the first that leads to a mapping, take
// time in proportion to them; any other takes time in proportion to the
// message, and to the levels that its path leads through.
func (d *Document) LocateText(message string) Position {
	if m := strictField.FindStringSubmatch(message); m != nil {
		path, err := strconv.Unquote(m[2])
		if err != nil {
			path = strings.Trim(m[2], `"`)
		}
		return d.Find(path).Key
	}
	if m := alreadySet.FindStringSubmatch(message); m != nil {
		return d.keyOnLine(m[1], m[2])
	}
	if m := yamlLine.FindStringSubmatch(message); m != nil {
		return d.textLine(m[1], m[2])
	}
	if path := d.Mistyped(message); path != "" {
		return d.Find(path).Value
	}
	path, _, found := strings.Cut(message, ": ")
	if place := d.Find(path); found && path != "" && place.Missing == "" {
		return place.Value
	}
	return d.Start()
}

// textLine returns the position of the first character on a line that the YAML
// library names. Its parser names the line before, its scanner the line.
func (d *Document) textLine(number, problem string) Position {
	line, err := strconv.Atoi(number)
	if err != nil {
		return d.Start()
	}
	if strings.HasPrefix(problem, "did not find expected") {
		line++
	}
	starts := newLineStarts(d.whole().Data, yamlBreak)
	at := starts.offset(line, 1)
	for at < len(starts.text) && isSpace(starts.text[at]) {
		at++
	}
	return d.position(at)
}

// quotedPath returns the path in quotes that a text starts with, e.g. spec for
// `"spec" must not validate the schema (not)`, or an empty string.
func quotedPath(text string) string {
	quoted, err := strconv.QuotedPrefix(text)
	if err != nil || quoted[0] != '"' {
		return ""
	}
	path, err := strconv.Unquote(quoted)
	if err != nil {
		return ""
	}
	return path
}

// Locate returns the position of a finding: of the bad value, or of the item of
// a list; of the key of a forbidden field; of the object that lacks a required
// field. An error in a rule of CEL is located within the text of the rule.
//
// An error whose field the document does not have is located at the nearest
// object or list that would hold it. An error of anyOf, oneOf, allOf or not has
// no field, but a text that starts with its path in quotes.
func (d *Document) Locate(err *field.Error) Position {
	path := err.Field
	if path == "" || path == "<nil>" {
		path = quotedPath(err.Detail)
	}
	place := d.Find(path)
	if place.Missing != "" || err.Type == field.ErrorTypeForbidden {
		return place.Key
	}
	if m := inRule.FindStringSubmatch(err.Detail); m != nil {
		line, _ := strconv.Atoi(m[1]) // of too many digits, the largest number
		column, _ := strconv.Atoi(m[2])
		return place.Within(line, column)
	}
	return place.Value
}
