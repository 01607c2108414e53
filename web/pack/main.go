// Command pack makes a WebAssembly program of Go smaller when it is zipped. The
// program does the same, but its report of a crash names no functions, files
// and lines. A program that build/start.js has started loses its
// initialization too.
//
//	go run ./pack crdsem.wasm packed.wasm
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/crdsem/crdsem/web/internal/wasmfile"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: pack PROGRAM PACKED")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func run(program, packed string) error {
	file, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	file, err = pack(file)
	if err != nil {
		return fmt.Errorf("%s: %w", program, err)
	}
	return os.WriteFile(packed, file, 0o644)
}

// pack returns the packed file.
func pack(file []byte) ([]byte, error) {
	sections, err := wasmfile.Parse(file)
	if err != nil {
		return nil, err
	}
	data, code := body(sections, wasmfile.Data), body(sections, wasmfile.Code)
	if data == nil || code == nil {
		return nil, errors.New("it has no data or no code")
	}
	memory, err := readMemory(*data)
	if err != nil {
		return nil, err
	}
	if isStarted(sections) {
		if err := dropInitialization(code, memory); err != nil {
			return nil, err
		}
	}
	if err := dropTraces(memory); err != nil {
		return nil, err
	}
	*data = memory.segments()
	if err := reorder(sections); err != nil {
		return nil, err
	}
	return wasmfile.Format(sections), nil
}

// body returns where the body of a section is, and nil without such a section.
func body(sections []wasmfile.Section, kind wasmfile.Kind) *[]byte {
	for i := range sections {
		if sections[i].Kind == kind {
			return &sections[i].Body
		}
	}
	return nil
}
