package engine

import (
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/kit/manifest"
)

// entry is an object of a text: a document, or an item of a list.
type entry struct{ manifest.Object }

// entries yields the objects of a text, with lists opened. The entry of an
// error has the document that it is about; nil if the text cannot be cut into
// documents.
func entries(text string) iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		for o, err := range manifest.Parse("", strings.NewReader(text)) {
			if !yield(entry{o}, err) {
				return
			}
		}
	}
}

// unreadableResult returns the result for an entry with an error.
func (in entry) unreadableResult(err error) *verdict.Result {
	if in.Document == nil {
		return judge.NewUnreadable("", err)
	}
	return judge.Unreadable(in.Document, err)
}

// unreadable returns the error of an entry that cannot be read. part is what
// the entry is in the request, e.g. "the stored object".
func (in entry) unreadable(part string, err error) error {
	part += " cannot be read"
	if placed, ok := errors.AsType[*manifest.Error](err); ok {
		return newTextError(part, placed.Position, placed.Err.Error())
	}
	text := err.Error()
	return newTextError(part, in.Document.LocateText(text), in.Document.FileLines(text))
}

// textError is an error about a text of a request, with its place there.
type textError struct {
	at   manifest.Position
	text string
}

// newTextError returns an error that names its line. prefix may be empty.
func newTextError(prefix string, at manifest.Position, text string) *textError {
	if at.Line > 0 {
		text = fmt.Sprintf("line %d: %s", at.Line, text)
	}
	if prefix != "" {
		text = prefix + ": " + text
	}
	return &textError{at, text}
}

// Error returns the text with its line.
func (e *textError) Error() string { return e.text }
