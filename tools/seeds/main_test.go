package main

import (
	"archive/zip"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/crdsem/crdsem/internal/app/protocol"
)

const vectors = "../../conformance/vectors/eval"

// Each seed is a request that the protocol takes.
func TestSeedsAreRequests(t *testing.T) {
	seeds, err := read(vectors)
	if err != nil {
		t.Fatal(err)
	}
	if len(seeds) != len(targets) {
		t.Errorf("seeds of %d operations, there are %d", len(seeds), len(targets))
	}
	for op, list := range seeds {
		for _, s := range list {
			line := append([]byte(`{"id":"1","op":"`+op+`",`), s.inputs[1:]...)
			if _, err := protocol.ParseRequest(line); err != nil {
				t.Errorf("%s: %v", s.name, err)
			}
		}
	}
}

func TestWriteLibFuzzer(t *testing.T) {
	dir := t.TempDir()
	if err := run(vectors, 3, dir, writeLibFuzzer); err != nil {
		t.Fatal(err)
	}
	z, err := zip.OpenReader(filepath.Join(dir, "FuzzSort_seed_corpus.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = z.Close() }()
	if len(z.File) != 3 {
		t.Errorf("%d seeds, want 3", len(z.File))
	}
	for _, file := range z.File {
		r, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil || len(text) < 5 || int(binary.BigEndian.Uint32(text)) != len(text)-4 ||
			text[4] != '{' {
			t.Errorf("%s: %q %v", file.Name, text, err)
		}
	}
}

func TestWriteGo(t *testing.T) {
	dir := t.TempDir()
	if err := run(vectors, 0, dir, writeGo); err != nil {
		t.Fatal(err)
	}
	seeds, err := filepath.Glob(filepath.Join(dir, "FuzzSort", "*"))
	if err != nil || len(seeds) < 10 {
		t.Fatalf("%d seeds, %v", len(seeds), err)
	}
	text, err := os.ReadFile(seeds[0])
	form := regexp.MustCompile(`^go test fuzz v1\n\[\]byte\("\{.*\}"\)\n$`)
	if err != nil || !form.Match(text) {
		t.Errorf("%q %v", text, err)
	}
}

// OSS-Fuzz builds the targets that the package has, and each has seeds.
func TestTargetsAgree(t *testing.T) {
	var seeded []string
	for _, name := range targets {
		seeded = append(seeded, name)
	}
	slices.Sort(seeded)
	for file, pattern := range map[string]string{
		"../../conformance/fuzz/requests_test.go":  `func (Fuzz\w+)`,
		"../../conformance/fuzz/oss-fuzz/build.sh": `\b(Fuzz\w+)`,
	} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, match := range regexp.MustCompile(pattern).FindAllSubmatch(text, -1) {
			names = append(names, string(match[1]))
		}
		slices.Sort(names)
		if !slices.Equal(names, seeded) {
			t.Errorf("%s has %v, the seeds are for %v", file, names, seeded)
		}
	}
}
