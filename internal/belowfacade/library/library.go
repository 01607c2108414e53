package library

import (
	"slices"
	"strconv"

	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// Version is a Kubernetes minor version, e.g. Version(37) for 1.37. The zero
// Version is before all others. It may be older than those of package minors,
// e.g. that which introduced a function.
type Version uint8

// String returns the version as Kubernetes writes it, e.g. "1.37".
func (v Version) String() string { return "1." + strconv.Itoa(int(v)) }

// Latest is the newest released version of Kubernetes.
const Latest = Version(profile.Default)

// Expressions is the kind of expressions that an environment compiles.
type Expressions int

const (
	// NewExpressions are written by a request. They may use only what the
	// previous minor version has too, so that the server can be rolled back
	// (CEL-001, CEL-002).
	NewExpressions Expressions = iota
	// StoredExpressions are in storage already: rules that run on objects or on
	// defaults, and rules that an update of a definition does not change
	// (CEL-003).
	StoredExpressions
)

// compatibility returns the last version whose libraries are part of the
// environment: the previous minor version for new expressions, and the version
// of the server for stored ones.
func compatibility(v Version, kind Expressions) Version {
	if kind == NewExpressions && v > 0 {
		return v - 1
	}
	return v
}

// Library is a library or language option of the environment, with the versions
// that have it (CEL-004).
type Library struct {
	// Name is the name of the library, e.g. "kubernetes.lists" or
	// "cel.lib.ext.strings". Language options have names of this package.
	Name string
	// Rule is the rule of the specification about the library, e.g. "LIB-060".
	// It is empty for some language options.
	Rule string
	// Introduced is the first version that has the library, 0 if the first
	// version with CEL has it.
	Introduced Version
	// Removed is the first version that no longer has the library, 0 if all
	// later versions have it. That version introduces the replacement.
	Removed Version
	// Edition is the version of a library that has several, e.g. 2 for strings
	// and 3 for lists. It is 0 for other libraries.
	Edition uint32
	// Summary is a short description, e.g. "IP addresses".
	Summary string
}

// Functions returns the functions that the library declares, in the order of
// declaration. They include overloads of later versions. Language options have
// no functions. The caller may change the result.
func (l Library) Functions() []Function {
	var out []Function
	for _, d := range catalogue()[l.Name] {
		f := d.Function
		f.Overloads = slices.Clone(f.Overloads)
		for i := range f.Overloads {
			f.Overloads[i].Params = slices.Clone(f.Overloads[i].Params)
		}
		if d.edition <= l.Edition {
			out = append(out, f)
		}
	}
	return out
}

// In reports whether expressions of a kind have the library in Kubernetes
// version v (CEL-001). New expressions have what the previous minor version
// has. Stored expressions have everything that was introduced and not yet
// removed.
func (l Library) In(v Version, kind Expressions) bool {
	at := compatibility(v, kind)
	if l.Introduced > at {
		return false
	}
	if kind == StoredExpressions {
		return l.Removed == 0 || l.Removed > v
	}
	return l.Removed == 0 || at < l.Removed
}
