package main

import (
	"bytes"
	"regexp"

	"github.com/crdsem/crdsem/web/internal/wasmfile"
)

// isStarted reports whether the program was started already: it goes on from
// there and has its state in a custom section (build/start.js).
func isStarted(sections []wasmfile.Section) bool {
	for _, s := range sections {
		if s.Kind == wasmfile.Custom && s.Name() == "started" {
			return true
		}
	}
	return false
}

// initialization matches functions that run once, before main.main: those by
// the name init, and those of the compiler that set variables and fill maps. A
// method has two dots in its name, so none matches.
var initialization = regexp.MustCompile(`^([^/]*/)*[^./]+\.(map\.)?init(\.\d+)?$`)

// trap is the body of a function without local variables that must not run.
var trap = []byte{0x00, 0x00, end}

// dropInitialization replaces the functions of a started program that have run
// for the only time.
func dropInitialization(code *[]byte, m memory) error {
	t, err := findTables(m)
	if err != nil {
		return err
	}
	bodies, err := wasmfile.Bodies(*code)
	if err != nil {
		return err
	}
	for i := range t.functions {
		f, err := t.function(i)
		if err != nil {
			return err
		}
		index := f.index()
		if index < 0 || index >= len(bodies) {
			return errEnds
		}
		if initialization.Match(t.name(f)) {
			bodies[index] = trap
		}
	}
	*code = wasmfile.AppendNumber(nil, len(bodies))
	for _, body := range bodies {
		*code = wasmfile.AppendBytes(*code, body)
	}
	return nil
}

// index returns which of the program's functions it is.
func (f function) index() int { return f.head.half(entry) - firstIndex }

// name returns the name of a function.
func (t tables) name(f function) []byte {
	names := t.memory[t.names:t.units]
	start := min(f.head.half(nameOffset), len(names))
	name, _, _ := bytes.Cut(names[start:], []byte{0})
	return name
}
