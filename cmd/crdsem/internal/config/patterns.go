package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// patterns are those of a .gitignore, relative to a folder. Of those that match
// a path, the last one counts. What is in a folder that is left out is left
// out.
type patterns struct {
	folder string
	list   []pattern
}

type pattern struct {
	glob             string // of the whole path below the folder
	negated, folders bool
}

// parsePatterns returns the patterns of lines.
func parsePatterns(folder string, lines []string) (*patterns, error) {
	p := &patterns{folder: folder}
	for _, line := range lines {
		text := strings.TrimRight(line, " \t\r")
		if text == "" || text[0] == '#' {
			continue
		}
		one := pattern{}
		text, one.negated = strings.CutPrefix(text, "!")
		text, one.folders = strings.CutSuffix(strings.TrimPrefix(text, `\`), "/")
		if before, isAnchored := strings.CutPrefix(text, "/"); isAnchored {
			text = before
		} else if !strings.Contains(text, "/") {
			text = "**/" + text
		}
		if one.glob = literalBraces(text); !doublestar.ValidatePattern(one.glob) {
			return nil, fmt.Errorf("%q is no pattern of files", line)
		}
		p.list = append(p.list, one)
	}
	return p, nil
}

// literalBraces returns a pattern in which braces stand for themselves, as in
// git. As alternatives they would take exponential time.
func literalBraces(text string) string {
	var out strings.Builder
	escaped := false
	for _, r := range text {
		if (r == '{' || r == '}') && !escaped {
			out.WriteByte('\\')
		}
		out.WriteRune(r)
		escaped = r == '\\' && !escaped
	}
	return out.String()
}

// skip reports whether a file is left out, or a folder on the way to it.
func (p *patterns) skip(file string) bool {
	return anyOnTheWay([]*patterns{p}, file)
}

// anyOnTheWay reports whether patterns, the nearest first, leave out a file, or
// a folder on the way to it.
func anyOnTheWay(all []*patterns, file string) bool {
	for at, r := range file {
		if r == filepath.Separator && at > 0 && anySkips(all, file[:at], true) {
			return true
		}
	}
	return anySkips(all, file, false)
}

// anySkips returns what the first patterns with one that matches a path say.
func anySkips(all []*patterns, path string, isFolder bool) bool {
	for _, p := range all {
		name, err := filepath.Rel(p.folder, path)
		if err != nil || !filepath.IsLocal(name) || name == "." {
			continue
		}
		if skips, matches := p.last(filepath.ToSlash(name), isFolder); matches {
			return skips
		}
	}
	return false
}

// last returns what the last pattern that matches a path says.
func (p *patterns) last(name string, isFolder bool) (skips, matches bool) {
	for _, one := range p.list {
		if one.folders && !isFolder {
			continue
		}
		if fits, _ := doublestar.Match(one.glob, name); fits {
			skips, matches = !one.negated, true
		}
	}
	return skips, matches
}

// gitignore returns the patterns of the .gitignore of a folder, nil without
// one.
func gitignore(folder string) (*patterns, error) {
	name := filepath.Join(folder, ".gitignore")
	if !isFile(name) {
		return nil, nil // git cannot read it either
	}
	text, err := readSmall(name)
	if err != nil {
		return nil, nil
	}
	lines := slices.DeleteFunc(strings.Split(string(text), "\n"), func(line string) bool {
		_, err := parsePatterns(folder, []string{line})
		return err != nil // git matches nothing by it
	})
	return parsePatterns(folder, lines)
}
