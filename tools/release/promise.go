package main

import (
	"fmt"
	"strings"

	"golang.org/x/mod/semver"
)

// next reports whether a version may follow the last one. Exported names that
// are gone or changed ask for a new minor version before 1.0.0 and for a new
// major version after it; new names ask for a new minor version.
func next(last, version string, gone, added []string) error {
	switch {
	case semver.Canonical(version) != version:
		return fmt.Errorf("%q is not a version such as v0.1.0", version)
	case last == "":
		return nil
	case semver.Compare(version, last) <= 0:
		return fmt.Errorf("%s is not after %s", version, last)
	case semver.MajorMinor(version) == semver.MajorMinor(last) && len(gone)+len(added) > 0:
		return fmt.Errorf("exported names differ from %s; a patch version may not:\n%s",
			last, strings.Join(append(gone, added...), "\n"))
	case semver.Major(version) == semver.Major(last) && semver.Major(last) != "v0" && len(gone) > 0:
		return fmt.Errorf("exported names of %s are gone; this needs a new major version:\n%s",
			last, strings.Join(gone, "\n"))
	}
	return nil
}

// difference returns the lines of two texts that only one has.
func difference(before, after string) (gone, added []string) {
	return without(before, after), without(after, before)
}

func without(text, other string) []string {
	has := map[string]bool{}
	for line := range strings.Lines(other) {
		has[line] = true
	}
	var list []string
	for line := range strings.Lines(text) {
		if !has[line] {
			list = append(list, strings.TrimSuffix(line, "\n"))
		}
	}
	return list
}
