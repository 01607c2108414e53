package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/internal/app/evaluator"
)

func newVersionCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "version",
		Short: "print the version, and those of Kubernetes that are known",
		Args:  cobra.NoArgs,
		RunE: runs(func(_ context.Context, _ []string, std streams) (int, error) {
			if format == "json" {
				hello := evaluator.Hello()
				return exitOK, output.JSON(std.out, version{hello.Version, hello.Kubernetes})
			}
			_, err := fmt.Fprintln(std.out, versionLine())
			return exitOK, err
		}),
	}
	outputFlag(cmd, &format, "text", "json")
	return cmd
}

// version is the output of version.
type version struct {
	Version    string   `json:"version"`
	Kubernetes []string `json:"kubernetes"`
}

func versionLine() string {
	hello := evaluator.Hello()
	return fmt.Sprintf("%s %s, Kubernetes %s",
		hello.Name, hello.Version, strings.Join(hello.Kubernetes, ", "))
}
