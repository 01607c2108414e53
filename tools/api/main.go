package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// modules has the folder of each module that users import, by the name of its
// file.
var modules = map[string]string{
	"crdsem": ".", "command": "cmd/crdsem", "kube": "kube", "server": "kube/server",
	"fleet": "kit/fleet", "web": "web",
}

func main() {
	for name, folder := range modules {
		text, err := describe(folder)
		if err == nil {
			err = write(filepath.Join("tools/api", name+".txt"), text)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// write writes a file. A module without names has no file.
func write(file, text string) error {
	if text != "" {
		return os.WriteFile(file, []byte(text), 0o644)
	}
	if err := os.Remove(file); err != nil && !os.IsNotExist(err) {
		return err
	}
	return nil
}

// describe returns the lines of the module in a folder.
func describe(folder string) (string, error) {
	packages, err := load(folder)
	if err != nil {
		return "", err
	}
	var lines []string
	for _, pkg := range packages {
		lines = append(lines, surface(pkg)...)
	}
	if len(lines) == 0 {
		return "", nil
	}
	return strings.Join(lines, "\n") + "\n", nil
}
