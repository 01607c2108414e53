package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/judge"
	"github.com/crdsem/crdsem/manifest"
	"github.com/crdsem/crdsem/upgrade"
)

func newUpgradeCommand() *cobra.Command {
	u := &upgrading{}
	cmd := &cobra.Command{
		Use:   "upgrade OLD NEW [OBJECT...]",
		Short: "say what a changed definition does to clients and to stored objects",
		Long: `Upgrade compares the definitions in OLD with those of the same names in NEW. OLD may be the stored
definitions, as kubectl get crd -o yaml prints them: then their status counts.

Each change has a witness: a small object that the two definitions judge differently. A change for
which none was found is "not shown"; --tries looks longer. Objects are judged as they are stored now:
read, written unchanged, written with another label, and created again.`,
		Example: `  crdsem upgrade old-crds/ new-crds/
  kubectl get crd -o yaml | crdsem upgrade - config/crd
  crdsem upgrade old.yaml new.yaml objects/ -o markdown`,
		RunE: runs(u.run),
	}
	flags := cmd.Flags()
	flags.IntVar(&u.tries, "tries", upgrade.DefaultTries,
		"judge up to `N` objects in the search for a witness of a change")
	choiceFlag(cmd, &u.failOn, "fail-on", "the least severity that makes the exit code 1",
		string(upgrade.Breaking), string(upgrade.Notable), "never")
	flags.BoolVarP(&u.verbose, "verbose", "v", false,
		"print witnesses whole, and every judged object")
	outputFlag(cmd, &u.output, "text", "json", "markdown")
	return cmd
}

// upgrading is one run of the command.
type upgrading struct {
	tries          int
	failOn, output string
	verbose        bool
	unreadable     []string // the errors of documents that cannot be read
}

// comparison is the output for one definition.
type comparison struct {
	Name string `json:"name"`
	// Removed is set if NEW lacks the definition, Added if OLD lacks it.
	Removed bool `json:"removed,omitempty"`
	Added   bool `json:"added,omitempty"`
	*upgrade.Report
	Objects []judgedObject       `json:"objects,omitempty"`
	Fates   map[upgrade.Fate]int `json:"fates,omitempty"`
}

// judgedObject is the output for a stored object.
type judgedObject struct {
	At   string `json:"at"`
	Name string `json:"name"`
	*upgrade.Judgement
	Findings []string `json:"findings,omitempty"`
}

func (u *upgrading) run(ctx context.Context, args []string, std streams) (int, error) {
	if len(args) < 2 {
		return 0, errUsage("takes the old and the new definitions")
	}
	olds, err := namedDefinitions(args[0], std)
	if err != nil {
		return 0, err
	}
	news, err := namedDefinitions(args[1], std)
	if err != nil {
		return 0, err
	}
	all := []*comparison{}
	for _, name := range jsonvalue.SortedKeys(olds) {
		c := &comparison{Name: name, Removed: news[name] == nil}
		if !c.Removed {
			c.Report, err = upgrade.Compare(ctx, olds[name], news[name], upgrade.Tries(u.tries))
			if err != nil {
				return 0, fmt.Errorf("%s: %w", name, err)
			}
		}
		all = append(all, c)
	}
	for _, name := range jsonvalue.SortedKeys(news) {
		if olds[name] == nil {
			all = append(all, &comparison{Name: name, Added: true})
		}
	}
	if err := u.judgeObjects(ctx, all, olds, args[2:], std); err != nil {
		return 0, err
	}
	for _, text := range u.unreadable {
		fmt.Fprintf(std.err, "%s\n", text)
	}
	return u.exitCode(all), u.print(std, all)
}

// exitCode returns exitRefused if a change is as severe as --fail-on says, if a
// stored object is refused or unreadable, or if a document cannot be read.
func (u *upgrading) exitCode(all []*comparison) int {
	if len(u.unreadable) > 0 {
		return exitRefused
	}
	for _, c := range all {
		if c.Removed && u.failOn != "never" || u.isSevere(c) {
			return exitRefused
		}
	}
	return exitOK
}

func (u *upgrading) isSevere(c *comparison) bool {
	if c.Report == nil || u.failOn == "never" {
		return false
	}
	if c.Fates[upgrade.Unreadable]+c.Fates[upgrade.Refused] > 0 {
		return true
	}
	return slices.ContainsFunc(c.Changes, func(change upgrade.Change) bool {
		most := change.Severities.Most()
		return most == upgrade.Breaking || string(most) == u.failOn
	})
}

