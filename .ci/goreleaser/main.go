// Command goreleaser checks the configuration of releases: it reads the file
// as goreleaser does, which refuses unknown fields and values of wrong types.
// goreleaser itself is not built: it has some 300 modules.
package main

import (
	"fmt"
	"os"

	"github.com/goreleaser/goreleaser/v2/pkg/config"
)

func main() {
	project, err := config.Load(os.Args[1])
	if err == nil && len(project.Builds) == 0 {
		err = fmt.Errorf("%s has no builds", os.Args[1])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
