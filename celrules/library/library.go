package library

import "fmt"

// Version is a Kubernetes minor version: Version(37) is 1.37. The zero Version is before every other.
type Version uint16

// Latest is the newest Kubernetes version that this catalogue describes.
const Latest Version = 37

// String writes the version as Kubernetes does: "1.37".
func (v Version) String() string { return fmt.Sprintf("1.%d", uint16(v)) }

// Expressions tells which expressions an environment is for.
type Expressions int

const (
	// NewExpressions are those that a request writes. They may only use what the previous minor version knows too, so that the server
	// can be rolled back (CEL-001, CEL-002).
	NewExpressions Expressions = iota
	// StoredExpressions are those already in storage: rules at run time, rules on defaults, rules that an update of a CRD does not
	// change (CEL-003).
	StoredExpressions
)

// compatibility is the version up to which options are part of the environment: one minor back for new expressions, no limit but the
// server's own version for stored ones.
func compatibility(v Version, kind Expressions) Version {
	if kind == NewExpressions && v > 0 {
		return v - 1
	}
	return v
}

// Library is one library or language option of the environment, with the versions that have it (CEL-004). It is a plain value.
type Library struct {
	// Name is the library's own name, such as "kubernetes.lists" or "cel.lib.ext.strings"; language options have names of ours.
	Name string
	// Introduced is the first version that has it; 0 if it was there from the start.
	Introduced Version
	// Removed is the first version that does not have it any more; 0 if there is none. What replaces it is introduced there.
	Removed Version
	// Edition is the version of a library that has several (strings 2, lists 3); 0 otherwise.
	Edition uint32
	// Summary says in one sentence what it gives to a rule.
	Summary string

	functions func() []Function
}

// Functions returns the functions that the library declares, in declaration order, overloads of later versions included. The result is
// the caller's own. It is empty for language options.
func (l Library) Functions() []Function {
	if l.functions == nil {
		return nil
	}
	fs := l.functions()
	for i := range fs {
		fs[i].Library = l.Name
	}
	return fs
}

// In tells whether expressions of the given kind have the library in Kubernetes version v: introduced at or before the compatibility
// version and, if removed, removed after it. Stored expressions have everything that was introduced and nothing that was removed
// (CEL-001).
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
