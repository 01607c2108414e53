package evaluator

import (
	"bytes"
	"hash/maphash"
	"sync"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/base/lru"
	"github.com/crdsem/crdsem/internal/protocol"
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
	seed maphash.Seed
	kept *lru.Cache[uint64, *kept] // by the hashes of their texts
}

func newDefinitions() *definitions {
	return &definitions{maphash.MakeSeed(), lru.New[uint64, *kept](maxKept)}
}

// kept is a definition of requests. Each form of it is made when it is first
// asked for.
type kept struct {
	text     []byte
	decoded  func() (*definition.CRD, []error, error)
	model    func() (*definition.Model, error)
	compiled func() (*crdsem.Definition, error)
}

// of returns the definition in an input, which need not be valid.
func (d *definitions) of(in protocol.Input) *kept {
	text, _ := in.Document()
	hash := maphash.Bytes(d.seed, text)
	if k, ok := d.kept.Get(hash); ok && bytes.Equal(k.text, text) {
		return k
	}
	k := keep(text)
	d.kept.Add(hash, k, max(len(text), leastKept))
	return k
}

func keep(text []byte) *kept {
	type decoded struct {
		crd    *definition.CRD
		strict []error
	}
	once := sync.OnceValues(func() (decoded, error) {
		crd, strict, err := definition.Decode(text)
		return decoded{crd, strict}, err
	})
	k := &kept{text: text, decoded: func() (*definition.CRD, []error, error) {
		d, err := once()
		return d.crd, d.strict, err
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
		return crdsem.Compile(crd)
	})
	return k
}
