package evaluator

import (
	"hash/maphash"
	"sync"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/kit/lru"
	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/structural"
)

// The definitions that are kept weigh at most maxKept bytes: each its text, and
// what a small one needs at least. A compiled definition is about as large as
// its text, and twice as large if all its rules are compiled.
const (
	maxKept   = 32 << 20
	leastKept = 64 << 10
)

// definitions keeps the definitions of requests by their texts. It is safe for
// concurrent use.
type definitions struct {
	seed    maphash.Seed
	kept    *lru.Cache[keptKey, *kept]
	options []crdsem.DefinitionOption // of every definition
}

// keptKey is the hash of a definition's text and the minor that reads it.
type keptKey struct {
	hash  uint64
	minor minors.Minor
}

func newDefinitions() *definitions {
	return &definitions{seed: maphash.MakeSeed(), kept: lru.New[keptKey, *kept](maxKept)}
}

// kept is a definition of requests. Each form of it is made when it is first
// asked for.
type kept struct {
	input    protocol.Input
	decoded  func() (*definition.CRD, []error, error)
	model    func() (*definition.Model, error)
	compiled func() (*crdsem.Definition, error)
}

// of returns the definition in an input, which need not be valid, as a minor
// reads it.
func (d *definitions) of(in protocol.Input, minor minors.Minor) *kept {
	key := keptKey{in.Hash(d.seed), minor}
	if k, ok := d.kept.Get(key); ok && k.input.Equal(in) {
		return k
	}
	k := d.keep(in, minor)
	d.kept.Add(key, k, max(in.Size(), leastKept))
	return k
}

func (d *definitions) keep(in protocol.Input, minor minors.Minor) *kept {
	type decoded struct {
		crd    *definition.CRD
		strict []error
	}
	once := sync.OnceValues(func() (decoded, error) {
		text, _ := in.Document()
		crd, strict, err := definition.Parse(text, structural.Kubernetes(minor))
		return decoded{crd, strict}, err
	})
	k := &kept{input: in, decoded: func() (*definition.CRD, []error, error) {
		read, err := once()
		return read.crd, read.strict, err
	}}
	k.model = sync.OnceValues(func() (*definition.Model, error) {
		crd, _, err := k.decoded()
		if err != nil {
			return nil, err
		}
		return definition.Compile(crd)
	})
	k.compiled = sync.OnceValues(func() (*crdsem.Definition, error) {
		crd, _, err := k.decoded()
		if err != nil {
			return nil, err
		}
		return crdsem.Compile(crd, d.options...)
	})
	return k
}
