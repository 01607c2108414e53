package main

import (
	"fmt"

	"github.com/crdsem/crdsem/web/internal/wasmfile"
)

// renumber returns the body of a function with other indexes of the functions
// that it calls.
func renumber(body []byte, index func(int) int) ([]byte, error) {
	renumbered := make([]byte, 0, len(body))
	r := wasmfile.NewReader(body)
	for n := r.Number(); n > 0 && r.Err() == nil; n-- { // local variables
		r.Number()
		r.Byte()
	}
	copied := 0
	for r.More() {
		opcode := r.Byte()
		if opcode != call {
			if err := skipOperands(r, opcode); err != nil {
				return nil, err
			}
			continue
		}
		renumbered = append(renumbered, body[copied:r.Offset()]...)
		renumbered = wasmfile.AppendNumber(renumbered, index(r.Number()))
		copied = r.Offset()
	}
	return append(renumbered, body[copied:]...), r.Err()
}

// Opcodes with operands of their own kind. All others are in operands.
const (
	call         = 0x10
	branchTable  = 0x0e
	f32Const     = 0x43
	f64Const     = 0x44
	prefixed     = 0xfc
	firstNumeric = 0x45
	lastNumeric  = 0xc4
)

// operands are the numbers of operands by opcode. All of them are numbers of
// variable length.
var operands = map[byte]int{
	0x00: 0, 0x01: 0, // unreachable, nop
	0x02: 1, 0x03: 1, 0x04: 1, 0x05: 0, 0x0b: 0, // block, loop, if, else, end
	0x0c: 1, 0x0d: 1, 0x0f: 0, // branches, return
	0x11: 2,          // indirect call
	0x1a: 0, 0x1b: 0, // drop, select
	0x20: 1, 0x21: 1, 0x22: 1, 0x23: 1, 0x24: 1, // variables
	0x28: 2, 0x29: 2, 0x2a: 2, 0x2b: 2, 0x2c: 2, 0x2d: 2, 0x2e: 2, 0x2f: 2, 0x30: 2, // loads
	0x31: 2, 0x32: 2, 0x33: 2, 0x34: 2, 0x35: 2,
	0x36: 2, 0x37: 2, 0x38: 2, 0x39: 2, 0x3a: 2, 0x3b: 2, 0x3c: 2, 0x3d: 2, 0x3e: 2, // stores
	0x3f: 1, 0x40: 1, // size of the memory, its growth
	0x41: 1, 0x42: 1, // constants
}

// prefixedOperands are those of opcodes that follow the prefix.
var prefixedOperands = map[int]int{
	0: 0, 1: 0, 2: 0, 3: 0, 4: 0, 5: 0, 6: 0, 7: 0, // conversions
	10: 2, 11: 1, // copy and fill memory
}

// skipOperands reads what follows an opcode. It knows the instructions of Go's
// programs.
func skipOperands(r *wasmfile.Reader, opcode byte) error {
	count, known := operands[opcode]
	switch {
	case known:
	case opcode >= firstNumeric && opcode <= lastNumeric:
		return nil
	case opcode == f32Const:
		r.Take(4)
		return nil
	case opcode == f64Const:
		r.Take(8)
		return nil
	case opcode == branchTable:
		count = r.Number() + 1
	case opcode == prefixed:
		second := r.Number()
		if count, known = prefixedOperands[second]; !known {
			return fmt.Errorf("the opcode 0xfc %d is unknown", second)
		}
	default:
		return fmt.Errorf("the opcode %#x is unknown", opcode)
	}
	for ; count > 0 && r.Err() == nil; count-- {
		r.Signed()
	}
	return r.Err()
}
