package vendor

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed publishers.txt
var publishersText string

// publishers returns the sources by group, or by kind and group.
var publishers = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(publishersText) {
		names, source, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || names[0] == '#' {
			continue
		}
		for _, name := range strings.Fields(names) {
			out[name] = source
		}
	}
	return out
})

// Publisher returns the source of a kind's definition, "" if it is not known.
func Publisher(group, kind string) string {
	if source := publishers()[kind+"."+group]; source != "" {
		return source
	}
	return publishers()[group]
}
