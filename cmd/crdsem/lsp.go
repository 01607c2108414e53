package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/rules"
	"github.com/crdsem/crdsem/internal/app/evaluator"
	"github.com/crdsem/crdsem/internal/base/visible"
	"github.com/crdsem/crdsem/minors"
)

func newLSPCommand() *cobra.Command {
	var crds []string
	var in []minors.Minor
	cmd := &cobra.Command{
		Use:   "lsp",
		Short: "answer editors: a language server for definitions and custom resources",
		Long: `Lsp speaks the Language Server Protocol over the standard input and output. Editors get the findings
of validate, check and lint while one types, fields and values to choose from, the description of a
field, and edits that mend findings. Definitions are those in the folders of the workspace, and in
paths that --crd names. docs/editor.md has the settings of editors.`,
		Args: cobra.NoArgs,
		RunE: runs(func(ctx context.Context, _ []string, std streams) (int, error) {
			return exitOK, serveLSP(ctx, std.in, wire{std.out}, lspConfig{
				Version: evaluator.Hello().Version, Kubernetes: in[len(in)-1], Definitions: crds,
				Link: func(id string) string {
					rule, _ := rules.Find(id)
					return rule.Link
				},
			})
		}),
	}
	crdFlag(cmd, &crds)
	kubernetesFlag(cmd, &in)
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
