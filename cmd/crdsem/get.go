package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/internal/kit/visible"
	"github.com/crdsem/crdsem/kit/columns"
)

func newGetCommand() *cobra.Command {
	g := &getter{}
	cmd := &cobra.Command{
		Use:   "get PATH...",
		Short: "print objects as the tables that kubectl get shows",
		Long: `Get prints a table for each version of the objects in files, folders, globs, pipes, and for - the
standard input, as kubectl get does. Their definitions are among the paths, or named by --crd.
Objects that have no place in a table are named on the standard error, and the exit code is 2 then.`,
		RunE: runs(g.run),
	}
	crdFlag(cmd, &g.crds)
	cmd.Flags().StringVar(&g.now, "now", "",
		"count ages up to this `TIME`, e.g. 2026-07-01T12:00:00Z")
	outputFlag(cmd, &g.output, "text", "wide", "json")
	return cmd
}

// getter is one run of the command.
type getter struct {
	crds        []string
	now, output string
}

func (g *getter) run(ctx context.Context, args []string, std streams) (int, error) {
	if len(args) == 0 {
		return 0, errUsage("no object given")
	}
	now := time.Now()
	if g.now != "" {
		var err error
		if now, err = time.Parse(time.RFC3339, g.now); err != nil {
			const form = "--now is a time such as 2026-07-01T12:00:00Z, not %q"
			return 0, errUsage(fmt.Sprintf(form, g.now))
		}
	}
	defs, err := readGiven(g.crds, args, std)
	if err != nil {
		return 0, err
	}
	objects, isWhole, err := defs.readObjects(args, std)
	if err != nil {
		return 0, err
	}
	code := exitOK
	if !isWhole {
		code = exitFailed
	}
	tables, failures := tablesOf(ctx, defs, objects, now)
	for _, err := range failures {
		visible.Printf(std.err, "%s\n", err)
		code = exitFailed
	}
	if g.output == "json" {
		return code, output.JSON(std.out, tables)
	}
	view := columns.Narrow
	if g.output == "wide" {
		view = columns.Wide
	}
	texts := make([]string, len(tables))
	for i, t := range tables {
		for j := range t.ColumnDefinitions {
			t.ColumnDefinitions[j].Name = visible.Line(t.ColumnDefinitions[j].Name)
		}
		texts[i] = t.Text(view)
	}
	_, err = io.WriteString(std.out, strings.Join(texts, "\n"))
	return code, err
}

// shelf is the objects of one version of a definition.
type shelf struct {
	def     *crdsem.Definition
	version string
	items   []any
}

// tablesOf returns a table for each version of which there are objects, in the
// order of the first ones. The objects are read as from storage. failures say
// which objects have no place in a table.
func tablesOf(
	ctx context.Context, defs definitions, objects []inputObject, now time.Time,
) (tables []*columns.Table, failures []error) {
	var shelves []*shelf
	byVersion := map[string]*shelf{}
	for _, in := range objects {
		version, err := defs.Version(in.Content)
		if err != nil {
			failures = append(failures, in.fail("apiVersion", err))
			continue
		}
		read := version.Read(ctx, in.Content)
		if err := read.Err(); err != nil {
			failures = append(failures, in.fail("", err))
			continue
		}
		def, err := defs.Definition(in.Content)
		if err != nil {
			failures = append(failures, in.fail("apiVersion", err))
			continue
		}
		name := version.Name()
		key := def.Model().Name() + " " + name
		if byVersion[key] == nil {
			byVersion[key] = &shelf{def: def.Definition, version: name}
			shelves = append(shelves, byVersion[key])
		}
		byVersion[key].items = append(byVersion[key].items, read.Object)
	}
	tables = []*columns.Table{}
	for _, s := range shelves {
		c := columns.New(s.def.Model().Version(s.version))
		table, err := c.Table(map[string]any{"items": s.items}, now)
		if err != nil {
			failures = append(failures, err)
			continue
		}
		tables = append(tables, table)
	}
	return tables, failures
}
