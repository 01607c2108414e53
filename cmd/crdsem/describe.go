package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/app/describe"
	"github.com/crdsem/crdsem/kit/manifest"
)

func newDescribeCommand() *cobra.Command {
	d := &describer{}
	cmd := &cobra.Command{
		Use:   "describe CRD [PATH]",
		Short: "say what a definition says about its fields",
		Long: `Describe says what a definition says about a field and the fields below it: types, defaults, bounds,
enums, list keys, rules with their messages, what an update may change, and which fields are removed.
It prints a field as kubectl explain does, without a cluster. PATH may begin with a name of the kind.

The format markdown is a page about a version, or about all that are served: a table of the fields,
the rules, what an update may change, and what is removed. The formats json and yaml have a list, versions, with
an element for each version that is described.`,
		Example: `  crdsem describe crd.yaml
  crdsem describe crd.yaml spec.replicas
  crdsem describe config/crd crontab.spec --recursive
  crdsem describe crd.yaml -o markdown > docs/crontab.md`,
		RunE: runs(d.run),
	}
	crdFlag(cmd, &d.crds)
	flags := cmd.Flags()
	flags.StringVar(&d.kind, "kind", "",
		"describe this `KIND`, such as Pool or Pool.example.com (if there are several)")
	flags.StringVar(&d.version, "version", "",
		"describe this `VERSION` instead of the stored one")
	flags.BoolVarP(&d.recursive, "recursive", "r", false, "list the names of all fields below")
	outputFlag(cmd, &d.output, "text", "markdown", "json", "yaml")
	completeByDefinitions(cmd, "kind", &d.crds, kindOf)
	completeByDefinitions(cmd, "version", &d.crds, servedBy)
	cmd.ValidArgsFunction = d.completePath
	return cmd
}

// describer is one run of the command.
type describer struct {
	crds                  []string
	kind, version, output string
	recursive             bool

	values []*describe.Description // of the formats json and yaml
}

func (d *describer) run(_ context.Context, args []string, std streams) (int, error) {
	paths := slices.Clone(d.crds)
	if len(paths) == 0 && len(args) > 0 {
		paths, args = args[:1], args[1:]
	}
	if len(args) > 1 {
		return 0, errUsage("takes a definition and a path")
	}
	defs, err := readDefinitions(paths, std)
	if err == nil {
		err = errors.Join(defs.unread...)
	}
	if err != nil {
		return 0, err
	}
	models, path := d.choose(defs, strings.Join(args, ""))
	switch {
	case len(models) == 0:
		return 0, fmt.Errorf("no definition of kind %s was given", d.kind)
	case len(models) > 1 && (d.output != "markdown" || path != ""):
		return 0, errUsage("several definitions given: use --kind with one of " + kindsOf(models))
	}
	var b strings.Builder
	for _, m := range models {
		if err := d.describe(&b, m, path); err != nil {
			return 0, err
		}
	}
	switch d.output {
	case "json":
		return exitOK, output.JSON(std.out, map[string]any{"versions": d.values})
	case "yaml":
		text, err := output.YAML(map[string]any{"versions": d.values})
		b.Write(text)
		if err != nil {
			return 0, err
		}
	}
	_, err = io.WriteString(std.out, b.String())
	return exitOK, err
}

// choose returns the definitions that the flags ask for, by their names, or the
// one that the path begins with, and the rest of the path.
func (d *describer) choose(defs definitions, path string) ([]*definition.Model, string) {
	first, rest, _ := strings.Cut(path, ".")
	var chosen, named []*definition.Model
	for _, entry := range defs.Kinds().All() {
		m := entry.Model()
		if isKind(m, d.kind) {
			chosen = append(chosen, m)
		}
		if first != "" && isKind(m, d.kind) && isNamed(m, first) {
			named = append(named, m)
		}
	}
	slices.SortFunc(chosen, func(a, b *definition.Model) int {
		return cmp.Compare(a.Name(), b.Name())
	})
	if len(named) != 1 {
		return chosen, path
	}
	if after, ok := strings.CutPrefix(rest+".", named[0].Group()+"."); ok {
		rest = strings.TrimSuffix(after, ".") // the name has the group, too
	}
	return named, rest
}

// isKind reports whether a definition is of a kind, with or without its group.
// Without a kind, each is.
func isKind(m *definition.Model, kind string) bool {
	full := manifest.GroupKind{Group: m.Group(), Kind: m.Names().Kind}.String()
	return kind == "" || kind == m.Names().Kind || kind == full
}

// isNamed reports whether a name is one that kubectl knows the kind by, and not
// a field of it.
func isNamed(m *definition.Model, name string) bool {
	names := m.Names()
	all := append([]string{names.Kind, names.Plural, names.Singular}, names.ShortNames...)
	isField := slices.ContainsFunc(m.Versions(), func(v definition.Version) bool {
		return v.Schema().Property(name) != nil
	})
	return !isField && slices.ContainsFunc(all, func(known string) bool {
		return strings.EqualFold(known, name)
	})
}

func kindsOf(models []*definition.Model) string {
	var names []string
	for _, m := range models {
		names = append(names, manifest.GroupKind{Group: m.Group(), Kind: m.Names().Kind}.String())
	}
	return strings.Join(names, ", ")
}

// describe writes what a definition says about a path.
func (d *describer) describe(b *strings.Builder, m *definition.Model, path string) error {
	versions, err := d.versions(m)
	if err != nil {
		return err
	}
	var missing error // of the first version that lacks the field
	isFound := false
	for _, v := range versions {
		f, err := describe.Find(v.Schema(), path)
		if err != nil {
			missing = cmp.Or(missing, fmt.Errorf("%s %s: %w", m.Name(), v.Name, err))
			continue
		}
		isFound = true
		if b.Len() > 0 {
			b.WriteString("\n")
		}
		switch d.output {
		case "markdown":
			describe.Markdown(b, m, v, f)
		case "text":
			describe.Text(b, m, v, f, d.recursive)
		default:
			d.values = append(d.values, describe.Value(m, v, f))
		}
	}
	if isFound {
		return nil
	}
	for _, v := range m.Versions() {
		if _, err := describe.Find(v.Schema(), path); err == nil {
			return fmt.Errorf("%w; %s has it: --version %[2]s", missing, v.Name)
		}
	}
	return missing
}

// versions returns the version that the flag names, else the stored one, and
// for Markdown all that are served.
func (d *describer) versions(m *definition.Model) ([]*definition.Version, error) {
	if d.version != "" {
		if v := m.Version(d.version); v != nil {
			return []*definition.Version{v}, nil
		}
		return nil, fmt.Errorf("%s has no version %q", m.Name(), d.version)
	}
	if stored := m.StorageVersion(); d.output != "markdown" && stored != nil {
		return []*definition.Version{stored}, nil
	}
	var served []*definition.Version
	all := m.Versions()
	for i := range all {
		if all[i].Served {
			served = append(served, &all[i])
		}
	}
	if len(served) == 0 {
		return nil, fmt.Errorf("%s serves no version", m.Name())
	}
	if d.output != "markdown" {
		served = served[:1]
	}
	return served, nil
}
