package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/app/judge"
)

// writingChoice is how documents are written, by the command line.
type writingChoice struct {
	manager, patchFile, patchType string
	force                         bool

	changed func(flag string) bool // nil without flags
}

// isGiven reports whether the command line has a flag.
func (w *writingChoice) isGiven(flag string) bool { return w.changed != nil && w.changed(flag) }

// writingFlags declares --apply, --force-conflicts, --patch and --type.
func writingFlags(cmd *cobra.Command, to *writingChoice) {
	flags := cmd.Flags()
	to.changed = flags.Changed
	flags.StringVar(&to.manager, "apply", "",
		"apply on the server as field manager `MANAGER`, over what --old has")
	flags.BoolVar(&to.force, "force-conflicts", false,
		"take fields of other managers over (needs --apply)")
	flags.StringVar(&to.patchFile, "patch", "",
		"send the patch in `FILE` to each document, which is the stored one then")
	choiceFlag(cmd, &to.patchType, "type", "the language of the patch",
		"merge", "json", "strategic")
}

// patchTypes are the media types of patches by their names.
var patchTypes = map[string]crdsem.PatchType{
	"merge": crdsem.MergePatch, "json": crdsem.JSONPatch,
	"strategic": judge.StrategicPatch,
}

// writing returns how documents are written.
func (w *writingChoice) writing() (judge.Writing, error) {
	out := judge.Writing{Manager: w.manager, Force: w.force}
	switch {
	case w.manager == "" && w.isGiven("apply"):
		return out, errUsage("--apply needs a manager")
	case w.patchFile == "" && (w.isGiven("patch") || w.isGiven("type")):
		return out, errUsage("--type needs --patch FILE")
	case w.manager != "" && w.patchFile != "":
		return out, errUsage("either --apply or --patch")
	case w.force && w.manager == "":
		return out, errUsage("--force-conflicts needs --apply")
	case w.patchFile == "":
		return out, nil
	}
	text, err := os.ReadFile(w.patchFile)
	if err != nil {
		return out, err
	}
	if out.Patch, err = yaml.YAMLToJSON(text); err != nil {
		return out, fmt.Errorf("%s: %w", w.patchFile, err)
	}
	out.PatchType = patchTypes[w.patchType]
	return out, nil
}
