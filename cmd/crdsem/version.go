package main

import (
	"context"
	"flag"
	"fmt"
	"strings"

	"github.com/crdsem/crdsem/internal/evaluator"
)

var versionCommand = command{
	name:    "version",
	summary: "print the version of the command, and those of Kubernetes that it knows",
	setup: func(*flag.FlagSet) action {
		return func(_ context.Context, args []string, std streams) (int, error) {
			if len(args) > 0 {
				return 0, errUsage("takes no arguments")
			}
			hello := evaluator.Hello()
			_, err := fmt.Fprintf(std.out, "%s %s, Kubernetes %s\n", hello.Name, hello.Version,
				strings.Join(hello.Kubernetes, ", "))
			return exitOK, err
		}
	},
}
