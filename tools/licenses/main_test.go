package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFilesAreUpToDate(t *testing.T) {
	for _, b := range binaries {
		file := filepath.Join("../..", b.folder, fileOf)
		var want strings.Builder
		if err := b.write(&want, "../.."); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want.String() {
			t.Errorf("the modules of %s changed: run `make -C tools/release licenses`", b.folder)
		}
		for _, part := range []string{
			"Go's standard library: BSD-3-Clause", "cel.dev/cel-go ",
		} {
			if !strings.Contains(string(got), part) {
				t.Errorf("%s lacks %q", file, part)
			}
		}
	}
}

func TestIdentify(t *testing.T) {
	const (
		apache = "          Apache License\n    Version 2.0, January 2004\n"
		mit    = "Permission is hereby granted, free of\ncharge, to any person obtaining a copy"
		binary = "Redistributions in binary form must reproduce\n"
		names  = "be used to\nendorse or promote products derived from this software"
	)
	for body, want := range map[string]string{
		apache: "Apache-2.0", mit: "MIT", apache + mit: "Apache-2.0 MIT", binary: "BSD-2-Clause",
		binary + names: "BSD-3-Clause", "GNU GENERAL PUBLIC LICENSE Version 3": "",
	} {
		if got := strings.Join(identify(body), " "); got != want {
			t.Errorf("%q is %q, want %q", body, got, want)
		}
	}
}
