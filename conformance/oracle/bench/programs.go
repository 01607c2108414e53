package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// programRows build the two programs below size and count their packages.
func programRows() ([]measurement, error) {
	sizes := measurement{
		name:   "stripped program, everything on objects",
		unit:   megabytes,
		target: target{absolute, 14e6},
	}
	packages := measurement{name: "its packages outside the standard library", unit: number}
	modules := measurement{name: "their modules", unit: number}
	for _, p := range []struct {
		of                      string
		size, packages, modules *float64
	}{
		{"./bench/size/ours", &sizes.ours, &packages.ours, &modules.ours},
		{"./bench/size/real", &sizes.real, &packages.real, &modules.real},
	} {
		if err := build(p.of, p.size); err != nil {
			return nil, err
		}
		if err := count(p.of, p.packages, p.modules); err != nil {
			return nil, err
		}
	}
	return []measurement{sizes, packages, modules}, nil
}

func build(program string, size *float64) error {
	folder, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "program")
	out, err := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", file, program).
		CombinedOutput()
	if err != nil {
		return fmt.Errorf("build %s: %w: %s", program, err, out)
	}
	info, err := os.Stat(file)
	if err == nil {
		*size = float64(info.Size())
	}
	return err
}

// count returns the number of packages that a program links outside the
// standard library, and of their modules.
func count(program string, packages, modules *float64) error {
	const format = `{{if not .Standard}}{{.ImportPath}} {{with .Module}}{{.Path}}{{end}}{{end}}`
	out, err := exec.Command("go", "list", "-deps", "-f", format, program).Output()
	if err != nil {
		return fmt.Errorf("list %s: %w", program, err)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		path, module, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok || strings.HasSuffix(path, strings.TrimPrefix(program, ".")) {
			continue
		}
		*packages++
		seen[module] = true
	}
	*modules = float64(len(seen))
	return nil
}
