package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// dropTraces clears what only reports of crashes need: the names of functions,
// their files and lines, and where their arguments are. runtime/symtab.go in
// Go's sources describes what it reads.
func dropTraces(m memory) error {
	t, err := findTables(m)
	if err != nil {
		return err
	}
	var used []int
	for i := range t.functions {
		f, err := t.function(i)
		if err != nil {
			return fmt.Errorf("function %d of the tables: %w", i, err)
		}
		used = append(used, f.dropTraces()...)
	}
	dropNames(t.memory[t.names:t.units])
	clear(t.memory[t.units:t.numbers]) // the units' files, and the files
	return keepNumbers(t.memory[t.numbers:t.functab], used)
}

// tables are what a program of Go knows about its functions. Offsets are those
// from the start of their memory.
type tables struct {
	memory    memory
	functions int // how many there are
	names     int // the functions' names, each with a zero at its end
	units     int // the files of each compiled unit
	numbers   int // numbers by program counter
	functab   int // where each function is, and the functions
}

// tablesMagic is how the tables begin: their version, and the sizes of an
// instruction and of a pointer.
var tablesMagic = []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}

// findTables returns the only tables in the memory.
func findTables(m memory) (tables, error) {
	var found []tables
	for at := 0; ; at += len(tablesMagic) {
		next := bytes.Index(m[at:], tablesMagic)
		if next < 0 {
			break
		}
		at += next
		if t, ok := readTables(m[at:]); ok {
			found = append(found, t)
		}
	}
	if len(found) != 1 {
		return tables{}, fmt.Errorf("it has %d tables of functions that are read here", len(found))
	}
	return found[0], nil
}

// readTables reads the head of the tables. It reports whether it is one.
func readTables(m memory) (tables, bool) {
	const (
		functions = 8
		names     = 32
		units     = 40
		files     = 48
		numbers   = 56
		functab   = 64
		size      = 72
	)
	if len(m) < size {
		return tables{}, false
	}
	t := tables{memory: m, functions: m.word(functions), names: m.word(names),
		units: m.word(units), numbers: m.word(numbers), functab: m.word(functab)}
	last := m.word(files)
	ok := t.functions > 0 && t.functions < len(m) && size <= t.names && t.names <= t.units &&
		t.units <= last && last <= t.numbers && t.numbers <= t.functab && t.functab <= len(m)
	return t, ok
}

// word returns a number of 64 bits, and -1 if it is larger than a memory.
func (m memory) word(at int) int {
	if n := binary.LittleEndian.Uint64(m[at:]); n < largest {
		return int(n)
	}
	return -1
}

// half returns a number of 32 bits.
func (m memory) half(at int) int { return int(binary.LittleEndian.Uint32(m[at:])) }

// dropNames clears names. Go's runtime knows its own functions by name.
func dropNames(names []byte) {
	for name := range bytes.SplitAfterSeq(names, []byte{0}) {
		if !bytes.HasPrefix(name, []byte("runtime.")) {
			clear(name)
		}
	}
}

// A function is its entry in the tables: numbers of 32 bits.
type function struct {
	head    memory
	numbers memory // offsets of tables of numbers by program counter
	data    memory // offsets of other data
}

// Places in the head of a function.
const (
	entry        = 0  // its index, and firstIndex
	nameOffset   = 4  // among the names
	stackSizes   = 16 // offset of a table of numbers
	fileNumbers  = 20 // the same
	lineNumbers  = 24 // the same
	numberTables = 28 // how many follow the head
	unit         = 32
	firstLine    = 36
	otherData    = 43 // how many there are, in one byte
	headSize     = 44
)

// firstIndex is the number of a program's first function.
const firstIndex = 0x1000

// What numbers and data say, by their index. Points that are unsafe to stop at
// matter to signals only, which WebAssembly does not have.
const (
	unsafePoints      = 0
	liveArguments     = 3
	inlined           = 3
	arguments         = 5
	argumentsLiveness = 6
)

// function returns the entry of a function.
func (t tables) function(i int) (function, error) {
	r := t.memory
	at := t.functab + 8*i
	if at+8 > len(r) {
		return function{}, errEnds
	}
	at = t.functab + r.half(at+4)
	if at+headSize > len(r) {
		return function{}, errEnds
	}
	numbers := at + headSize
	data := numbers + 4*r.half(at+numberTables)
	end := data + 4*int(r[at+otherData])
	if end > len(r) {
		return function{}, errEnds
	}
	return function{r[at:numbers], r[numbers:data], r[data:end]}, nil
}

var errEnds = errors.New("it lies outside of the program")

// dropTraces clears what says names, lines and arguments, and returns the
// tables of numbers that are left.
func (f function) dropTraces() (used []int) {
	const none = 1<<32 - 1
	for _, at := range []int{fileNumbers, lineNumbers, unit, firstLine} {
		f.head.set(at, 0)
	}
	for _, i := range []int{unsafePoints, liveArguments} {
		f.numbers.set(4*i, 0)
	}
	for _, i := range []int{inlined, arguments, argumentsLiveness} {
		f.data.set(4*i, none)
	}
	used = append(used, f.head.half(stackSizes))
	for at := 0; at < len(f.numbers); at += 4 {
		used = append(used, f.numbers.half(at))
	}
	return used
}

// set writes a number of 32 bits, if it lies in the memory.
func (m memory) set(at int, n uint32) {
	if at+4 <= len(m) {
		binary.LittleEndian.PutUint32(m[at:], n)
	}
}

// keepNumbers clears all but the used tables of numbers. Offset 0 says that
// there is no table.
func keepNumbers(numbers memory, used []int) error {
	kept := make(memory, len(numbers))
	for _, at := range used {
		if at == 0 {
			continue
		}
		size, err := numbers.tableSize(at)
		if err != nil {
			return err
		}
		copy(kept[at:at+size], numbers[at:])
	}
	copy(numbers, kept)
	return nil
}

// tableSize returns the size of a table: pairs of numbers of variable length,
// of which a first one that is 0 ends the table, except in the first pair.
func (m memory) tableSize(at int) (int, error) {
	for end := at; end < len(m); {
		value, size := binary.Uvarint(m[end:])
		if size <= 0 {
			break
		}
		if value == 0 && end > at {
			return end + size - at, nil
		}
		end += size
		if _, size = binary.Uvarint(m[end:]); size <= 0 {
			break
		}
		end += size
	}
	return 0, fmt.Errorf("the table of numbers at %d has no end", at)
}
