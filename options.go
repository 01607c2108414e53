package crdsem

import (
	"fmt"
	"slices"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/internal/belowfacade/facadeoptions"
	"github.com/crdsem/crdsem/internal/belowfacade/ruleoptions"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/structural"
	"github.com/crdsem/crdsem/validation"
)

// DefinitionOption is a choice for [Parse] and [Compile]. Of several of one
// kind the last one counts. A nil option chooses nothing.
type DefinitionOption func(*facadeoptions.Definition) error

// Kubernetes selects the minor version of the server, e.g. "1.33". Without this
// option it is the newest one, or that of a definition that was decoded for
// another one (definition.Kubernetes). For a minor that package minors does not
// list, [Parse] fails with an *[OptionError].
func Kubernetes(m minors.Minor) DefinitionOption {
	return func(d *facadeoptions.Definition) error {
		p, err := profile.Resolve(string(m))
		if err != nil {
			return &OptionError{
				Option: "crdsem.Kubernetes", Value: string(m), Known: fmt.Sprint(minors.All()),
			}
		}
		d.Profile = p
		return nil
	}
}

// ConversionWebhook gives a definition with the conversion strategy Webhook its
// webhook. Without it, a conversion to another version fails with an error that
// wraps [ErrNoWebhook]. Definitions with the strategy None do not call it.
func ConversionWebhook(w conversion.Webhook) DefinitionOption {
	return func(d *facadeoptions.Definition) error {
		d.Webhook = w
		return nil
	}
}

// Stored says that a server has stored the definition, e.g. one that an older
// minor accepted. Packages kube and crdtest believe it then, as they believe a
// definition whose status says that it is established: what a server refuses in
// a new one is a warning. [Parse] validates no definition, with or without it.
func Stored() DefinitionOption {
	return func(d *facadeoptions.Definition) error {
		d.Stored = true
		return nil
	}
}

// IsStored reports whether [Stored] is one of the options. It is for packages
// that validate a definition before they compile it.
func IsStored(options ...DefinitionOption) bool { return facadeoptions.Stored(options) }

// RuleMemory limits the number of bytes of the values that functions may make
// in one evaluation of one validation rule. A rule that needs more fails with
// an error; the server has no such limit. Without this option it is
// celrules.MemoryLimit, 64 MiB.
func RuleMemory(bytes int64) DefinitionOption {
	return func(d *facadeoptions.Definition) error {
		d.RuleOptions = append(d.RuleOptions, celrules.WithMemoryLimit(bytes))
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
	return func(d *facadeoptions.Definition) error {
		d.DefaultsMemory = max(bytes, 1)
		return nil
	}
}

// DefaultDefaultsMemory is the limit without the option [DefaultsMemory]. It
// suffices for every object that a server stores: those have at most 1.5 MB.
const DefaultDefaultsMemory int64 = 256 << 20

// InCache makes a definition share what is compiled with all that use the same
// cache, also those of other minors.
func InCache(c *Cache) DefinitionOption {
	return func(d *facadeoptions.Definition) error {
		d.Cache = c
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

// Option is a choice for one request: functions of this package return options.
// Of several of one kind the last one counts, but details add up. A nil option
// chooses nothing. A value that is not one of the constants, e.g.
// Strictness("strict"), makes the request fail with an *[OptionError]; an empty
// one is the choice without the option.
type Option func(*choices) error

// choices are the options of a request.
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

// choose sets a choice of an option to one of the known values, or to the first
// of them if the value is empty.
func choose[T ~string](option string, choice *T, value T, known ...T) error {
	if value == "" {
		value = known[0]
	}
	if slices.Contains(known, value) {
		*choice = value
		return nil
	}
	known = slices.DeleteFunc(known, func(k T) bool { return k == "" })
	return &OptionError{Option: option, Value: string(value), Known: fmt.Sprint(known)}
}

// Strictness is the argument of [FieldValidation].
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

// FieldValidation selects what happens to a request with unknown or duplicate
// fields. Without this option it is [Warn]. A read and [Version.UpdateScale]
// ignore it, and so does an apply of an object.
func FieldValidation(level Strictness) Option {
	return func(c *choices) error {
		return choose("crdsem.FieldValidation", &c.fieldValidation, level, Warn, Strict, Ignore)
	}
}

// Namespace is the namespace that a request is sent to. Without this option it
// is the object's own, or "default" if the object has none.
func Namespace(name string) Option {
	return func(c *choices) error {
		c.namespace = name
		return nil
	}
}

// Locking is the argument of [Concurrency].
type Locking string

// What is asked of metadata.resourceVersion.
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

// Concurrency selects how a write checks metadata.resourceVersion. Without this
// option it is [Unconditional]. A patch and an apply ignore it: they check a
// resourceVersion that they set.
func Concurrency(l Locking) Option {
	return func(c *choices) error {
		return choose("crdsem.Concurrency", &c.concurrency, l,
			Unconditional, RequireResourceVersion)
	}
}

// FieldManager is the name of the manager that applies, e.g. "kubectl".
// [Version.Apply] requires it; other verbs ignore it.
func FieldManager(name string) Option {
	return func(c *choices) error {
		c.manager = name
		return nil
	}
}

// Force makes [Version.Apply] take over the fields that another manager owns
// with another value. Without this option the request is refused with 409
// Conflict. Other verbs ignore it.
func Force() Option {
	return func(c *choices) error {
		c.force = true
		return nil
	}
}

// Encoding is the argument of [Format].
type Encoding string

// The languages of bodies.
const (
	JSON Encoding = "json"
	YAML Encoding = "yaml"
)

// Format selects the language of a request's body. Without this option, a body
// that starts with { is JSON and any other is YAML. It is ignored where an
// object or a patch is sent.
func Format(e Encoding) Option {
	return func(c *choices) error {
		return choose("crdsem.Format", &c.format, e, "", JSON, YAML)
	}
}

// MaxFindings limits each list of a [Result] about the object to n entries: its
// errors, its warnings, what was changed, and explanations. A limit below 1
// counts as 1. The verdict is the same, [Result.Omitted] says how much more
// there is, and so do the texts of an error. Without this option, only memory
// bounds the lists.
func MaxFindings(n int) Option {
	return func(c *choices) error {
		c.most = max(n, 1)
		return nil
	}
}

// ObserveCosts fills in [Result.RuleCosts].
func ObserveCosts() Option { return detail(celrules.ObserveCosts()) }

// ExplainFailures fills in [Result.Explanations]. This takes time and memory;
// use it only if a person will read them. With [NameFailures], the later of the
// two counts.
func ExplainFailures() Option { return detail(celrules.ExplainFailures()) }

// NameFailures fills in [Result.Explanations] without terms: they name the
// rules that failed. It takes little time.
func NameFailures() Option {
	return detail(func(s *ruleoptions.Validate) { s.Explain = ruleoptions.Names })
}

func detail(o celrules.ValidateOption) Option {
	return func(c *choices) error {
		c.ruleDetails = append(c.ruleDetails, o)
		return nil
	}
}
