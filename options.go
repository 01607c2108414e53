package crdsem

import (
	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/internal/belowfacade/facadeoptions"
	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/structural"
)

// DefinitionOption is a choice for [Parse], [FromMap] and [Compile]. Of several
// of one kind the last one counts. A nil option chooses nothing. It is an alias
// of structural.Option: [Kubernetes] and [InCache] are options of the packages
// of single steps too.
type DefinitionOption = structural.Option

// Kubernetes selects the minor version of the server, e.g. "1.33". Without this
// option it is the newest one, or that of a definition that was decoded for
// another one. For a minor that package minors does not list, [Parse] fails
// with an *[OptionError]. It is structural.Kubernetes.
func Kubernetes(m minors.Minor) DefinitionOption { return structural.Kubernetes(m) }

// ConversionWebhook gives a definition with the conversion strategy Webhook its
// webhook. Without it, a conversion to another version fails with an error that
// wraps [ErrNoWebhook]. Definitions with the strategy None do not call it.
func ConversionWebhook(w conversion.Webhook) DefinitionOption {
	return facadeoptions.For(func(d *facadeoptions.Definition) { d.Webhook = w })
}

// Stored says that a server has stored the definition, e.g. one that an older
// minor accepted. Packages kube and crdtest believe it then, as they believe a
// definition whose status says that it is established: what a server refuses in
// a new one is a warning. [Parse] validates no definition, with or without it.
func Stored() DefinitionOption {
	return facadeoptions.For(func(d *facadeoptions.Definition) { d.Stored = true })
}

// IsStored reports whether [Stored] is one of the options. It is for packages
// that validate a definition before they compile it.
func IsStored(options ...DefinitionOption) bool { return facadeoptions.Stored(options) }

// RuleMemory limits the number of bytes of the values that functions may make
// in one evaluation of one validation rule. A rule that needs more fails with
// an error; the server has no such limit. Without this option it is
// celrules.MemoryLimit, 64 MiB. It is celrules.WithMemoryLimit.
func RuleMemory(bytes int64) DefinitionOption { return celrules.WithMemoryLimit(bytes) }

// DefaultsMemory limits the number of bytes that the defaults of one object may
// take, with what a [Result] says about them. A request that needs more fails
// with a *[LimitError]; the server has no such limit. A limit below 1 counts as
// 1. Without this option it is [DefaultDefaultsMemory].
//
// Defaults within the items of defaults multiply: 1 KB of a definition can ask
// for any amount of memory.
func DefaultsMemory(bytes int64) DefinitionOption {
	return facadeoptions.For(func(d *facadeoptions.Definition) {
		d.DefaultsMemory = max(bytes, 1)
	})
}

// DefaultDefaultsMemory is the limit without the option [DefaultsMemory]. It
// suffices for every object that a server stores: those have at most 1.5 MB.
const DefaultDefaultsMemory int64 = 256 << 20

// InCache makes a definition share what is compiled with all that use the same
// cache, also those of other minors. It is structural.InCache.
func InCache(c *Cache) DefinitionOption { return structural.InCache(c) }

// Cache shares what is compiled between the definitions that are parsed with
// it. Definitions of one project often repeat each other. Without a cache, the
// versions of one definition share what they have in common. A cache does not
// change any result. The zero value is ready to use. It is an alias of
// structural.Cache, which all packages take.
type Cache = structural.Cache

// Option is a choice for one request that a method of [Version] makes: it sets
// a field of [Request], e.g. FieldValidation(Strict). Of several of one kind
// the last one counts. A nil option chooses nothing.
type Option interface{ set(*Request) }

// optionFunc is an option of this package.
type optionFunc func(*Request)

func (f optionFunc) set(q *Request) { f(q) }

// FieldValidation sets [Request.FieldValidation].
func FieldValidation(level Strictness) Option {
	return optionFunc(func(q *Request) { q.FieldValidation = level })
}

// Namespace sets [Request.Namespace].
func Namespace(name string) Option {
	return optionFunc(func(q *Request) { q.Namespace = name })
}

// Concurrency sets [Request.Concurrency].
func Concurrency(l Locking) Option {
	return optionFunc(func(q *Request) { q.Concurrency = l })
}

// FieldManager sets [Request.FieldManager].
func FieldManager(name string) Option {
	return optionFunc(func(q *Request) { q.FieldManager = name })
}

// Force sets [Request.Force].
func Force() Option { return optionFunc(func(q *Request) { q.Force = true }) }

// Format sets [Request.Format].
func Format(e Encoding) Option { return optionFunc(func(q *Request) { q.Format = e }) }

// MaxFindings sets [Request.MaxFindings]. A limit below 1 counts as 1.
func MaxFindings(n int) Option {
	return optionFunc(func(q *Request) { q.MaxFindings = max(n, 1) })
}

// ObserveCosts sets [Request.ObserveCosts].
func ObserveCosts() Option { return optionFunc(func(q *Request) { q.ObserveCosts = true }) }

// ExplainFailures sets [Request.Explain] to [ExplainTerms].
func ExplainFailures() Option {
	return optionFunc(func(q *Request) { q.Explain = ExplainTerms })
}

// NameFailures sets [Request.Explain] to [ExplainNames].
func NameFailures() Option {
	return optionFunc(func(q *Request) { q.Explain = ExplainNames })
}
