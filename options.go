package crdsem

import (
	"fmt"
	"slices"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/internal/chapter/profile"
	"github.com/crdsem/crdsem/internal/chapter/ruleoptions"
	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/structural"
	"github.com/crdsem/crdsem/validation"
)

// DefinitionOption is a choice for [Parse] and [Compile]. Of several of one
// kind the last one counts. A nil option chooses nothing.
type DefinitionOption func(*Definition) error

// Kubernetes selects the minor version of the server, e.g. "1.33". Without this
// option it is the newest one, or that of a definition that was decoded for
// another one (definition.Kubernetes). For a minor that package minors does not
// list, [Parse] fails with an *[OptionError].
func Kubernetes(m minors.Minor) DefinitionOption {
	return func(d *Definition) error {
		p, err := profile.Resolve(string(m))
		if err != nil {
			return &OptionError{
				Option: "crdsem.Kubernetes", Value: string(m), Known: fmt.Sprint(minors.All()),
			}
		}
		d.profile = p
		return nil
	}
}

// ConversionWebhook gives a definition with the conversion strategy Webhook its
// webhook. Without it, a conversion to another version fails with an error that
// wraps [ErrNoWebhook]. Definitions with the strategy None do not call it.
func ConversionWebhook(w conversion.Webhook) DefinitionOption {
	return func(d *Definition) error {
		d.webhook = w
		return nil
	}
}

// RuleMemory limits the number of bytes of the values that functions may make
// in one evaluation of one validation rule. A rule that needs more fails with
// an error; the server has no such limit. Without this option it is
// celrules.MemoryLimit, 64 MiB.
func RuleMemory(bytes int64) DefinitionOption {
	return func(d *Definition) error {
		d.ruleOptions = append(d.ruleOptions, celrules.WithMemoryLimit(bytes))
		return nil
	}
}

// DefaultsMemory limits the number of bytes that the defaults of one object may
// take, with what a [Result] says about them. A request that needs more fails
// with a *[LimitError]; the server has no such limit. A limit below 1 counts as
// 1. Without this option it is [DefaultDefaultsMemory].
//
// Defaults within the items of defaults multiply: 1 KB of a definition can ask
// for any amount of memory.
func DefaultsMemory(bytes int64) DefinitionOption {
	return func(d *Definition) error {
		d.defaultsMemory = max(bytes, 1)
		return nil
	}
}

// DefaultDefaultsMemory is the limit without the option [DefaultsMemory]. It
// suffices for every object that a server stores: those have at most 1.5 MB.
const DefaultDefaultsMemory int64 = 256 << 20

// InCache makes a definition share what is compiled with all that use the same
// cache, also those of other minors.
func InCache(c *Cache) DefinitionOption {
	return func(d *Definition) error {
		d.cache = c
		return nil
	}
}

// Cache shares what is compiled between the definitions that are parsed with
// it: schema nodes, value checks, patterns, enumerations, CEL types,
// environments and programs. Definitions of one project often repeat each
// other. Without a cache, the versions of one definition share what they have
// in common. A cache does not change any result. The zero value is ready to
// use. A Cache is safe for concurrent use.
//
// A cache keeps everything compiled with it alive, including parts of
// definitions that are no longer used, until [Cache.Drop] is called or neither
// the cache nor a definition parsed with it is reachable.
type Cache struct {
	schemas structural.Cache
	values  validation.Cache
	rules   celrules.Cache
}

// Drop empties the cache. Definitions keep what they use of it. The cache can
// still be used.
func (c *Cache) Drop() {
	c.schemas.Drop()
	c.values.Drop()
	c.rules.Drop()
}

// Option is a choice for one request: [FieldValidation], [Namespace],
// [Concurrency], [FieldManager], [Conflicts], [Format] or [Detail]. The zero
// value of each stands for its absence. Of several of one kind the last one
// counts, but every Detail does. A nil option chooses nothing. A text that is
// not one of the constants, e.g. FieldValidation("strict"), makes the request
// fail with an *[OptionError].
type Option interface{ apply(*choices) error }

