package main

import (
	"errors"
	"fmt"

	"github.com/crdsem/crdsem/web/internal/wasmfile"
)

// reorder moves functions so that similar ones follow each other.
func reorder(sections []wasmfile.Section) error {
	byKind := map[wasmfile.Kind]*[]byte{}
	for _, kind := range []wasmfile.Kind{
		wasmfile.Imports, wasmfile.Functions, wasmfile.Exports, wasmfile.Elements, wasmfile.Code,
	} {
		if byKind[kind] = body(sections, kind); byKind[kind] == nil {
			return fmt.Errorf("it has no section of kind %d", kind)
		}
	}
	code := byKind[wasmfile.Code]
	bodies, err := wasmfile.Bodies(*code)
	if err != nil {
		return err
	}
	imported, err := wasmfile.Imported(*byKind[wasmfile.Imports])
	if err != nil {
		return err
	}
	m := newMoves(imported, similar(bodies))
	for _, section := range []struct {
		body *[]byte
		move func([]byte) ([]byte, error)
	}{
		{byKind[wasmfile.Functions], m.types},
		{byKind[wasmfile.Exports], m.exports},
		{byKind[wasmfile.Elements], m.elements},
	} {
		if *section.body, err = section.move(*section.body); err != nil {
			return err
		}
	}
	*code, err = m.code(bodies)
	return err
}

// moves says where functions go.
type moves struct {
	imported int   // functions that come first and stay
	order    []int // the old place by the new one, without what is imported
	places   []int // the new place by the old one
}

func newMoves(imported int, order []int) moves {
	m := moves{imported, order, make([]int, len(order))}
	for place, old := range order {
		m.places[old] = place
	}
	return m
}

// index returns the new index of a function.
func (m moves) index(old int) int {
	if old < m.imported || old-m.imported >= len(m.places) {
		return old
	}
	return m.places[old-m.imported] + m.imported
}

// code returns the code section with moved functions.
func (m moves) code(bodies [][]byte) ([]byte, error) {
	section := wasmfile.AppendNumber(nil, len(bodies))
	for _, old := range m.order {
		body, err := renumber(bodies[old], m.index)
		if err != nil {
			return nil, fmt.Errorf("function %d: %w", old+m.imported, err)
		}
		section = wasmfile.AppendBytes(section, body)
	}
	return section, nil
}

// types returns the section of the functions' types.
func (m moves) types(body []byte) ([]byte, error) {
	r := wasmfile.NewReader(body)
	types := make([]int, len(m.order))
	if n := r.Number(); n != len(types) {
		return nil, fmt.Errorf("%d functions have %d types", len(types), n)
	}
	for i := range types {
		types[i] = r.Number()
	}
	section := wasmfile.AppendNumber(nil, len(types))
	for _, old := range m.order {
		section = wasmfile.AppendNumber(section, types[old])
	}
	return section, r.Err()
}

// exports returns the section of exports.
func (m moves) exports(body []byte) ([]byte, error) {
	const function = 0
	r := wasmfile.NewReader(body)
	count := r.Number()
	section := wasmfile.AppendNumber(nil, count)
	for ; count > 0 && r.Err() == nil; count-- {
		name, kind, index := r.Bytes(), r.Byte(), r.Number()
		if kind == function {
			index = m.index(index)
		}
		section = wasmfile.AppendBytes(section, name)
		section = wasmfile.AppendNumber(append(section, kind), index)
	}
	return section, r.Err()
}

// elements returns the section of the table by which functions are called
// indirectly. Go's programs have one table.
func (m moves) elements(body []byte) ([]byte, error) {
	r := wasmfile.NewReader(body)
	if segments, table := r.Number(), r.Number(); segments != 1 || table != 0 {
		return nil, errors.New("it has other elements than those of one table")
	}
	if opcode, _, last := r.Byte(), r.Signed(), r.Byte(); opcode != i32Const || last != end {
		return nil, errors.New("the elements have no constant start")
	}
	start := r.Offset()
	count := r.Number()
	section := wasmfile.AppendNumber(body[:start:start], count)
	for ; count > 0 && r.Err() == nil; count-- {
		section = wasmfile.AppendNumber(section, m.index(r.Number()))
	}
	return section, r.Err()
}
