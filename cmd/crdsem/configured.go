package main

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/config"
)

// configFlag declares --config.
func configFlag(cmd *cobra.Command, path *string) {
	cmd.Flags().StringVar(path, "config", "",
		"read the configuration from `FILE` (default "+config.Name+
			", found upwards from the paths)")
}

// configuring says where the configuration of a command comes from and goes to.
type configuring struct {
	path *string       // of --config
	to   **config.File // what is read
	// kustomize are the folders that are rendered: a configuration is looked
	// for above them, too.
	kustomize *[]string
}

// configured makes an action the function of a command whose flags may be in
// the configuration. Those of the command line win.
func configured(
	c configuring, flags func(*config.File) config.Flags, act action,
) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		return runs(func(ctx context.Context, args []string, std streams) (int, error) {
			file, err := config.Read(*c.path, slices.Concat(args, *c.kustomize))
			if err != nil {
				return 0, err
			}
			if err := setFlags(cmd.Flags(), file, flags(file)); err != nil {
				return 0, err
			}
			*c.to = file
			return act(ctx, args, std)
		})(cmd, args)
	}
}

// pathFlags are the flags whose values are paths: in a configuration, they are
// relative to it.
var pathFlags = []string{"crd", "old", "policy", "kustomize", "helm", "openapi", "go", "ca"}

// setFlags sets the flags that a configuration has and the command line has
// not.
func setFlags(flags *pflag.FlagSet, file *config.File, values config.Flags) error {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		node := values[name]
		at := fmt.Sprintf("%s:%d: %s", file.Path, node.Line, name)
		flag := flags.Lookup(name)
		if flag == nil || slices.Contains(notConfigured[:9], name) {
			return fmt.Errorf("%s: the command has no such flag", at)
		}
		if flag.Changed {
			continue
		}
		nodes := []*yaml.Node{&node}
		if node.Kind == yaml.SequenceNode {
			if _, isList := flag.Value.(pflag.SliceValue); !isList {
				return fmt.Errorf("%s: want a text, not a list", at)
			}
			nodes = node.Content
		}
		for _, n := range nodes {
			value := n.Value
			if n.Kind != yaml.ScalarNode {
				return fmt.Errorf("%s: want a text or a list of texts", at)
			}
			if slices.Contains(pathFlags, name) && value != "-" && !filepath.IsAbs(value) {
				value = filepath.Join(filepath.Dir(file.Path), value)
			}
			if err := flag.Value.Set(value); err != nil {
				return fmt.Errorf("%s: %w", at, err)
			}
		}
	}
	return nil
}
