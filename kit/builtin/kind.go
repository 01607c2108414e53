package builtin

import (
	"fmt"
	"strings"
	"sync"

	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/structural"
	"github.com/crdsem/crdsem/validation"
)

// Kind is a kind of Kubernetes in one version, as a minor serves it. It is safe
// for concurrent use.
type Kind struct {
	manifest.Type
	// Plural is the name in URLs, e.g. deployments.
	Plural string
	// Namespaced is set if the objects are in namespaces.
	Namespaced bool

	minor   minors.Minor
	model   string
	record  *record
	bit     uint64 // of the minor in the record
	compile func() compiled
}

// compiled is what validates objects of a kind.
type compiled struct {
	schema    *structural.Schema
	validator *validation.Validator
}

// Minor returns the minor that serves the kind so.
func (k *Kind) Minor() minors.Minor { return k.minor }

// Schema returns the structural schema that objects are validated by: that of
// the whole object, with metadata and status. It differs from the published one
// where a server does not enforce that, see the package documentation.
func (k *Kind) Schema() *structural.Schema { return k.compile().schema }

// Published returns the schema of the whole object as Kubernetes publishes it:
// also with what a server does not enforce, e.g. that a RoleBinding needs
// roleRef.apiGroup, which has a default.
func (k *Kind) Published() *structural.Schema {
	b := newBuilder(k.record, k.bit)
	b.asPublished = true
	return mustSchema(b, k.model)
}

// all are the kinds of a minor.
type all struct {
	list   []*Kind
	byType map[manifest.Type]*Kind
}

// tables makes the kinds of each minor when they are first asked for.
var tables = sync.OnceValue(func() map[minors.Minor]func() all {
	out := map[minors.Minor]func() all{}
	for m, of := range theRecord().sources {
		out[m] = sync.OnceValue(func() all { return kindsOf(m, of.bit) })
	}
	return out
})

// cache shares what is compiled among the kinds of all minors.
var cache structural.Cache

func kindsOf(m minors.Minor, bit uint64) all {
	out := all{byType: map[manifest.Type]*Kind{}}
	building := &sync.Mutex{}
	b := newBuilder(theRecord(), bit)
	for _, l := range theRecord().kinds {
		if l.minors&bit == 0 {
			continue
		}
		k := parseKind(l)
		k.minor, k.record, k.bit = m, theRecord(), bit
		k.compile = sync.OnceValue(func() compiled {
			building.Lock()
			defer building.Unlock()
			schema := mustSchema(b, k.model)
			return compiled{schema, validation.Compile(schema,
				structural.Kubernetes(m), structural.InCache(&cache))}
		})
		out.list = append(out.list, k)
		out.byType[k.Type] = k
	}
	return out
}

// mustSchema returns the schema of a model, which is part of this package.
func mustSchema(b *builder, model string) *structural.Schema {
	schema, err := b.schema(model, &cache)
	if err != nil {
		panic(fmt.Sprintf("the record: %v", err)) //nolint:forbidigo // embedded: a test compiles all of it
	}
	return schema
}

// parseKind returns the kind of a line.
func parseKind(l line) *Kind {
	apiVersion, kind, _ := strings.Cut(l.name, ",")
	group, version, hasGroup := strings.Cut(apiVersion, "/")
	if !hasGroup {
		group, version = "", apiVersion
	}
	fields := strings.Fields(l.rest)
	return &Kind{
		Type: manifest.Type{
			GroupKind: manifest.GroupKind{Group: group, Kind: kind}, Version: version,
		},
		Plural: fields[0], Namespaced: fields[1] == "namespaced", model: fields[2],
	}
}

// Kinds returns the kinds of a minor that clients create, in the order of their
// versions and names. The zero minor is the newest one. A minor without a
// record has none.
func Kinds(m minors.Minor) []*Kind {
	table, ok := tables()[named(m)]
	if !ok {
		return nil
	}
	return append([]*Kind(nil), table().list...)
}

// Find returns the kind of a type as a minor serves it. The zero minor is the
// newest one. The error is a *[NotServedError].
func Find(t manifest.Type, m minors.Minor) (*Kind, error) {
	if table, ok := tables()[named(m)]; ok {
		if k := table().byType[t]; k != nil {
			return k, nil
		}
	}
	return nil, notServed(t, named(m))
}
