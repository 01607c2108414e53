// Package wasmfile reads and writes WebAssembly files, as far as programs of Go
// need it.
package wasmfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// A Kind is the number of a section.
type Kind byte

// Kinds of sections.
const (
	Custom    Kind = 0
	Imports   Kind = 2
	Functions Kind = 3
	Exports   Kind = 7
	Elements  Kind = 9
	Code      Kind = 10
	Data      Kind = 11
)

var kindNames = map[Kind]string{
	1: "types", Imports: "imports", Functions: "functions", 4: "tables", 5: "memory", 6: "globals",
	Exports: "exports", 8: "start", Elements: "elements", Code: "code", Data: "data",
	12: "number of data segments",
}

// A Section is a part of a file.
type Section struct {
	Kind Kind
	Body []byte
}

// Name returns the section's name. A custom section has it in its body.
func (s Section) Name() string {
	if s.Kind == Custom {
		return string(NewReader(s.Body).Bytes())
	}
	return kindNames[s.Kind]
}

const header = "\x00asm\x01\x00\x00\x00"

// Parse returns the sections of a file. They share its bytes.
func Parse(file []byte) ([]Section, error) {
	body, ok := bytes.CutPrefix(file, []byte(header))
	if !ok {
		return nil, errors.New("it is no WebAssembly")
	}
	var sections []Section
	r := NewReader(body)
	for r.More() {
		sections = append(sections, Section{Kind(r.Byte()), r.Bytes()})
	}
	return sections, r.Err()
}

// Format returns the file of the sections.
func Format(sections []Section) []byte {
	file := []byte(header)
	for _, s := range sections {
		file = append(file, byte(s.Kind))
		file = AppendBytes(file, s.Body)
	}
	return file
}

// Bodies returns the functions of a code section.
func Bodies(code []byte) ([][]byte, error) {
	r := NewReader(code)
	var bodies [][]byte
	for n := r.Number(); n > 0 && r.err == nil; n-- {
		bodies = append(bodies, r.Bytes())
	}
	return bodies, r.Err()
}

// Imported returns how many functions an import section has. Go's programs
// import nothing else.
func Imported(imports []byte) (int, error) {
	r := NewReader(imports)
	count := r.Number()
	for n := count; n > 0 && r.err == nil; n-- {
		r.Bytes()
		r.Bytes()
		if kind := r.Byte(); kind != 0 && r.err == nil {
			return 0, fmt.Errorf("an import has kind %d", kind)
		}
		r.Number()
	}
	return count, r.Err()
}

// FunctionNames returns the names of functions by their index, from the custom
// section "name".
func FunctionNames(body []byte) (map[int]string, error) {
	const functionNames = 1
	names := map[int]string{}
	r := NewReader(body)
	r.Bytes() // "name"
	for r.More() {
		kind := r.Byte()
		part := NewReader(r.Bytes())
		if kind != functionNames {
			continue
		}
		for n := part.Number(); n > 0 && part.err == nil; n-- {
			index := part.Number()
			names[index] = string(part.Bytes())
		}
		if part.err != nil {
			return nil, part.err
		}
	}
	return names, r.Err()
}

// AppendNumber appends an unsigned number.
func AppendNumber(to []byte, n int) []byte { return binary.AppendUvarint(to, uint64(n)) }

// AppendBytes appends a length and as many bytes.
func AppendBytes(to, data []byte) []byte { return append(AppendNumber(to, len(data)), data...) }
