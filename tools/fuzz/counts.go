package main

import (
	"bufio"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"errors"
	"maps"
)

// readCounts reads a file of lines "FOLDER NAME COUNT". A missing file is an
// empty one.
func readCounts(file string) (map[string]int64, error) {
	counts := map[string]int64{}
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return counts, nil
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var t target
		var n int64
		if _, err := fmt.Sscan(lines.Text(), &t.folder, &t.name, &n); err != nil {
			return nil, fmt.Errorf("%s: line %q is not FOLDER NAME COUNT", file, lines.Text())
		}
		counts[t.String()] += n
	}
	return counts, lines.Err()
}

// writeCounts replaces the file.
func writeCounts(file string, counts map[string]int64) error {
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintln(&text, name, counts[name])
	}
	return os.WriteFile(file, []byte(text.String()), 0o644)
}

func total(counts map[string]int64) (sum int64) {
	for _, n := range counts {
		sum += n
	}
	return sum
}
