package validation

import (
	"fmt"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/base/fieldtext"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// finding is an error with its text. An error whose text was reported already
// is dropped (VAL-009). The error has the id of its rule as its origin.
type finding struct {
	err  *field.Error
	text string
}

// size returns how many bytes a finding takes about.
func (f *finding) size() int64 {
	const fixed = 256
	if f.err == nil {
		return 0 // reserved
	}
	return int64(fixed + len(f.err.Field) + len(f.text))
}

// findings collects the errors of one validation.
type findings struct {
	base      *field.Path
	profile   *profile.Profile
	errors    []finding
	ratcheted []finding
	watch     watch
}

// fieldOf returns the field of an error at a path (VAL-006).
func (f *findings) fieldOf(path string) string {
	if path == "" || path == "." {
		return f.base.String()
	}
	path = strings.TrimPrefix(path, ".")
	if f.base == nil {
		return path
	}
	return f.base.Child(path).String()
}

// errorAt returns an error at a path, which has no rule yet.
func (f *findings) errorAt(path string, t field.ErrorType, value any, detail string) *field.Error {
	return &field.Error{Type: t, Field: f.fieldOf(path), BadValue: value, Detail: detail}
}

// add adds an error of a rule, e.g. VAL-042.
func (f *findings) add(rule string, err *field.Error, text string) {
	added := finding{err.WithOrigin(rule), text}
	f.errors = append(f.errors, added)
	f.watch.keep(added)
}

// invalid adds an error whose detail is its text.
func (f *findings) invalid(rule, path string, value any, text string) {
	if value == nil {
		value = ""
	}
	f.add(rule, f.errorAt(path, field.ErrorTypeInvalid, value, text), text)
}

// general adds an error at the base path (VAL-007).
func (f *findings) general(rule, text string) {
	f.fill(f.reserve(), rule, text)
}

// reserve keeps a place for an error that comes before the errors that decide
// whether it is reported.
func (f *findings) reserve() (mark int) {
	f.errors = append(f.errors, finding{})
	return len(f.errors) - 1
}

// cut removes the errors from a mark on.
func (f *findings) cut(mark int) {
	f.watch.drop(f.errors[mark:])
	f.errors = f.errors[:mark]
}

// fill puts an error at the base path into a reserved place.
func (f *findings) fill(mark int, rule, text string) {
	err := f.errorAt("", field.ErrorTypeInvalid, "", text)
	f.errors[mark] = finding{err.WithOrigin(rule), text}
	f.watch.keep(f.errors[mark])
}

func (f *findings) typeInvalid(rule, path, expected, actual string) {
	text := path + " in body must be of type " + expected + ": " + strconv.Quote(actual)
	f.add(rule, f.errorAt(path, field.ErrorTypeTypeInvalid, actual, text), text)
}

func (f *findings) required(path, name string) {
	path += "." + name
	err := field.Required(nil, "")
	err.Field = f.fieldOf(path)
	f.add("VAL-081", err, path+" in body is required")
}

func (f *findings) notSupported(path string, value any, e *enumRule) {
	detail, list := e.texts()
	err := f.errorAt(path, field.ErrorTypeNotSupported, value, detail)
	rule := "VAL-060"
	if value == nil {
		rule = "VAL-024"
	}
	f.add(rule, err, path+" in body should be one of "+list)
}

func (f *findings) tooLong(path string, limit int64) {
	err := field.TooLong(nil, "", int(limit))
	err.Field, err.Detail = f.fieldOf(path), f.profile.TooLong(int(limit))
	f.add("VAL-040", err, fmt.Sprintf("%s in body should be at most %d chars long", path, limit))
}

// tooMany adds an error about a number of items or properties. Only the
// compared text says which of the two.
func (f *findings) tooMany(path string, count int, limit int64, what counted) {
	err := field.TooMany(nil, count, int(limit))
	err.Field, err.Detail = f.fieldOf(path), f.profile.TooMany(int(limit))
	f.add(what.rule, err,
		fmt.Sprintf("%s in body should have at most %d %s", path, limit, what.name))
}

func (f *findings) tooFew(path string, count int, limit int64, what counted) {
	text := fmt.Sprintf("%s in body should have at least %d %s", path, limit, what.name)
	if !f.profile.TooFewType {
		f.invalid(what.rule, path, int64(count), text)
		return
	}
	f.add(what.rule, &field.Error{
		Type: fieldtext.TooFew, Field: f.fieldOf(path), BadValue: count,
		Detail: fmt.Sprintf("must have at least %s", counting(limit, "item")),
	}, text)
}

func (f *findings) tooShort(path, value string, limit int64) {
	text := fmt.Sprintf("%s in body should be at least %d chars long", path, limit)
	if !f.profile.TooShortType {
		f.invalid("VAL-040", path, value, text)
		return
	}
	f.add("VAL-040", &field.Error{
		Type: fieldtext.TooShort, Field: f.fieldOf(path), BadValue: value,
		Detail: fmt.Sprintf("must be at least %s", counting(limit, "character")),
	}, text)
}

// counting returns a number with its noun, e.g. "2 items".
func counting(n int64, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprint(n, " ", noun)
}

// counted is what a value has too many or too few of, and the rule of it.
type counted struct{ name, rule string }

var (
	countedItems      = counted{"items", "VAL-070"}
	countedProperties = counted{"properties", "VAL-080"}
)

// lists returns the errors and the ratcheted errors, each text once.
func (f *findings) lists() (errs, ratcheted field.ErrorList) {
	if err := f.watch.err; err != nil && err != errFindings {
		return f.watch.outcome(f.base, nil), nil
	}
	return f.watch.outcome(f.base, unique(f.errors)), unique(f.ratcheted)
}

// unique returns the errors of findings. Of those with the same text it returns
// the first.
func unique(found []finding) field.ErrorList {
	if len(found) == 0 {
		return nil
	}
	errs := make(field.ErrorList, 0, len(found))
	if len(found) <= comparedItems {
		for i := range found {
			if !reported(found[:i], found[i].text) {
				errs = append(errs, found[i].err)
			}
		}
		return errs
	}
	seen := make(map[string]struct{}, len(found))
	for i := range found {
		if _, ok := seen[found[i].text]; !ok {
			seen[found[i].text] = struct{}{}
			errs = append(errs, found[i].err)
		}
	}
	return errs
}

func reported(found []finding, text string) bool {
	for i := range found {
		if found[i].text == text {
			return true
		}
	}
	return false
}
