package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/columns"
)

var getCommand = command{
	name:    "get",
	args:    "-crd CRD [-wide] [-now TIME] [-o text|json] OBJECT...",
	summary: "print stored objects as the tables that kubectl get shows",
	setup: func(flags *flag.FlagSet) action {
		g := &getter{}
		flags.Var(&g.crds, "crd", "read definitions from `FILE`; may be given more than once")
		flags.BoolVar(&g.wide, "wide", false,
			"print columns of every priority, as kubectl get -o wide")
		flags.StringVar(&g.now, "now", "",
			"count ages up to this `TIME`, e.g. 2026-07-01T12:00:00Z")
		flags.StringVar(&g.output, "o", "text",
			"print as text or as json, which is a list of tables")
		return g.run
	},
}

// getter is one run of the command.
type getter struct {
	crds        files
	wide        bool
	now, output string
}

func (g *getter) run(ctx context.Context, args []string, std streams) (int, error) {
	switch {
	case len(args) == 0:
		return 0, errUsage("no object given")
	case g.output != "text" && g.output != "json":
		return 0, errUsage(fmt.Sprintf("-o is text or json, not %q", g.output))
	}
	now := time.Now()
	if g.now != "" {
		var err error
		if now, err = time.Parse(time.RFC3339, g.now); err != nil {
			const form = "-now is a time such as 2026-07-01T12:00:00Z, not %q"
			return 0, errUsage(fmt.Sprintf(form, g.now))
		}
	}
	defs, err := readDefinitions(g.crds, std.in)
	if err != nil {
		return 0, err
	}
	objects, err := defs.readObjects(args, std.in)
	if err != nil {
		return 0, err
	}
	tables, err := tablesOf(ctx, defs, objects, now)
	if err != nil {
		return 0, err
	}
	if g.output == "json" {
		return exitOK, writeJSON(std.out, tables)
	}
	view := columns.Narrow
	if g.wide {
		view = columns.Wide
	}
	texts := make([]string, len(tables))
	for i, t := range tables {
		texts[i] = t.Text(view)
	}
	_, err = io.WriteString(std.out, strings.Join(texts, "\n"))
	return exitOK, err
}

// shelf is the objects of one version of a definition.
type shelf struct {
	def     *crdsem.Definition
	version string
	items   []any
}

// tablesOf returns a table for each version of which there are objects, in the
// order of the first ones. The objects are read as from storage.
func tablesOf(
	ctx context.Context, defs definitions, objects []inputObject, now time.Time,
) ([]*columns.Table, error) {
	var shelves []*shelf
	byVersion := map[string]*shelf{}
	for _, in := range objects {
		def, name, err := defs.of(in.object)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", in.at, err)
		}
		version, err := def.Version(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", in.at, err)
		}
		read := version.Read(ctx, in.object)
		if err := read.Err(); err != nil {
			return nil, fmt.Errorf("%s: %w", in.at, err)
		}
		key := def.Model().Name() + " " + name
		if byVersion[key] == nil {
			byVersion[key] = &shelf{def: def, version: name}
			shelves = append(shelves, byVersion[key])
		}
		byVersion[key].items = append(byVersion[key].items, read.Object)
	}
	tables := []*columns.Table{}
	for _, s := range shelves {
		c := columns.New(s.def.Model().Version(s.version))
		table, err := c.Table(map[string]any{"items": s.items}, columns.Options{Now: now})
		if err != nil {
			return nil, err
		}
		tables = append(tables, table)
	}
	return tables, nil
}