// choices are the options of a request.
type choices struct {
	ruleDetails     []celrules.ValidateOption
	format          Format
	fieldValidation FieldValidation
	namespace       string
	concurrency     Concurrency
	manager         FieldManager
	conflicts       Conflicts
}

// choose sets a choice to one of the known texts, or to the first of them if
// the text is empty.
func choose[T ~string](choice *T, text T, known ...T) error {
	if text == "" {
		text = known[0]
	}
	for _, k := range known {
		if text == k {
			*choice = text
			return nil
		}
	}
	known = slices.DeleteFunc(known, func(k T) bool { return k == "" })
	return &OptionError{
		Option: fmt.Sprintf("%T", text),
		Value:  string(text),
		Known:  fmt.Sprint(known),
	}
}

// FieldValidation selects what happens to a request with unknown or duplicate
// fields. The zero value is Warn.
type FieldValidation string

// The levels of field validation (PIPE-006).
const (
	// Strict refuses the request.
	Strict FieldValidation = "Strict"
	// Warn adds a warning for each field.
	Warn FieldValidation = "Warn"
	// Ignore says nothing. Unknown fields are still removed, and listed in
	// [Result.Pruned].
	Ignore FieldValidation = "Ignore"
)

func (f FieldValidation) apply(c *choices) error {
	return choose(&c.fieldValidation, f, Warn, Strict, Ignore)
}

// Namespace is the namespace that a request is sent to. Without this option it
// is the object's own, or "default" if the object has none.
type Namespace string

func (n Namespace) apply(c *choices) error {
	c.namespace = string(n)
	return nil
}

// Concurrency selects how an update checks metadata.resourceVersion.
type Concurrency string

const (
	// Unconditional takes a missing resourceVersion from the old object, as
	// clients do that read before they write. A resourceVersion that is given
	// is not checked.
	Unconditional Concurrency = "Unconditional"
	// RequireResourceVersion is the server's rule: an update must have a
	// resourceVersion, and it must be the old object's; a new object must have
	// none.
	RequireResourceVersion Concurrency = "RequireResourceVersion"
)

func (o Concurrency) apply(c *choices) error {
	return choose(&c.concurrency, o, Unconditional, RequireResourceVersion)
}

// FieldManager is the name of the manager that applies, e.g. "kubectl".
// [Version.Apply] requires it.
type FieldManager string

func (m FieldManager) apply(c *choices) error {
	c.manager = m
	return nil
}

// Conflicts selects what [Version.Apply] does about fields that another manager
// owns with another value. The zero value is Refuse.
type Conflicts string

const (
	// Refuse refuses the request with 409 Conflict.
	Refuse Conflicts = "Refuse"
	// Force takes over the fields.
	Force Conflicts = "Force"
)

func (o Conflicts) apply(c *choices) error { return choose(&c.conflicts, o, Refuse, Force) }

// Format is the language of a request's body. Without this option, a body that
// starts with { is JSON and any other is YAML.
type Format string

// The formats of bodies.
const (
	JSON Format = "json"
	YAML Format = "yaml"
)

func (f Format) apply(c *choices) error { return choose(&c.format, f, "", JSON, YAML) }

// Detail selects what a result holds about the validation rules next to their
// findings.
type Detail string

const (
	// NameFailures fills in [Result.Explanations] without terms: it takes
	// little time.
	NameFailures Detail = "NameFailures"
	// RuleCosts fills in [Result.RuleCosts].
	RuleCosts Detail = "RuleCosts"
	// Explain fills in [Result.Explanations]. This takes time and memory; use
	// it only if a person will read them.
	Explain Detail = "Explain"
)

func (d Detail) apply(c *choices) error {
	var detail Detail
	switch err := choose(&detail, d, "", NameFailures, RuleCosts, Explain); {
	case err != nil:
		return err
	case detail == NameFailures:
		names := func(s *ruleoptions.Validate) { s.Explain = ruleoptions.Names }
		c.ruleDetails = append(c.ruleDetails, names)
	case detail == RuleCosts:
		c.ruleDetails = append(c.ruleDetails, celrules.ObserveCosts())
	case detail == Explain:
		c.ruleDetails = append(c.ruleDetails, celrules.ExplainFailures())
	}
	return nil
}
