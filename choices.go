package crdsem

import (
	"fmt"
	"math"
	"slices"

	"github.com/crdsem/crdsem/celrules"
)

// Strictness is what happens to a request with unknown or duplicate fields.
type Strictness string

// The levels of field validation (PIPE-006).
const (
	// Strict refuses the request.
	Strict Strictness = "Strict"
	// Warn adds a warning for each field.
	Warn Strictness = "Warn"
	// Ignore says nothing. Unknown fields are still removed, and listed in
	// [Result.Pruned].
	Ignore Strictness = "Ignore"
)

// Locking is what is asked of metadata.resourceVersion.
type Locking string

// The values of [Locking].
const (
	// Unconditional takes a missing resourceVersion from the old object, as
	// clients do that read before they write. A resourceVersion that is given
	// is not checked.
	Unconditional Locking = "Unconditional"
	// RequireResourceVersion is the server's rule: an update must have a
	// resourceVersion, and it must be the old object's; a new object must have
	// none.
	RequireResourceVersion Locking = "RequireResourceVersion"
)

// Encoding is the language of a body.
type Encoding string

// The languages of bodies.
const (
	JSON Encoding = "json"
	YAML Encoding = "yaml"
)

// Explain is how much [Result.Explanations] has about the rules that failed.
type Explain string

// The values of [Explain]. The zero value explains nothing.
const (
	// ExplainNames names the rules that failed. It takes little time.
	ExplainNames Explain = "names"
	// ExplainTerms adds the values of the terms of each rule. This takes time
	// and memory; use it only if a person will read them.
	ExplainTerms Explain = "terms"
)

// choices are the choices of a request, with their defaults.
type choices struct {
	ruleDetails     []celrules.ValidateOption
	format          Encoding
	fieldValidation Strictness
	namespace       string
	concurrency     Locking
	manager         string
	most            int // entries of a list of the result
	force           bool
}

// choices returns the choices of a request. The error is an *[OptionError].
func (q *Request) choices() (choices, error) {
	c := choices{
		namespace: q.Namespace, manager: q.FieldManager, force: q.Force, most: q.MaxFindings,
	}
	if c.most < 1 {
		c.most = math.MaxInt
	}
	if q.ObserveCosts {
		c.ruleDetails = append(c.ruleDetails, celrules.ObserveCosts())
	}
	var explain Explain
	err := choose("crdsem.Explain", &explain, q.Explain, explains)
	switch explain {
	case ExplainNames:
		c.ruleDetails = append(c.ruleDetails, celrules.NameFailures())
	case ExplainTerms:
		c.ruleDetails = append(c.ruleDetails, celrules.ExplainFailures())
	}
	if e := choose("crdsem.Format", &c.format, q.Format, encodings); e != nil {
		err = e
	}
	if e := choose("crdsem.Concurrency", &c.concurrency, q.Concurrency, lockings); e != nil {
		err = e
	}
	if e := choose("crdsem.FieldValidation", &c.fieldValidation, q.FieldValidation,
		strictnesses); e != nil {
		err = e
	}
	return c, err
}

// The values of the choices. The first is what an empty one stands for.
var (
	explains     = []Explain{"", ExplainNames, ExplainTerms}
	encodings    = []Encoding{"", JSON, YAML}
	lockings     = []Locking{Unconditional, RequireResourceVersion}
	strictnesses = []Strictness{Warn, Strict, Ignore}
)

// choose sets a choice of an option to one of the known values, or to the first
// of them if the value is empty.
func choose[T ~string](option string, choice *T, value T, known []T) error {
	if value == "" {
		value = known[0]
	}
	if slices.Contains(known, value) {
		*choice = value
		return nil
	}
	known = slices.DeleteFunc(slices.Clone(known), func(k T) bool { return k == "" })
	return &OptionError{Option: option, Value: string(value), Known: fmt.Sprint(known)}
}
