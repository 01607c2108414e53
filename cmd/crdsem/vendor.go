package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/config"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/vendor"
	"github.com/crdsem/crdsem/internal/app/repository"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/base/typemeta"
	"github.com/crdsem/crdsem/internal/kit/builtin"
	"github.com/crdsem/crdsem/internal/kit/visible"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/kit/upgrade"
)

func newVendorCommand() *cobra.Command {
	v := &vendoring{}
	cmd := &cobra.Command{
		Use:   "vendor [FOLDER]",
		Short: "copy definitions from where they are published into the repository",
		Long: `Vendor reads the sources that definitions.sources of .crdsem.yaml names, and writes their definitions
into the folder definitions.folder (default .crdsem), with a lock file that has the version and the
SHA-256 of each. The folder is written whole or not at all. What the lock file names is read again
only if the folder does not have it, and must be the same then. docs/vendor.md describes sources.

--update reads all sources as they are now, and says what the changed definitions do to clients and
stored objects, as crdsem upgrade does. --check compares the folder with the lock file and the
configuration. It uses no network. --init writes the sources of the kinds in FOLDER whose publishers
are known into .crdsem.yaml, and names the other kinds.

The exit code is 1 if --check finds a difference. No other command uses the network.`,
		Example: `  crdsem vendor --init .
  crdsem vendor
  crdsem vendor --update
  crdsem vendor --check`,
		Args: cobra.MaximumNArgs(1),
		RunE: runs(v.run),
	}
	flags := cmd.Flags()
	flags.BoolVar(&v.update, "update", false, "read all sources as they are now")
	flags.BoolVar(&v.check, "check", false, "compare the folder with the lock file")
	flags.BoolVar(&v.init, "init", false, "write the sources of the kinds in FOLDER")
	cmd.MarkFlagsMutuallyExclusive("update", "check", "init")
	configFlag(cmd, &v.configPath)
	return cmd
}

// vendoring is one run of the command.
type vendoring struct {
	update, check, init bool
	configPath          string
}

func (v *vendoring) run(ctx context.Context, args []string, std streams) (int, error) {
	if len(args) == 0 {
		args = []string{"."}
	}
	file, err := config.Read(v.configPath, args)
	if err != nil {
		return 0, err
	}
	if v.init {
		return exitOK, initialize(file, args[0], std)
	}
	if len(file.Definitions.Sources) == 0 {
		return 0, fmt.Errorf("no definitions.sources in %s: crdsem vendor --init writes them",
			config.Name)
	}
	client := vendor.New(filepath.Dir(file.Path))
	if v.check {
		if err := client.Check(file.Definitions); err != nil {
			visible.Printf(std.err, "%s\n", visible.Verbatim(err.Error()))
			return exitRefused, nil
		}
		return exitOK, nil
	}
	mode := vendor.Locked
	if v.update {
		mode = vendor.Update
	}
	staged, err := client.Stage(ctx, file.Definitions, mode)
	if err != nil {
		return 0, err
	}
	defer staged.Discard()
	if v.update && staged.Old {
		if err := changes(ctx, staged, std); err != nil {
			return 0, err
		}
	}
	if err := staged.Commit(); err != nil {
		return 0, err
	}
	for _, s := range staged.Lock.Sources {
		visible.Printf(std.out, "%s: %s\n", s.Version, count(len(s.Definitions), "definition"))
	}
	return exitOK, nil
}

// changes prints what the new definitions do.
func changes(ctx context.Context, staged *vendor.Staged, std streams) error {
	u := &upgrading{
		tries: upgrade.DefaultTries, witnesses: string(upgrade.Undecided),
		undecided: "warn", failOn: never, output: "text",
	}
	_, err := u.run(ctx, []string{staged.Target, staged.Folder}, std)
	return err
}

// initialize writes the sources of the kinds in a folder whose definitions are
// not there.
func initialize(file *config.File, folder string, std streams) error {
	known, unknown := publishedKinds(folder, std)
	text := sourceLines(known, unknown)
	switch {
	case len(known) == 0 && len(unknown) == 0:
		_, err := fmt.Fprintln(std.out, "# every definition is there")
		return err
	case len(file.Definitions.Sources) > 0 || file.Definitions.Folder != "":
		_, err := fmt.Fprintf(std.out, "# for definitions.sources of %s\n%s", file.Path, text)
		return err
	}
	path := file.Path
	if path == "" {
		path = filepath.Join(folder, config.Name)
	}
	before, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if len(before) == 0 {
		before = []byte(schemaComment)
	}
	if !bytes.HasSuffix(before, []byte("\n")) {
		before = append(before, '\n')
	}
	written := "definitions:\n  sources:\n" + text
	if len(known) == 0 {
		written = "# definitions.sources:\n" + text
	}
	if err := os.WriteFile(path, append(before, written...), 0o644); err != nil {
		return err
	}
	visible.Printf(std.out, "%s:\n", path)
	_, err = io.WriteString(std.out, written)
	return err
}

// sourceLines returns the lines of definitions.sources.
func sourceLines(known, unknown map[string][]string) string {
	var b strings.Builder
	for _, source := range jsonvalue.SortedKeys(known) {
		fmt.Fprintf(&b, "  - %s\n", source)
	}
	for _, group := range jsonvalue.SortedKeys(unknown) {
		visible.Printf(&b, "  # publisher not known: %s (%s)\n", group,
			strings.Join(unknown[group], ", "))
	}
	return b.String()
}

// publishedKinds returns the kinds in a folder whose definitions are not there:
// by the source that has them, and by group where none is known. Files that
// cannot be read are left out.
func publishedKinds(folder string, std streams) (known, unknown map[string][]string) {
	sources := manifest.Find([]string{folder}, std.in)
	defer closeSources(sources)
	wanted, defined := map[typemeta.Type]bool{}, map[[2]string]bool{}
	for o, err := range manifest.Objects(sources) {
		t := typemeta.Of(o.Content)
		switch {
		case err != nil || repository.IsTool(o.Content) || t.Kind == "":
		case manifest.IsDefinition(o.Content):
			spec, _ := o.Content["spec"].(map[string]any)
			names, _ := spec["names"].(map[string]any)
			group, _ := spec["group"].(string)
			kind, _ := names["kind"].(string)
			defined[[2]string{group, kind}] = true
		case strings.Contains(t.Group, ".") && !builtin.HasGroup(t.Group):
			t.Version = ""
			wanted[t] = true
		}
	}
	known, unknown = map[string][]string{}, map[string][]string{}
	for t := range wanted {
		source := vendor.Publisher(t.Group, t.Kind)
		switch {
		case defined[[2]string{t.Group, t.Kind}]:
		case source != "":
			known[source] = append(known[source], t.Kind)
		default:
			unknown[t.Group] = append(unknown[t.Group], t.Kind)
			slices.Sort(unknown[t.Group])
		}
	}
	return known, unknown
}
