package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/config"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
)

// configurableCommand is a command whose flags may be in the configuration, by
// its key.
type configurableCommand struct {
	name  string
	make  func() *cobra.Command
	flags func(*config.File) config.Flags
}

var configurable = []configurableCommand{
	{"validate", newValidateCommand, func(f *config.File) config.Flags { return f.Validate }},
	{"check", newCheckCommand, func(f *config.File) config.Flags { return f.Check }},
	{"lint", newLintCommand, func(f *config.File) config.Flags { return f.Lint.Flags() }},
	{"upgrade", newUpgradeCommand, func(f *config.File) config.Flags { return f.Upgrade }},
}

func newConfigCommand() *cobra.Command {
	var path string
	var schema bool
	cmd := &cobra.Command{
		Use:   "config [PATH...]",
		Short: "print the configuration that applies to files and folders",
		Long: `Config prints the configuration that validate, check, lint and upgrade use for the paths, by default
for the current folder: the value of each flag and where it comes from, then the other keys of the
nearest .crdsem.yaml in the folder of the paths or above it, up to the root of the repository.

--schema prints the JSON Schema of the file, for editors. docs/repositories.md describes its keys.`,
		Example: `  crdsem config
  crdsem config apps/
  crdsem config --schema > crdsem.schema.json`,
		RunE: runs(func(_ context.Context, args []string, std streams) (int, error) {
			if schema {
				return exitOK, output.JSON(std.out, configSchema())
			}
			if len(args) == 0 {
				args = []string{"."}
			}
			file, err := config.Read(path, args)
			if err != nil {
				return 0, err
			}
			text, err := inForce(file)
			if err != nil {
				return 0, err
			}
			_, err = std.out.Write(text)
			return exitOK, err
		}),
	}
	configFlag(cmd, &path)
	cmd.Flags().BoolVar(&schema, "schema", false, "print the JSON Schema of the configuration")
	return cmd
}

// inForce returns what is in force as YAML: a comment says where each value
// comes from.
func inForce(file *config.File) ([]byte, error) {
	var out bytes.Buffer
	if file.Path == "" {
		fmt.Fprintf(&out, "# no %s applies\n", config.Name)
	} else {
		fmt.Fprintf(&out, "# %s\n", file.Path)
	}
	root := &yaml.Node{Kind: yaml.MappingNode}
	for _, c := range configurable {
		flags, err := flagsInForce(c.make(), file, c.flags(file))
		if err != nil {
			return nil, err
		}
		root.Content = append(root.Content, scalar(c.name), flags)
	}
	sections, err := file.Sections()
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(sections)) {
		addSection(root, name, sections[name])
	}
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(root); err != nil {
		return nil, err
	}
	return out.Bytes(), encoder.Close()
}

// flagsInForce returns the values of a command's flags.
func flagsInForce(cmd *cobra.Command, file *config.File, set config.Flags) (*yaml.Node, error) {
	if err := setFlags(cmd.Flags(), file, set); err != nil {
		return nil, err
	}
	out := &yaml.Node{Kind: yaml.MappingNode}
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		if !mayBeConfigured(cmd, flag) {
			return
		}
		value := scalar(flag.Value.String())
		if flag.Value.Type() == "bool" {
			value.Tag = "!!bool"
		}
		if list, ok := flag.Value.(pflag.SliceValue); ok {
			value = &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
			for _, item := range list.GetSlice() {
				value.Content = append(value.Content, scalar(item))
			}
		}
		value.LineComment = "default"
		if node, ok := set[flag.Name]; ok {
			value.LineComment = placeIn(&node)
		}
		out.Content = append(out.Content, scalar(flag.Name), value)
	})
	return out, nil
}

// notConfigured are the flags that are not in the configuration by their names:
// lint has keys for the last ones.
var notConfigured = []string{"config", "help", "watch", "kustomize-program", "helm-program",
	"apply", "force-conflicts", "patch", "type", "disable", "enable", "severity"}

// mayBeConfigured reports whether a flag may be in the configuration.
func mayBeConfigured(cmd *cobra.Command, flag *pflag.Flag) bool {
	return !slices.Contains(notConfigured, flag.Name) &&
		(cmd.Name() != "lint" || flag.Name != "fail-on")
}

func scalar(text string) *yaml.Node {
	node := &yaml.Node{}
	node.SetString(text)
	return node
}

// addSection adds the values of a key, each with its place. Those that are
// flags are there already.
func addSection(root *yaml.Node, name string, section *yaml.Node) {
	at := slices.IndexFunc(configurable, func(c configurableCommand) bool { return c.name == name })
	into := &yaml.Node{Kind: section.Kind, Style: section.Style &^ yaml.FlowStyle}
	if at >= 0 {
		into = root.Content[2*at+1]
	} else {
		root.Content = append(root.Content, scalar(name), into)
	}
	for i := 0; section.Kind == yaml.MappingNode && i+1 < len(section.Content); i += 2 {
		key, value := section.Content[i], section.Content[i+1]
		isThere := func(n *yaml.Node) bool { return n.Value == key.Value }
		if !slices.ContainsFunc(into.Content, isThere) {
			into.Content = append(into.Content, commented(key, value)...)
		}
	}
	if section.Kind == yaml.SequenceNode {
		for _, item := range section.Content {
			item.HeadComment, item.LineComment = placeIn(item), ""
			into.Content = append(into.Content, item)
		}
	}
}

// commented returns a key and its value with a comment of its place.
func commented(key, value *yaml.Node) []*yaml.Node {
	value.HeadComment, value.LineComment, value.FootComment = "", "", ""
	if value.Kind == yaml.ScalarNode || value.Style&yaml.FlowStyle != 0 {
		value.LineComment = placeIn(key)
	} else {
		key.HeadComment = placeIn(key)
	}
	return []*yaml.Node{key, value}
}

// placeIn returns the place of a node in the configuration.
func placeIn(node *yaml.Node) string { return config.Name + ":" + strconv.Itoa(node.Line) }

// configSchema returns the JSON Schema of the configuration.
func configSchema() map[string]any {
	flags := map[string]map[string]any{}
	for _, c := range configurable {
		properties := map[string]any{}
		cmd := c.make()
		cmd.Flags().VisitAll(func(flag *pflag.Flag) {
			if mayBeConfigured(cmd, flag) {
				properties[flag.Name] = flagSchema(flag)
			}
		})
		flags[c.name] = properties
	}
	return config.Schema(flags)
}

// flagSchema returns the schema of a flag's value.
func flagSchema(flag *pflag.Flag) map[string]any {
	_, usage := pflag.UnquoteUsage(flag)
	out := map[string]any{"description": usage}
	text := []any{"string", "number"}
	switch value := flag.Value.(type) {
	case pflag.SliceValue:
		out["type"] = []any{"string", "number", "array"}
		out["items"] = map[string]any{"type": text}
	case *choice:
		out["enum"] = slices.Clone(value.of)
	default:
		if out["type"] = any(text); flag.Value.Type() == "bool" {
			out["type"] = []any{"boolean", "string"}
		}
	}
	return out
}

// schemaComment is the line by which an editor finds the schema.
const schemaComment = "# yaml-language-server: $schema=https://raw.githubusercontent.com/" +
	"crdsem/crdsem/main/docs/crdsem.schema.json\n"
