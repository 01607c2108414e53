package prose

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRepository holds every Go file and every Markdown document, those of the
// nested modules included.
func TestRepository(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	checked := 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if leftOut(entry.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		found, err := check(path)
		if filepath.Ext(path) == ".go" {
			checked++
		}
		for _, message := range found {
			t.Errorf("%s:%s", filepath.ToSlash(name), message)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if checked == 0 {
		t.Error("no Go file was checked")
	}
}

// leftOut reports whether a folder is not checked: it holds recorded data, the
// generated pages of the command, or packages and builds of web, or is hidden,
// e.g. .git.
func leftOut(name string) bool {
	switch name {
	case "testdata", "cli", "node_modules", "dist":
		return true
	}
	return name != ".." && strings.HasPrefix(name, ".")
}

func check(path string) ([]string, error) {
	extension := filepath.Ext(path)
	if extension != ".go" && extension != ".md" {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if extension == ".md" {
		return wideMarkdown(text), nil
	}
	f, err := parseGo(path, text)
	if err != nil {
		return nil, err
	}
	return f.wideLines(), nil
}
