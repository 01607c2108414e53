package generate

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem"
)

// Breakage says what is broken in an object.
type Breakage struct {
	// Path is where the broken value lies, in the form of field paths: names joined
	// by points, indexes and the keys of maps in brackets. It is empty for the root.
	Path string `json:"path"`
	// Keyword is the keyword of the schema that is broken there.
	Keyword string `json:"keyword"`
	// Rule is the text of the rule that is broken, if the keyword is
	// x-kubernetes-validations.
	Rule string `json:"rule,omitempty"`
	// Type is the type of the error that the server answers with.
	Type field.ErrorType `json:"type,omitempty"`
}

// Among reports whether errors tell of the breakage: one at its path, of its type, with
// the words for its keyword. Errors of junctors and of numbers' formats, which the
// server reports at the root, count at the path that their text names.
func (b Breakage) Among(errs field.ErrorList) bool {
	for _, err := range errs {
		if placeOf(err) == b.Path && err.Type == b.Type && strings.Contains(err.Detail, details[b.Keyword]) {
			return true
		}
	}
	return false
}

// typed returns a breakage of a keyword by a value with the type of its error.
func (b Breakage) typed(by any) Breakage {
	b.Type = field.ErrorTypeInvalid
	_, isText := by.(string)
	if kind, ok := errorTypes[b.Keyword]; ok && (b.Keyword != "format" || isText) {
		b.Type = kind
	}
	return b
}

// told returns the breakage of a site, completed by the verdict; ok is false where the
// verdict does not tell of it.
func (s *site) told(result *crdsem.Result) (told Breakage, ok bool) {
	if s.breakage.Keyword != "x-kubernetes-validations" {
		told = s.breakage.typed(s.value)
		return told, told.Among(result.Errors)
	}
	for i := range result.Explanations {
		failed := &result.Explanations[i]
		if failed.Rule != s.rule.text || strings.TrimPrefix(failed.Field, "<nil>") != s.breakage.Path {
			continue
		}
		if err := s.rule.among(result.Errors, s.breakage.Path); err != nil {
			told = s.breakage
			told.Path, told.Type = placeOf(err), err.Type
			return told, true
		}
	}
	return Breakage{}, false
}

// among returns the error of a rule at a path or below it, nil if there is none.
func (r rule) among(errs field.ErrorList, path string) *field.Error {
	for _, err := range errs {
		if !strings.HasPrefix(placeOf(err), path) || strings.HasPrefix(err.Detail, unevaluated) {
			continue
		}
		words := strings.TrimSpace(r.message)
		if words == "" {
			words = strings.TrimSpace(r.text)
		}
		if len(errs) == 1 || strings.Contains(err.Detail, words) {
			return err
		}
	}
	return nil
}

// errorTypes are the types of the errors of keywords, where it is not Invalid.
var errorTypes = map[string]field.ErrorType{
	"type": field.ErrorTypeTypeInvalid, "format": field.ErrorTypeTypeInvalid, "nullable": field.ErrorTypeTypeInvalid, "x-kubernetes-int-or-string": field.ErrorTypeTypeInvalid,
	"required": field.ErrorTypeRequired, "x-kubernetes-embedded-resource": field.ErrorTypeRequired, "enum": field.ErrorTypeNotSupported,
	"maxLength": field.ErrorTypeTooLong, "maxItems": field.ErrorTypeTooMany, "maxProperties": field.ErrorTypeTooMany,
	"x-kubernetes-list-type": field.ErrorTypeDuplicate,
}

// details are parts of the texts of errors that tell keywords of one type apart.
var details = map[string]string{
	"minimum": "greater than", "maximum": "less than", "exclusiveMinimum": "greater than", "exclusiveMaximum": "less than",
	"multipleOf": "a multiple of", "pattern": "should match", "format": "must be of type", "nullable": `"null"`,
	"minLength": "at least", "minItems": "at least", "minProperties": "at least",
	"allOf": "(allOf)", "anyOf": "(anyOf)", "oneOf": "(oneOf)", "not": "(not)",
}