func (u *upgrading) print(std streams, all []*comparison) error {
	switch u.output {
	case "json":
		return writeJSON(std.out, all)
	case "markdown":
		_, err := io.WriteString(std.out, upgradeMarkdown(all))
		return err
	}
	_, err := io.WriteString(std.out, u.text(all))
	return err
}

// namedDefinitions returns the texts of the definitions in a path, by name.
func namedDefinitions(path string, std streams) (map[string][]byte, error) {
	found := map[string][]byte{}
	for doc, err := range documentsIn([]string{path}, std.in) {
		if err != nil {
			return nil, err
		}
		object, _, err := doc.Object()
		if err != nil {
			return nil, err
		}
		if !judge.IsDefinition(object) {
			continue
		}
		text, err := json.Marshal(object)
		if err != nil {
			return nil, fmt.Errorf("%v: %w", doc, err)
		}
		metadata, _ := object["metadata"].(map[string]any)
		name, _ := metadata["name"].(string)
		found[name] = text
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s: no CustomResourceDefinition", path)
	}
	return found, nil
}

// judgeObjects judges every stored object by the report of its definition.
func (u *upgrading) judgeObjects(
	ctx context.Context, all []*comparison, olds map[string][]byte, paths []string, std streams,
) error {
	if len(paths) == 0 {
		return nil
	}
	byKind := map[string]*comparison{}
	for _, c := range all {
		if c.Report == nil {
			continue
		}
		crd, _, err := definition.Decode(olds[c.Name])
		if err != nil {
			return err
		}
		model, err := definition.Compile(crd)
		if err != nil {
			return err
		}
		c.Fates = map[upgrade.Fate]int{}
		byKind[groupKind(model.Group(), model.Names().Kind)] = c
	}
	for doc, err := range documentsIn(paths, std.in) {
		if err != nil {
			u.unreadable = append(u.unreadable, err.Error())
			continue
		}
		object, _, err := doc.Object()
		if err != nil {
			return err // it was readable
		}
		apiVersion, _ := object["apiVersion"].(string)
		group, _, _ := strings.Cut(apiVersion, "/")
		kind, _ := object["kind"].(string)
		c := byKind[groupKind(group, kind)]
		if c == nil {
			continue
		}
		if err := u.judgeObject(ctx, c, doc, object); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (u *upgrading) judgeObject(
	ctx context.Context, c *comparison, doc *manifest.Document, object map[string]any,
) error {
	judgement, err := c.Judge(ctx, object)
	if err != nil {
		return fmt.Errorf("%v: %w", doc.Start(), err)
	}
	c.Fates[judgement.Fate]++
	if judgement.Fate == upgrade.Unaffected && !u.verbose {
		return nil
	}
	c.Objects = append(c.Objects, judgedObject{
		At: doc.Start().String(), Name: identity(object), Judgement: judgement,
		Findings: findingsOf(doc, judgement),
	})
	return nil
}

// findingsOf returns the findings of a judgement with their places, each once.
func findingsOf(doc *manifest.Document, j *upgrade.Judgement) []string {
	var texts []string
	add := func(text string) { texts = append(texts, text) }
	seen := map[string]bool{}
	if j.Err != nil {
		add(j.Err.Error())
	}
	for _, group := range []struct {
		what string
		errs field.ErrorList
	}{
		{"refused", j.Unchanged},
		{"refused", j.Touched},
		{"refused as status", j.Status},
		{"tolerated while unchanged", j.Ratcheted},
		{"refused on create", j.Created},
	} {
		for _, err := range group.errs {
			if err.Origin == "PIPE-012" || seen[err.Error()] {
				continue // rules are not checked if something else is wrong
			}
			seen[err.Error()] = true
			add(fmt.Sprintf("%v: %s: %v", doc.Locate(err), group.what, err))
		}
	}
	for _, path := range j.Pruned {
		add(fmt.Sprintf("%v: %s: pruned", doc.Find(path).Key, path))
	}
	for _, path := range j.Defaulted {
		add(fmt.Sprintf("%s: defaulted", path))
	}
	return texts
}
