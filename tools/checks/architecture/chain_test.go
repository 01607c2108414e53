package architecture_test

import (
	"os/exec"
	"strings"
	"testing"
)

// The longest chains of imports, from the facade and from the command. A
// package of which each imports the next has to be read to understand the
// first.
const maxFromFacade, maxFromCommand = 13, 17

func TestChains(t *testing.T) {
	// The command is a module of its own, which the workspace joins.
	cmd := exec.Command("go", "list", "-deps", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./cmd/crdsem")
	cmd.Dir = "../../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	imports := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		if within(fields[0], module) {
			imports[fields[0]] = fields[1:]
		}
	}
	for from, most := range map[string]int{
		module: maxFromFacade, module + "/cmd/crdsem": maxFromCommand,
	} {
		chain := longestChain(imports, from)
		if len(chain) > most {
			t.Errorf("%d packages, at most %d, each imports the next:\n\t%s", len(chain), most,
				strings.Join(chain, "\n\t"))
		}
	}
}

// The longest of several chains is found.
func TestLongestChain(t *testing.T) {
	imports := map[string][]string{"a": {"b", "c"}, "b": {"d"}, "c": {"b"}, "d": {"fmt"}}
	if got := strings.Join(longestChain(imports, "a"), " "); got != "a c b d" {
		t.Errorf("%s", got)
	}
}

// longestChain returns the longest chain of packages of the module that begins
// with one.
func longestChain(imports map[string][]string, from string) []string {
	known := map[string][]string{}
	var longest func(pkg string) []string
	longest = func(pkg string) []string {
		if chain, ok := known[pkg]; ok {
			return chain
		}
		var best []string
		for _, to := range imports[pkg] {
			if _, own := imports[to]; !own {
				continue
			}
			if chain := longest(to); len(chain) > len(best) {
				best = chain
			}
		}
		known[pkg] = append([]string{pkg}, best...)
		return known[pkg]
	}
	return longest(from)
}
