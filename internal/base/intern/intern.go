// Package intern writes binary keys by which equal things are found, so that
// each distinct one is kept once: e.g. two schemas with the same keywords.
//
// Two keys are equal if and only if the same methods wrote equal arguments in
// the same order. Every method writes a form that shows its own end: a string,
// for example, follows its length. A caller that writes the elements of a list
// one by one must therefore write their number first, unless the list is the
// last thing in the key.
package intern

import (
	"encoding/binary"
	"math"
	"slices"
)

// Key is a key that is being written. The zero value is empty. Assigning
// key[:0] empties it and keeps its memory. A Key is not safe for concurrent
// use.
//
// To look a key up in a map without an allocation, write m[string(key)].
type Key []byte

// Uint writes a number, in one byte if it is below 128.
func (k *Key) Uint(n uint64) { *k = binary.AppendUvarint(*k, n) }

// Int writes a number of either sign, in one byte if it is small.
func (k *Key) Int(n int64) { *k = binary.AppendVarint(*k, n) }

// ID writes a number in eight bytes, e.g. an address or a hash.
func (k *Key) ID(id uint64) { *k = binary.LittleEndian.AppendUint64(*k, id) }

// Float writes the bits of a number: 0 and -0 differ.
func (k *Key) Float(f float64) { k.ID(math.Float64bits(f)) }

// Byte writes one byte, e.g. a letter that stands for a kind.
func (k *Key) Byte(b byte) { *k = append(*k, b) }

// Bool writes one byte: 1 for true, 0 for false.
func (k *Key) Bool(b bool) {
	if b {
		*k = append(*k, 1)
	} else {
		*k = append(*k, 0)
	}
}

// Bools writes one byte for each argument.
func (k *Key) Bools(values ...bool) {
	for _, b := range values {
		k.Bool(b)
	}
}

// String writes a string.
func (k *Key) String(s string) {
	k.Uint(uint64(len(s)))
	*k = append(*k, s...)
}

// Strings writes each argument as String does.
func (k *Key) Strings(values ...string) {
	for _, s := range values {
		k.String(s)
	}
}

// StringList writes a list of strings. Nil and empty lists differ.
func (k *Key) StringList(list []string) {
	k.Bool(list != nil)
	k.Uint(uint64(len(list)))
	k.Strings(list...)
}

// OptionalInt writes a number that may be absent.
func (k *Key) OptionalInt(n *int64) {
	k.Bool(n != nil)
	if n != nil {
		k.Int(*n)
	}
}

// OptionalFloat writes a number that may be absent.
func (k *Key) OptionalFloat(f *float64) {
	k.Bool(f != nil)
	if f != nil {
		k.Float(*f)
	}
}

// OptionalString writes a string that may be absent.
func (k *Key) OptionalString(s *string) {
	k.Bool(s != nil)
	if s != nil {
		k.String(*s)
	}
}

// Value writes a JSON value. Integers and floats differ, e.g. int64(1) and 1.0;
// nil containers are the same as empty ones. A value of another Go type writes
// nothing.
func (k *Key) Value(value any) {
	switch v := value.(type) {
	case nil:
		k.Byte('n')
	case int64:
		k.Byte('i')
		k.Int(v)
	case float64:
		k.Byte('f')
		k.Float(v)
	case string:
		k.Byte('s')
		k.String(v)
	case bool:
		k.Byte('b')
		k.Bool(v)
	case []any:
		k.Byte('a')
		k.ValueList(v)
	case map[string]any:
		k.Byte('o')
		k.object(v)
	}
}

// ValueList writes a list of JSON values.
func (k *Key) ValueList(list []any) {
	k.Uint(uint64(len(list)))
	for _, item := range list {
		k.Value(item)
	}
}

func (k *Key) object(object map[string]any) {
	k.Uint(uint64(len(object)))
	names := make([]string, 0, len(object))
	for name := range object {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		k.String(name)
		k.Value(object[name])
	}
}
