package main

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/app/describe"
	"github.com/crdsem/crdsem/kit/manifest"
)

// completeByDefinitions lets shells complete a flag, which must be declared, by
// what the definitions say that --crd or the arguments name.
func completeByDefinitions(
	cmd *cobra.Command, name string, crds *[]string, values func(*definition.Model) []string,
) {
	if err := cmd.RegisterFlagCompletionFunc(name, func(
		_ *cobra.Command, args []string, _ string,
	) ([]string, cobra.ShellCompDirective) {
		var all []string
		for _, m := range modelsIn(*crds, args) {
			all = append(all, values(m)...)
		}
		slices.Sort(all)
		return slices.Compact(all), cobra.ShellCompDirectiveNoFileComp
	}); err != nil {
		panic(err)
	}
}

// modelsIn returns the definitions that --crd or some paths name. What cannot
// be read is left out.
func modelsIn(crds, args []string) (all []*definition.Model) {
	nothing := streams{strings.NewReader(""), io.Discard, io.Discard}
	isStdin := func(path string) bool { return path == stdinPath }
	defs, err := readGiven(slices.DeleteFunc(slices.Clone(crds), isStdin), args, nothing)
	if err != nil {
		return nil
	}
	for _, entry := range defs.Kinds().All() {
		all = append(all, entry.Model())
	}
	return all
}

// kindOf returns the kind of a definition with its group, as --kind takes it.
func kindOf(m *definition.Model) []string {
	return []string{manifest.GroupKind{Group: m.Group(), Kind: m.Names().Kind}.String()}
}

// servedBy returns the versions that a definition serves.
func servedBy(m *definition.Model) (names []string) {
	for _, v := range m.Versions() {
		if v.Served {
			names = append(names, v.Name)
		}
	}
	return names
}

// completePath completes the path of a field of the definition that crdsem
// describe is given.
func (d *describer) completePath(
	_ *cobra.Command, args []string, typed string,
) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 && len(d.crds) == 0 {
		return nil, cobra.ShellCompDirectiveDefault // the file of a definition
	}
	at := typed[:strings.LastIndexByte(typed, '.')+1] // e.g. spec.
	var all []string
	for _, m := range modelsIn(d.crds, args) {
		if !isKind(m, d.kind) {
			continue
		}
		path := at
		if first, rest, isBelow := strings.Cut(at, "."); isBelow && isNamed(m, first) {
			path = rest
		} else if !isBelow {
			all = append(all, m.Names().Singular)
		}
		f, err := describe.Find(m.StorageVersion().Schema(), path)
		if err != nil {
			continue
		}
		for f.Schema.Items() != nil {
			f.Schema = f.Schema.Items()
		}
		for _, name := range f.Schema.PropertyNames() {
			all = append(all, at+name)
		}
	}
	slices.Sort(all)
	return slices.Compact(all), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
