package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/internal/app/jsonschema"
	"github.com/crdsem/crdsem/internal/kit/visible"
)

func newSchemaCommand() *cobra.Command {
	m := &schemaMaker{}
	cmd := &cobra.Command{
		Use:   "schema PATH...",
		Short: "write definitions as JSON Schemas, for editors and validators",
		Long: `Schema writes a JSON Schema (draft-07) of each served version of the definitions in files and
folders: GROUP/kind_version.json, where kubeconform and yaml-language-server look for it, and
all.json, which describes all kinds. Without --dir it prints the schema, if there is only one.

Unknown fields are errors in a schema, as they are for kubectl apply. Rules in CEL are part of the
descriptions: JSON Schema cannot check them. docs/schema.md says what else differs.`,
		Example: `  crdsem schema config/crd --dir schemas
  kubeconform -schema-location default \
    -schema-location 'schemas/{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json' apps/`,
		RunE: runs(m.run),
	}
	crdFlag(cmd, &m.crds)
	cmd.Flags().StringVarP(&m.dir, "dir", "d", "", "write the schemas into this `FOLDER`")
	cmd.Flags().BoolVar(&m.allowUnknown, "allow-unknown-fields", false, "accept unknown fields")
	return cmd
}

// schemaMaker is one run of the command.
type schemaMaker struct {
	crds         []string
	dir          string
	allowUnknown bool
}

// madeSchema is the schema of a kind.
type madeSchema struct {
	jsonschema.Kind
	content map[string]any
}

func (m *schemaMaker) run(_ context.Context, args []string, std streams) (int, error) {
	made, err := m.schemas(append(slices.Clone(m.crds), args...), std)
	switch {
	case err != nil:
		return 0, err
	case m.dir != "":
		return exitOK, m.write(made, std)
	case len(made) != 1:
		return 0, errUsage(fmt.Sprintf("there are %d schemas: use --dir FOLDER", len(made)))
	}
	return exitOK, output.JSON(std.out, made[0].content)
}

// schemas returns the schemas of all served versions, in the order of their
// files.
func (m *schemaMaker) schemas(paths []string, std streams) ([]madeSchema, error) {
	defs, err := readDefinitions(paths, std)
	if err == nil {
		err = errors.Join(defs.unread...)
	}
	if err != nil {
		return nil, err
	}
	var made []madeSchema
	for _, entry := range defs.Kinds().All() {
		model := entry.Model()
		var options []jsonschema.Option
		if m.allowUnknown || model.PreservesUnknownFields() {
			options = append(options, jsonschema.AllowUnknownFields())
		}
		versions := model.Versions()
		for i := range versions {
			v := &versions[i]
			if !v.Served {
				continue
			}
			ofVersion := slices.Clip(options)
			if v.HasStatus {
				ofVersion = append(ofVersion, jsonschema.DropStatus())
			}
			kind := jsonschema.Kind{
				Group: model.Group(), Version: v.Name, Kind: model.Names().Kind,
			}
			file := jsonschema.File(kind)
			if !fs.ValidPath(file) || strings.Count(file, "/") != 1 ||
				strings.Contains(file, `\`) {
				return nil, fmt.Errorf("%v: a server refuses the definition: "+
					"%s is no name of a file", entry.Document.Start(), file)
			}
			made = append(made, madeSchema{kind, jsonschema.Of(v.Schema(), kind, ofVersion...)})
		}
	}
	slices.SortFunc(made, func(a, b madeSchema) int {
		return cmp.Compare(jsonschema.File(a.Kind), jsonschema.File(b.Kind))
	})
	return made, nil
}

// write writes the schemas into the folder. Other files stay.
func (m *schemaMaker) write(made []madeSchema, std streams) error {
	var all []jsonschema.Kind
	for _, schema := range made {
		all = append(all, schema.Kind)
		if err := m.writeFile(jsonschema.File(schema.Kind), schema.content); err != nil {
			return err
		}
	}
	if err := m.writeFile("all.json", jsonschema.All(all)); err != nil {
		return err
	}
	visible.Printf(std.out, "%s: %s and all.json\n", m.dir, count(len(made), "schema"))
	return nil
}

// writeFile writes a file as a new one and renames it, so that a program that
// reads it sees all of it.
func (m *schemaMaker) writeFile(name string, content map[string]any) error {
	path := filepath.Join(m.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	var text bytes.Buffer
	if err := output.JSON(&text, content); err != nil {
		return err
	}
	next := path + ".new"
	err := os.WriteFile(next, text.Bytes(), 0o644)
	if err == nil {
		err = os.Rename(next, path)
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(next))
	}
	return nil
}
