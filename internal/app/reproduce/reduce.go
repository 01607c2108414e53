package reproduce

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"unicode"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/base/typemeta"
	"github.com/crdsem/crdsem/kit/generate"
	"github.com/crdsem/crdsem/minors"
)

// maxCalls is how often an answer is asked for while a question is reduced.
const maxCalls = 2000

// Reducer makes questions smaller.
type Reducer struct {
	Minor minors.Minor
	// Rule selects the finding that has to stay, e.g. VAL-042. If it is empty,
	// that is the first one.
	Rule string
}

// Reduced is a question that was made smaller.
type Reduced struct {
	Question
	// Kept are the paths of the texts of the object that were not replaced,
	// because the answer depends on them.
	Kept []string
	// IsWhole is set for a question that was not made smaller, because nothing
	// is refused: there is no finding that had to stay.
	IsWhole bool
}

// ErrNoFinding says that an answer has no finding of the rule that has to stay.
var ErrNoFinding = errors.New("no finding of this rule")

// Reduce removes everything from a question that the finding does not need, and
// replaces the texts of the object: a letter by x, a digit by 0. It does not
// change the question. Where nothing is refused, texts are replaced only. The
// error is [ErrNoFinding].
func (r Reducer) Reduce(ctx context.Context, q Question) (Reduced, error) {
	answer := q.Ask(ctx, r.Minor)
	stays, isWhole := answer.isSame, true
	switch found := r.finding(&answer); {
	case found != nil:
		isWhole = false
		stays = func(a *Answer) bool { return a.has(found) && a.hasNothingBut(&answer) }
	case r.Rule != "":
		return Reduced{}, ErrNoFinding
	case answer.Err != nil || answer.Refusal != "":
		isWhole = false
	}
	smaller := func(v any) bool {
		part, ok := partOf(v, &q)
		a := part.Ask(ctx, r.Minor)
		return ok && stays(&a)
	}
	out := Reduced{Question: q, IsWhole: isWhole}
	if !isWhole {
		out.Question, _ = partOf(generate.ShrinkWithin(maxCalls, q.value(), smaller), &q)
	}
	out.replaceTexts(func() bool { return smaller(out.value()) })
	return out, nil
}

// finding returns the finding that has to stay; nil if there is none.
func (r Reducer) finding(a *Answer) *field.Error {
	for _, err := range a.findings() {
		if r.Rule == "" || err.Origin == r.Rule {
			return err
		}
	}
	return nil
}

// value returns a question as one JSON value.
func (q *Question) value() map[string]any {
	all := map[string]any{"definition": q.Definition}
	if q.Object != nil {
		all["object"] = q.Object
	}
	if q.Old != nil {
		all["old"] = q.Old
	}
	return all
}

// partOf is the reverse of value. ok is false if something is missing that a
// server or a client needs of the whole question.
func partOf(v any, of *Question) (q Question, ok bool) {
	all, _ := v.(map[string]any)
	q.Definition, _ = all["definition"].(map[string]any)
	q.Object, _ = all["object"].(map[string]any)
	q.Old, _ = all["old"].(map[string]any)
	return q, keepsType(q.Definition, of.Definition) && keepsType(q.Object, of.Object) &&
		keepsType(q.Old, of.Old)
}

// keepsType reports whether an object is there if another is, and says the same
// of its type.
func keepsType(object, of map[string]any) bool {
	return (object == nil) == (of == nil) && typemeta.Of(object) == typemeta.Of(of)
}

// replaceTexts replaces the texts of the object and of the stored one as long
// as the answer stays.
func (r *Reduced) replaceTexts(stays func() bool) {
	r.Object, r.Old = jsonvalue.DeepCopyMap(r.Object), jsonvalue.DeepCopyMap(r.Old)
	replacer := replacer{stays: stays}
	replacer.members(r.Object, "")
	replacer.members(r.Old, "")
	r.Kept = replacer.kept
}

// replacer replaces texts in place.
type replacer struct {
	stays func() bool
	kept  []string
}

func (r *replacer) members(object map[string]any, path string) {
	for _, name := range jsonvalue.SortedKeys(object) {
		at := strings.TrimPrefix(path+"."+name, ".")
		if at == "apiVersion" || at == "kind" {
			continue
		}
		r.value(object[name], at, func(v any) { object[name] = v })
	}
}

func (r *replacer) value(v any, path string, set func(any)) {
	switch v := v.(type) {
	case map[string]any:
		r.members(v, path)
	case []any:
		for i, item := range v {
			r.value(item, path+"["+strconv.Itoa(i)+"]", func(text any) { v[i] = text })
		}
	case string:
		masked := strings.Map(mask, v)
		if masked == v {
			return
		}
		set(masked)
		if !r.stays() {
			set(v)
			r.kept = append(r.kept, path)
		}
	}
}

// mask replaces a letter by x and a digit by 0.
func mask(c rune) rune {
	switch {
	case unicode.IsLetter(c):
		return 'x'
	case unicode.IsDigit(c):
		return '0'
	}
	return c
}
