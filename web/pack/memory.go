package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/crdsem/crdsem/web/internal/wasmfile"
)

// A memory is what the data segments write, from address 0 on.
type memory []byte

// largest bounds the memory that a file may ask for.
const largest = 1 << 28

// readMemory reads a data section. Go's linker leaves out whatever is zero, by
// which programs have 100,000 segments.
func readMemory(section []byte) (memory, error) {
	var m memory
	r := wasmfile.NewReader(section)
	for n := r.Number(); n > 0 && r.Err() == nil; n-- {
		start, err := readStart(r)
		if err != nil {
			return nil, err
		}
		data := r.Bytes()
		end := start + len(data)
		if end > largest {
			return nil, fmt.Errorf("a data segment ends at %d", end)
		}
		if end > len(m) {
			m = append(m, make([]byte, end-len(m))...)
		}
		copy(m[start:], data)
	}
	return m, r.Err()
}

// Instructions of a data segment's address.
const (
	active   = 0x00 // a segment that is written at the start
	i32Const = 0x41
	end      = 0x0b
)

// readStart reads the head of a data segment and returns its address.
func readStart(r *wasmfile.Reader) (int, error) {
	kind, opcode, start, last := r.Byte(), r.Byte(), r.Signed(), r.Byte()
	if r.Err() != nil {
		return 0, r.Err()
	}
	if kind != active || opcode != i32Const || last != end || start < 0 {
		return 0, errors.New("a data segment has no constant address")
	}
	return int(start), nil
}

// gap is how many zeros are part of a segment. Zipped they are shorter than the
// head of a segment.
const gap = 512

// segments returns the data section that writes the memory.
func (m memory) segments() []byte {
	var body []byte
	count := 0
	for start := m.next(0); start < len(m); count++ {
		stop, next := m.segment(start)
		body = append(body, active, i32Const)
		body = appendSigned(body, start)
		body = append(body, end)
		body = wasmfile.AppendBytes(body, m[start:stop])
		start = next
	}
	return slices.Concat(wasmfile.AppendNumber(nil, count), body)
}

// segment returns the end of the segment that begins at an address, and where
// the next one begins.
func (m memory) segment(start int) (stop, next int) {
	stop = start
	for stop < len(m) {
		for stop < len(m) && m[stop] != 0 {
			stop++
		}
		next = m.next(stop)
		if next == len(m) || next-stop > gap {
			return stop, next
		}
		stop = next
	}
	return stop, stop
}

// next returns the address of the first byte that is not zero.
func (m memory) next(from int) int {
	i := slices.IndexFunc(m[from:], func(b byte) bool { return b != 0 })
	if i < 0 {
		return len(m)
	}
	return from + i
}

// appendSigned appends a number that is not negative as a signed one.
func appendSigned(to []byte, n int) []byte {
	for ; n >= 0x40; n >>= 7 {
		to = append(to, byte(n)|0x80)
	}
	return append(to, byte(n))
}
