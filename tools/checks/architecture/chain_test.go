package architecture_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/tools/chain"
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
			imports[fields[0]] = slices.DeleteFunc(fields[1:], func(to string) bool {
				return !within(to, module)
			})
		}
	}
	for from, most := range map[string]int{
		module: maxFromFacade, module + "/cmd/crdsem": maxFromCommand,
	} {
		longest := chain.Longest(imports, from)
		if len(longest) > most {
			t.Errorf("%d packages, at most %d, each imports the next:\n\t%s", len(longest), most,
				strings.Join(longest, "\n\t"))
		}
	}
}
