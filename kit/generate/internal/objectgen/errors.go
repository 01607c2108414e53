package objectgen

import (
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// ErrorType returns the type of the error about a value that breaks a keyword.
func ErrorType(keyword string, value any) field.ErrorType {
	_, isString := value.(string)
	if t, ok := errorTypes[keyword]; ok && (keyword != "format" || isString) {
		return t
	}
	return field.ErrorTypeInvalid
}

// errorTypes holds the types of errors where they are not Invalid.
var errorTypes = map[string]field.ErrorType{
	"type":                           field.ErrorTypeTypeInvalid,
	"format":                         field.ErrorTypeTypeInvalid,
	"nullable":                       field.ErrorTypeTypeInvalid,
	"x-kubernetes-int-or-string":     field.ErrorTypeTypeInvalid,
	"required":                       field.ErrorTypeRequired,
	"x-kubernetes-embedded-resource": field.ErrorTypeRequired,
	"enum":                           field.ErrorTypeNotSupported,
	"maxLength":                      field.ErrorTypeTooLong,
	"maxItems":                       field.ErrorTypeTooMany,
	"maxProperties":                  field.ErrorTypeTooMany,
	"x-kubernetes-list-type":         field.ErrorTypeDuplicate,
}

// Phrase returns a part of the error text that tells a keyword apart from
// others with errors of the same type; empty if no part does.
func Phrase(keyword string) string { return phrases[keyword] }

var phrases = map[string]string{
	"minimum":          "greater than",
	"maximum":          "less than",
	"exclusiveMinimum": "greater than",
	"exclusiveMaximum": "less than",
	"multipleOf":       "a multiple of",
	"pattern":          "should match",
	"format":           "must be of type",
	"nullable":         `"null"`,
	"minLength":        "at least",
	"minItems":         "at least",
	"minProperties":    "at least",
	"allOf":            "(allOf)",
	"anyOf":            "(anyOf)",
	"oneOf":            "(oneOf)",
	"not":              "(not)",
}

// ErrorPath returns the path of the value that an error is about, empty for
// the root. That is the error's field. Errors of junctors and of the formats of
// numbers are reported at the root; their text begins or ends with the path.
func ErrorPath(err *field.Error) string {
	if err.Field != "" && err.Field != "<nil>" {
		return err.Field
	}
	if quoted, e := strconv.QuotedPrefix(err.Detail); e == nil {
		if path, e := strconv.Unquote(quoted); e == nil {
			return strings.TrimPrefix(path, ".")
		}
	}
	text, path, ok := strings.Cut(err.Detail, " in ")
	if ok && strings.Contains(text, "value must be of type") {
		return strings.TrimPrefix(path, ".")
	}
	return ""
}
