package main

import (
	"fmt"
	"strings"
	"time"
)

const unreleased = "## Unreleased\n"

// setHeading gives what is unreleased in a changelog the heading of a version.
func setHeading(text, version string, day time.Time) (string, error) {
	before, after, ok := strings.Cut(text, unreleased)
	if !ok {
		return "", fmt.Errorf("CHANGELOG.md has no heading %q", strings.TrimSpace(unreleased))
	}
	if entries, _, _ := strings.Cut(after, "\n## "); strings.TrimSpace(entries) == "" {
		return "", fmt.Errorf("CHANGELOG.md says nothing under %q", strings.TrimSpace(unreleased))
	}
	number := strings.TrimPrefix(version, "v")
	heading := fmt.Sprintf("## %s - %s\n", number, day.Format(time.DateOnly))
	return before + heading + after, nil
}

// openHeading puts an empty section before the first one of a changelog.
func openHeading(text string) string {
	before, after, _ := strings.Cut(text, "## ")
	return before + unreleased + "\n## " + after
}
