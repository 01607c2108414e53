package evaluator

import (
	"bytes"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/base/schemapath"
	"github.com/crdsem/crdsem/kit/manifest"
)

// source is the text in which errors have their places. It is nil if places
// were not asked for.
type source struct{ document *manifest.Document }

// sourceOf returns the text of an input. The input is one document, therefore
// lines are counted from its start.
func sourceOf(req *protocol.Request, in protocol.Input) *source {
	if !req.Positions || !in.IsText() {
		return nil
	}
	text, _ := in.Document()
	for doc, err := range manifest.Read("", bytes.NewReader(text)) {
		if err == nil {
			return &source{doc}
		}
	}
	return nil
}

// place gives errors their positions. The list holds the same errors as their
// source, or is empty if they have no field.
func (s *source) place(errs []protocol.FieldError, list field.ErrorList) {
	if s == nil {
		return
	}
	for i := range errs {
		if i < len(list) {
			located := *list[i]
			located.Field = schemapath.V1(located.Field)
			errs[i].Position = position(s.document.Locate(&located))
		} else {
			errs[i].Position = position(s.document.LocateText(errs[i].Text))
		}
	}
}

// unknown returns unknown fields with their positions, nil without a source.
func (s *source) unknown(paths []string) []protocol.UnknownField {
	if s == nil {
		return nil
	}
	fields := make([]protocol.UnknownField, len(paths))
	for i, path := range paths {
		fields[i] = protocol.UnknownField{
			Field: path, Position: position(s.document.Find(path).Key),
		}
	}
	return fields
}

// position returns a position, nil if it is not known.
func position(at manifest.Position) *protocol.Position {
	if at.Line == 0 {
		return nil
	}
	return &protocol.Position{Line: at.Line, Column: at.Column}
}
