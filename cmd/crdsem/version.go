package main

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crdsem/crdsem"
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
			_, err := fmt.Fprintln(std.out, versionText())
			return exitOK, err
		}),
	}
	outputFlag(cmd, &format, "text", "json")
	return cmd
}

// version is the output of version. Module, Commit and Go are as the toolchain
// recorded them; Commit is empty unless it was built in a clone. Linked are the
// modules that answers depend on, and Compared reports whether all of them were
// compared with the real code.
type version struct {
	Version    string   `json:"version"`
	Kubernetes []string `json:"kubernetes"`
	Module     string   `json:"module,omitempty"`
	Commit     string   `json:"commit,omitempty"`
	Go         string   `json:"go,omitempty"`

	Linked   []crdsem.Dependency `json:"linked"`
	Compared bool                `json:"compared"`
}

func newVersion() version {
	hello := evaluator.Hello()
	v := version{Version: hello.Version, Kubernetes: hello.Kubernetes}
	if info, ok := debug.ReadBuildInfo(); ok {
		v.built(info)
	}
	v.Linked, v.Compared = crdsem.Verified()
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

// versionText is the version, and a line for each module that answers depend
// on.
func versionText() string {
	v := newVersion()
	text := v.String()
	for _, d := range v.Linked {
		text += "\n  with " + d.String()
	}
	return text
}

func (v version) String() string {
	line := "crdsem " + v.Version
	for _, part := range []string{v.Module, v.Commit, v.Go} {
		if part != "" {
			line += ", " + part
		}
	}
	return line + ", Kubernetes " + strings.Join(v.Kubernetes, ", ")
}
