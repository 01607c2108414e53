package main

import (
	"context"
	"io"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/rules"
	"github.com/crdsem/crdsem/internal/app/evaluator"
	"github.com/crdsem/crdsem/internal/kit/visible"
	"github.com/crdsem/crdsem/minors"
)

func newLSPCommand() *cobra.Command {
	var crds []string
	var in []minors.Minor
	cmd := &cobra.Command{
		Use:   "lsp",
		Short: "answer editors: a language server for definitions and custom resources",
		Long: `Lsp speaks the Language Server Protocol over the standard input and output. Editors get the findings
of validate, check and lint while one types, fields and values to choose from, what a field means and
where it is declared, what the server fills in and removes, and edits that fix findings. In rules
of definitions it completes fields and functions, and shows costs.

Definitions are those in the folders of the workspace, those that crdsem vendor wrote, and those in
paths that --crd names. The file .crdsem.yaml of the workspace is used as by validate, check and
lint. docs/editors.md has the settings of editors.`,
		Args: cobra.NoArgs,
	}
	crdFlag(cmd, &crds)
	kubernetesFlag(cmd, &in)
	cmd.RunE = runs(func(ctx context.Context, _ []string, std streams) (int, error) {
		c := lspConfig{
			Version: evaluator.Hello().Version, Definitions: crds,
			Link: func(id string) string {
				rule, _ := rules.Find(id)
				return rule.Link
			},
		}
		if cmd.Flags().Changed("kubernetes") {
			c.Kubernetes = in
		}
		debug.SetGCPercent(70) // it waits most of its time, and stays in memory
		return exitOK, serveLSP(ctx, std.in, wire{std.out}, c)
	})
	return cmd
}

// wire passes on bytes as they are: frames of the protocol end their lines with
// carriage returns. It stays open.
type wire struct{ out io.Writer }

// Write writes below what makes texts harmless: JSON has escapes of its own.
func (w wire) Write(data []byte) (int, error) {
	if out, ok := w.out.(*visible.Writer); ok {
		return out.Unwrap().Write(data)
	}
	return w.out.Write(data)
}

// Close does nothing.
func (wire) Close() error { return nil }
