package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A ratio that is more than a half worse fails the check, and so does one that
// is not recorded. Anything better passes.
func TestCheckRatios(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ratios.json")
	recorded := []measurement{
		{name: "a", floor: 2, ours: 2},
		{name: "b", floor: 10, ours: 5},
		{name: "no floor", ours: 3},
	}
	if err := recordRatios(file, recorded); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		now  []measurement
		want string // empty: it passes
	}{
		"the same":                {recorded, ""},
		"a slower machine":        {[]measurement{{name: "a", floor: 20, ours: 20}, {name: "b", floor: 100, ours: 50}}, ""},
		"better":                  {[]measurement{{name: "a", floor: 2, ours: 1}}, ""},
		"worse, but not by half":  {[]measurement{{name: "a", floor: 2, ours: 2.9}}, ""},
		"worse by half":           {[]measurement{{name: "a", floor: 2, ours: 3.1}}, "a: 1.55 of the floor, recorded were 1.00"},
		"the floor became faster": {[]measurement{{name: "b", floor: 6, ours: 5}}, "b: 0.83 of the floor, recorded were 0.50"},
		"not recorded":            {[]measurement{{name: "c", floor: 1, ours: 1}}, "c: not recorded"},
		"two are worse":           {[]measurement{{name: "b", floor: 1, ours: 1}, {name: "a", floor: 1, ours: 2}}, "a: 2.00 of the floor, recorded were 1.00\nb: 1.00"},
		"no floor, no ratio":      {[]measurement{{name: "no floor", ours: 300}}, ""},
	} {
		err := checkRatios(file, c.now)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)):
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
	if err := os.WriteFile(file, []byte("no JSON"), 0o600); err != nil {
		t.Fatal(err)
	}
	if checkRatios(file, recorded) == nil || checkRatios(file+".absent", recorded) == nil {
		t.Error("a file that cannot be read passes")
	}
}

// Targets are compared with the measurement. A row that was not measured
// neither meets nor misses its target.
func TestVerdict(t *testing.T) {
	for name, c := range map[string]struct {
		m         measurement
		text, met string
	}{
		"none":        {measurement{ours: 1}, "", ""},
		"floor met":   {measurement{ours: 4, floor: 2, target: target{ofFloor, 2}}, "at most 2 of the floor", "met"},
		"floor over":  {measurement{ours: 4.1, floor: 2, target: target{ofFloor, 2}}, "at most 2 of the floor", "missed"},
		"real met":    {measurement{ours: 1, real: 4, target: target{ofReal, 0.25}}, "at most 1/4 of the real code", "met"},
		"real over":   {measurement{ours: 1, real: 3, target: target{ofReal, 0.25}}, "at most 1/4 of the real code", "missed"},
		"no real":     {measurement{ours: 1, target: target{ofReal, 0.25}}, "at most 1/4 of the real code", "-"},
		"memory met":  {measurement{unit: megabytes, ours: 1e6, target: target{absolute, 1.4e6}}, "at most 1.40 MB", "met"},
		"memory over": {measurement{unit: megabytes, ours: 2e6, target: target{absolute, 1.4e6}}, "at most 1.40 MB", "missed"},
	} {
		if text, met := c.m.verdict(); text != c.text || met != c.met {
			t.Errorf("%s: got %q %q, want %q %q", name, text, met, c.text, c.met)
		}
	}
}
