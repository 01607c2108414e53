package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crdsem/crdsem/internal/app/reproduce"
	"github.com/crdsem/crdsem/internal/app/sample"
	"github.com/crdsem/crdsem/internal/kit/visible"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/minors"
)

func newReportCommand() *cobra.Command {
	r := &reporter{}
	cmd := &cobra.Command{
		Use:   "report [--crd PATH...] PATH",
		Short: "write the smallest reproduction of a verdict, for a report",
		Long: `Report prints a report in Markdown about what the server is said to do with a definition or an
object: the smallest definition and object that get the same finding, without values that may be
secret, what each minor of Kubernetes says, and the commands that show it here and on a server.

PATH has one object, whose definition is in the same file or in paths that --crd names, or one
definition. The first finding has to stay, or the first one of the rule that --rule names. Texts of
the object have their letters replaced by x and their digits by 0; those on which the finding
depends stay, and are named on the standard error. Where nothing is refused, nothing is made
smaller. Read the report before you send it: names of fields and what a definition says are in it.`,
		Example: `  crdsem report --crd config/crd widget.yaml > report.md
  crdsem report --crd config/crd --rule VAL-042 widget.yaml`,
		RunE: runs(r.run),
	}
	crdFlag(cmd, &r.crds)
	flags := cmd.Flags()
	flags.StringVar(&r.rule, "rule", "", "keep the first finding of this `RULE`, e.g. VAL-042")
	flags.StringVar(&r.old, "old", "", "update the object that is stored in the file `PATH`")
	flags.StringVar(&r.minor, "kubernetes", "", "ask the server of this `MINOR`, e.g. 1.33")
	return cmd
}

// reporter is one run of the command.
type reporter struct {
	crds             []string
	rule, old, minor string
}

func (r *reporter) run(ctx context.Context, args []string, std streams) (int, error) {
	if len(args) != 1 {
		return 0, errUsage("takes one file")
	}
	minor := minors.Newest()
	if r.minor != "" {
		var err error
		if minor, err = minors.Parse(r.minor); err != nil {
			return 0, err
		}
	}
	q, err := r.question(args[0], std)
	if err != nil {
		return 0, err
	}
	reduced, err := reproduce.Reducer{Minor: minor, Rule: r.rule}.Reduce(ctx, q)
	if err = cmp.Or(ctx.Err(), err); err != nil {
		return 0, err
	}
	if reduced.IsWhole {
		visible.Printf(std.err, "nothing is refused: the object and the definition are whole\n")
	}
	for _, path := range reduced.Kept {
		visible.Printf(std.err, "not replaced, because the answer depends on it: %s\n", path)
	}
	text, err := r.text(ctx, &reduced, minor)
	if err != nil {
		return 0, err
	}
	_, err = fmt.Fprint(std.out, text)
	return exitOK, err
}

// question reads what is asked.
func (r *reporter) question(path string, std streams) (q reproduce.Question, err error) {
	paths := r.crds
	if len(paths) == 0 {
		paths = []string{path}
	}
	defs, err := readDefinitions(paths, std)
	if err != nil {
		return q, err
	}
	objects, _, err := defs.readObjects([]string{path}, std)
	if err != nil {
		return q, err
	}
	if len(objects) == 0 {
		q.Definition, err = definitionIn(paths, func(map[string]any) bool { return true }, std)
		return q, err
	}
	if q.Object, err = theObject(path, objects); err != nil {
		return q, err
	}
	kind := manifest.TypeOf(q.Object).GroupKind
	q.Definition, err = definitionIn(paths, func(crd map[string]any) bool {
		return manifest.NamesOf(crd).GroupKind == kind
	}, std)
	if err != nil || r.old == "" {
		return q, err
	}
	stored, _, err := defs.readObjects([]string{r.old}, std)
	if err != nil {
		return q, err
	}
	q.Old, err = theObject(r.old, stored)
	return q, err
}

// theObject returns the only object of a file.
func theObject(path string, objects []inputObject) (map[string]any, error) {
	if len(objects) != 1 {
		return nil, fmt.Errorf("%s has %d objects: a report is about one", path, len(objects))
	}
	return objects[0].Content, nil
}

// definitionIn returns the only definition in files and folders that is asked
// for.
func definitionIn(
	paths []string, isAskedFor func(crd map[string]any) bool, std streams,
) (map[string]any, error) {
	var found []map[string]any
	for o, err := range manifest.Definitions(paths, std.in) {
		if err == nil && isAskedFor(o.Content) {
			found = append(found, o.Content)
		}
	}
	if len(found) != 1 {
		return nil, fmt.Errorf("found %d definitions: a report is about one, or an object of one",
			len(found))
	}
	return found[0], nil
}

// text returns the report.
func (r *reporter) text(
	ctx context.Context, q *reproduce.Reduced, minor minors.Minor,
) (string, error) {
	line, err := q.Line(minor)
	if err != nil {
		return "", err
	}
	files, use, serve := "", "crdsem check definition.yaml", "kubectl create -f definition.yaml"
	if q.Object != nil {
		use = "crdsem admit --crd definition.yaml object.yaml"
		serve += "\nkubectl create -f object.yaml"
		files = block("object.yaml", "yaml", sample.YAML(q.Object))
	}
	if q.Old != nil {
		use = "crdsem admit --crd definition.yaml --old stored.yaml object.yaml"
		serve = "kubectl create -f definition.yaml\nkubectl create -f stored.yaml\n" +
			"kubectl replace -f object.yaml"
		files = block("stored.yaml, which is stored", "yaml", sample.YAML(q.Old)) + files
	}
	var b strings.Builder
	fmt.Fprintf(&b, "## What crdsem says\n\n%s\n", versionText())
	for _, a := range q.ByMinor(ctx) {
		b.WriteString(block("Kubernetes "+a.Minors, "", a.Text))
	}
	if answer := q.Ask(ctx, minor); answer.Stored != nil {
		b.WriteString(block("Kubernetes "+minor.String()+" stores", "yaml",
			sample.YAML(answer.Stored)))
	}
	b.WriteString("\n## What a server says, or what you expected\n\n" +
		"Please fill in the answer and the server's version, or what you expected and why.\n")
	b.WriteString(block("", "sh", serve))
	b.WriteString("\n## Reproduction\n")
	b.WriteString(block("definition.yaml", "yaml", sample.YAML(q.Definition)))
	b.WriteString(files)
	b.WriteString(block("", "sh", use+" --kubernetes "+minor.String()))
	b.WriteString(block("The same for `crdsem eval`:", "json", line))
	return b.String(), nil
}

// block is a block of code with a line above it.
func block(above, language, text string) string {
	if above != "" {
		above = "\n" + above + "\n"
	}
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	text = strings.TrimRight(text, "\n")
	return above + "\n" + fence + language + "\n" + text + "\n" + fence + "\n"
}
