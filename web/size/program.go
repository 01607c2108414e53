package main

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// program is what a WebAssembly file has, as far as sizes need it.
type program struct {
	sections  map[string][]byte
	imported  int // functions that come before those of the code
	functions [][]byte
	names     map[int]string
}

// errTruncated is the error of a file that ends within a part.
var errTruncated = errors.New("the file ends too early")

var sectionNames = map[byte]string{
	1: "types", 2: "imports", 3: "functions", 4: "tables", 5: "memory", 6: "globals", 7: "exports",
	8: "start", 9: "elements", 10: "code", 11: "data", 12: "number of data segments",
}

// parse reads a WebAssembly file.
func parse(data []byte) (*program, error) {
	if len(data) < 8 || string(data[:4]) != "\x00asm" {
		return nil, errors.New("it is no WebAssembly")
	}
	p := &program{sections: map[string][]byte{}, names: map[int]string{}}
	r := &reader{data: data[8:]}
	for len(r.data) > 0 && r.err == nil {
		kind := r.byte()
		body := &reader{data: r.bytes()}
		name, whole := sectionNames[kind], body.data
		switch kind {
		case 0:
			name = string(body.bytes())
			if name == "name" {
				p.readNames(body)
			}
		case 2:
			p.readImports(body)
		case 10:
			for n := body.number(); n > 0 && body.err == nil; n-- {
				p.functions = append(p.functions, body.bytes())
			}
		}
		p.sections[name] = whole
		r.err = errors.Join(r.err, body.err)
	}
	return p, r.err
}

// readImports counts imported functions. Go's programs import nothing else.
func (p *program) readImports(r *reader) {
	for n := r.number(); n > 0 && r.err == nil; n-- {
		r.bytes()
		r.bytes()
		if kind := r.byte(); kind != 0 && r.err == nil {
			r.err = fmt.Errorf("an import has kind %d", kind)
		}
		r.number()
		p.imported++
	}
}

// readNames reads the names of functions.
func (p *program) readNames(r *reader) {
	for len(r.data) > 0 && r.err == nil {
		kind := r.byte()
		part := &reader{data: r.bytes()}
		if kind != 1 {
			continue
		}
		for n := part.number(); n > 0 && part.err == nil; n-- {
			index := part.number()
			p.names[index] = string(part.bytes())
		}
		r.err = part.err
	}
}

// reader reads the numbers and byte strings of WebAssembly. After an error it
// returns nothing more.
type reader struct {
	data []byte
	err  error
}

func (r *reader) byte() byte {
	b := r.take(1)
	if len(b) == 0 {
		return 0
	}
	return b[0]
}

func (r *reader) number() int {
	n, size := binary.Uvarint(r.data)
	if size <= 0 || n > 1<<32-1 {
		r.data, r.err = nil, errTruncated
		return 0
	}
	r.data = r.data[size:]
	return int(n)
}

// bytes reads a length and as many bytes.
func (r *reader) bytes() []byte { return r.take(r.number()) }

func (r *reader) take(n int) []byte {
	if n > len(r.data) {
		r.data, r.err = nil, errTruncated
		return nil
	}
	taken := r.data[:n]
	r.data = r.data[n:]
	return taken
}
