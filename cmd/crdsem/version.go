package main

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/internal/app/evaluator"
)

func newVersionCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "version",
		Short: "print the version, how it was built, and the minors of Kubernetes that are known",
		Args:  cobra.NoArgs,
		RunE: runs(func(_ context.Context, _ []string, std streams) (int, error) {
			if format == "json" {
				return exitOK, output.JSON(std.out, newVersion())
			}
			_, err := fmt.Fprintln(std.out, versionLine())
			return exitOK, err
		}),
	}
	outputFlag(cmd, &format, "text", "json")
	return cmd
}

// version is the output of version. Module, Commit and Go are as the toolchain
// recorded them; Commit is empty unless it was built in a clone.
type version struct {
	Version    string   `json:"version"`
	Kubernetes []string `json:"kubernetes"`
	Module     string   `json:"module,omitempty"`
	Commit     string   `json:"commit,omitempty"`
	Go         string   `json:"go,omitempty"`
}

func newVersion() version {
	hello := evaluator.Hello()
	v := version{Version: hello.Version, Kubernetes: hello.Kubernetes}
	if info, ok := debug.ReadBuildInfo(); ok {
		v.built(info)
	}
	return v
}

// built fills in how a program was built.
func (v *version) built(info *debug.BuildInfo) {
	v.Module, v.Go = info.Main.Path, info.GoVersion
	changed := ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			v.Commit = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = " with changes"
		}
	}
	if v.Commit != "" {
		v.Commit += changed
	}
}

func versionLine() string { return newVersion().String() }

func (v version) String() string {
	line := "crdsem " + v.Version
	for _, part := range []string{v.Module, v.Commit, v.Go} {
		if part != "" {
			line += ", " + part
		}
	}
	return line + ", Kubernetes " + strings.Join(v.Kubernetes, ", ")
}
