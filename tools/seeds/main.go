// Command seeds writes the requests of the conformance vectors as seeds of the
// fuzz targets in package fuzz.
//
//	go run ./tools/seeds -format go FOLDER          # FOLDER/FuzzPrune/prune-0001, ...
//	go run ./tools/seeds -format libfuzzer FOLDER   # FOLDER/FuzzPrune_seed_corpus.zip, ...
//
// The first form is what `go test -fuzz` reads: FOLDER is testdata/fuzz, or the
// package's folder in the fuzzer's cache. OSS-Fuzz reads the second one.
// -most limits the seeds of a target; they are spread over all vectors.
package main

import (
	"archive/zip"
	"bufio"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/app/protocol"
)

func main() {
	format := flag.String("format", "go", "go or libfuzzer")
	vectors := flag.String("vectors", "conformance/vectors/eval", "the folder of the vectors")
	most := flag.Int("most", 0, "the number of seeds for a target, 0 for all")
	flag.Parse()
	if flag.NArg() != 1 || *format != "go" && *format != "libfuzzer" {
		flag.Usage()
		os.Exit(2)
	}
	write := writeGo
	if *format == "libfuzzer" {
		write = writeLibFuzzer
	}
	if err := run(*vectors, *most, flag.Arg(0), write); err != nil {
		fmt.Fprintln(os.Stderr, "seeds:", err)
		os.Exit(1)
	}
}

// A seed is the inputs of a request, named after its vector.
type seed struct {
	name   string
	inputs []byte
}

// A writer writes the seeds of a target to a folder.
type writer func(folder, target string, seeds []seed) error

func run(vectors string, most int, folder string, write writer) error {
	seeds, err := read(vectors)
	if err != nil {
		return err
	}
	for _, op := range slices.Sorted(maps.Keys(seeds)) {
		some := spread(seeds[op], most)
		if err := write(folder, targets[op], some); err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%s: %d seeds of %d\n", targets[op], len(some), len(seeds[op]))
	}
	return nil
}

// targets are the fuzz targets of the operations.
var targets = map[string]string{
	protocol.OpStructural: "FuzzStructural", protocol.OpPrune: "FuzzPrune",
	protocol.OpDefault: "FuzzDefault", protocol.OpValidate: "FuzzValidate",
	protocol.OpCEL: "FuzzCEL", protocol.OpCost: "FuzzCost", protocol.OpCRD: "FuzzCRD",
	protocol.OpAdmit: "FuzzAdmit", protocol.OpConvert: "FuzzConvert",
	protocol.OpTable: "FuzzTable", protocol.OpSort: "FuzzSort",
	protocol.OpStore: "FuzzStore", protocol.OpRead: "FuzzRead",
	protocol.OpUpdate: "FuzzUpdate", protocol.OpStatus: "FuzzStatus",
	protocol.OpPatch: "FuzzPatch", protocol.OpApply: "FuzzApply", protocol.OpScale: "FuzzScale",
}

// read returns the seeds of each operation, in order of files and lines.
func read(vectors string) (map[string][]seed, error) {
	files, err := filepath.Glob(filepath.Join(vectors, "*.jsonl"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("%s has no vectors", vectors)
	}
	slices.Sort(files)
	seeds := map[string][]seed{}
	for _, file := range files {
		if err := readFile(file, seeds); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	return seeds, nil
}

func readFile(file string, seeds map[string][]seed) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var vector struct {
			ID      string                     `json:"id"`
			Request map[string]json.RawMessage `json:"request"`
		}
		if err := json.Unmarshal(lines.Bytes(), &vector); err != nil {
			return err
		}
		op := strings.Trim(string(vector.Request["op"]), `"`)
		if targets[op] == "" {
			return fmt.Errorf("%s: no target for operation %q", vector.ID, op)
		}
		delete(vector.Request, "op")
		inputs, err := json.Marshal(vector.Request)
		if err != nil {
			return err
		}
		seeds[op] = append(seeds[op], seed{vector.ID, inputs})
	}
	return lines.Err()
}

// spread returns at most so many seeds, at even distances.
func spread(list []seed, most int) []seed {
	if most <= 0 || len(list) <= most {
		return list
	}
	out := make([]seed, most)
	for i := range out {
		out[i] = list[i*len(list)/most]
	}
	return out
}

func writeGo(folder, target string, seeds []seed) error {
	dir := filepath.Join(folder, target)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, s := range seeds {
		text := fmt.Sprintf("go test fuzz v1\n[]byte(%q)\n", s.inputs)
		if err := os.WriteFile(filepath.Join(dir, s.name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func writeLibFuzzer(folder, target string, seeds []seed) error {
	f, err := os.Create(filepath.Join(folder, target+"_seed_corpus.zip"))
	if err != nil {
		return err
	}
	defer f.Close()
	z := zip.NewWriter(f)
	for _, s := range seeds {
		w, err := z.Create(s.name)
		if err != nil {
			return err
		}
		if _, err := w.Write(encode(s.inputs)); err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	return f.Close()
}

// encode writes the argument of a target as OSS-Fuzz's build of Go targets
// reads it: its length, in four bytes, before its bytes.
func encode(inputs []byte) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(inputs))), inputs...)
}
