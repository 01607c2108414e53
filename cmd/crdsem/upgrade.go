package main

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/config"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/rules"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/screen"
	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/app/applying"
	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/base/typemeta"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/kit/upgrade"
	"github.com/crdsem/crdsem/minors"
)

func newUpgradeCommand() *cobra.Command {
	u := &upgrading{}
	cmd := &cobra.Command{
		Use:   "upgrade OLD NEW [OBJECT...]",
		Short: "show what a changed definition, or a newer cluster, does to stored objects",
		Long: `Upgrade compares the definitions in OLD with the definitions of the same names in NEW. OLD may
be the stored definitions, as kubectl get crd -o yaml prints them: then their status counts.

What a change of a keyword does is decided by logic: it breaks, or it is fine. Where logic cannot
tell, e.g. of a new rule, objects are searched that the two definitions treat differently. A change
that neither shows to break nor to be fine is undecided, which fails as well unless --undecided says
otherwise. --witnesses searches an object for other changes, too, as the proof.

With several minors in --kubernetes, the newest decides.

--kubernetes FROM..TO upgrades the cluster instead: the arguments are definitions and objects, which
stay as they are. It prints the definitions that a newer server refuses as new ones or at every
update, the rules whose cost changes, the objects that get another verdict, and errors with another
text, each with the change of Kubernetes behind it and what to do.

Objects are checked as they are stored now, in each served version: read, written unchanged, written
with another label and stored, written as a status update, and created again. The fate is that of
the version whose clients are the worst off compared with before. They come from files, folders and streams of any
length, and one is held at a time. An object that cannot be read is a result like any other.

Where a conversion webhook converts, --webhook asks it. Without it, what depends on it is counted as
not judged, and the stricter places of a version that the webhook has to meet are listed.

The severities are breaking, undecided, notable and fine. --policy names a file that gives changes
and fates of objects other ones, or a configuration of crdify. The exit code is 1 if a change or an
object is as severe as --fail-on says, or if a document cannot be read. The formats sarif and junit
hold all results until the end.`,
		Example: `  crdsem upgrade old-crds/ new-crds/
  kubectl get crd -o yaml | crdsem upgrade - config/crd
  kubectl get pools -A -o json | crdsem upgrade old.yaml new.yaml -
  crdsem upgrade old.yaml new.yaml objects/ -o markdown
  crdsem upgrade --kubernetes 1.37..1.38 config/crd objects/`,
		RunE: configured(configuring{&u.configPath, &u.config, new([]string)},
			func(f *config.File) config.Flags { return f.Upgrade }, u.run),
	}
	flags := cmd.Flags()
	flags.IntVar(&u.tries, "tries", upgrade.DefaultTries,
		"try up to `N` objects to show a change that logic decides; no verdict depends on it")
	choiceFlag(cmd, &u.witnesses, "witnesses", "the least severity of changes that objects show",
		string(upgrade.Undecided), string(upgrade.Breaking), string(upgrade.Notable),
		string(upgrade.Fine))
	choiceFlag(cmd, &u.undecided, "undecided", "what an undecided change does to the exit code",
		"fail", "warn")
	upgradeFlag(cmd, &u.minors, &u.ofCluster)
	flags.StringVar(&u.policyFile, "policy", "", "read severities from `FILE`")
	choiceFlag(cmd, &u.failOn, "fail-on", "the least severity that makes the exit code 1",
		string(upgrade.Breaking), string(upgrade.Notable), "never")
	flags.BoolVarP(&u.verbose, "verbose", "v", false,
		"print objects whole, changes that are fine, and every object")
	webhookFlags(cmd, &u.webhook)
	configFlag(cmd, &u.configPath)
	outputFlag(cmd, &u.output, output.Formats()...)
	return cmd
}

// upgrading is one run of the command.
type upgrading struct {
	configPath                 string
	config                     *config.File
	tries                      int
	failOn, output, policyFile string
	witnesses, undecided       string
	verbose                    bool
	minors                     []minors.Minor
	webhook                    webhookChoice
	ofCluster                  bool // the cluster is upgraded, not the definitions

	summary upgradeSummary
	failed  bool // something is as severe as --fail-on says

	budget     *upgrade.Budget
	hasObjects bool // an object was printed
	// definitions are the names of the definitions that changes are of, if
	// there are several.
	definitions map[*upgrade.Change]string
}

// comparison is the output for one definition.
type comparison struct {
	Name string `json:"name"`
	// File is the file of the new definition, or of the old one if it is
	// removed.
	File string `json:"file"`
	// Removed is set if NEW lacks the definition, Added if OLD lacks it.
	Removed bool `json:"removed,omitempty"`
	Added   bool `json:"added,omitempty"`
	*upgrade.Report
	// Apply says what an apply does that a replacement does not, if the old
	// definition has managers.
	Apply string `json:"apply,omitempty"`

	document *manifest.Document // that has the file
	names    manifest.Names     // of the old definition
}

// upgradeSummary counts the objects.
type upgradeSummary struct {
	// Objects are the fates of the objects of each definition.
	Objects map[string]map[upgrade.Fate]int `json:"objects,omitempty"`
	// NotJudged counts the objects of kinds that are not compared.
	NotJudged map[string]int `json:"notJudged,omitempty"`
	// Unreadable counts the documents that cannot be read, and Unread the
	// files.
	Unreadable int `json:"unreadable,omitempty"`
	Unread     int `json:"unread,omitempty"`
}

// checkUpgradeArgs returns what is wrong with the arguments.
func checkUpgradeArgs(args []string) error {
	if len(args) < 2 {
		return errUsage("takes the old and the new definitions; for an upgrade of a cluster, " +
			"write --kubernetes FROM..TO, e.g. 1.37..1.38")
	}
	if slices.Index(args[2:], "-") >= 0 && slices.Index(args[:2], "-") >= 0 {
		return errUsage("the standard input has either definitions or objects")
	}
	return nil
}

func (u *upgrading) run(ctx context.Context, args []string, std streams) (int, error) {
	if u.ofCluster {
		return u.runCluster(ctx, args, std)
	}
	if err := checkUpgradeArgs(args); err != nil {
		return 0, err
	}
	hook, stop, err := u.webhook.open()
	if err != nil {
		return 0, err
	}
	defer stop()
	all, err := u.compare(ctx, args, std, hook)
	if err != nil {
		return 0, err
	}
	show := screen.New(std.out, std.err)
	printer, err := output.New(u.output, output.Config{
		Rule: rules.Describe,
		Out:  show, Err: std.err, First: "definitions", Title: "Changes of definitions",
	})
	if err != nil {
		return 0, err
	}
	joined := u.join(all)
	for i, c := range all {
		u.failed = u.failed || c.Removed && u.failOn != never || u.isSevere(c)
		item, err := u.definitionItem(c)
		if err != nil {
			return 0, err
		}
		if joined != nil {
			joined.replace(item, i == 0)
		}
		if err := printer.Print(item); err != nil {
			return 0, err
		}
	}
	if len(args) > 2 {
		list := manifest.Find(args[2:], std.in)
		defer closeSources(list)
		if err := u.judgeObjects(ctx, all, list, printer, show); err != nil {
			return 0, err
		}
	}
	if err := u.summary.end(printer); err != nil {
		return 0, err
	}
	code := u.exitCode()
	if err := show.Close(); err != nil {
		return 0, err
	}
	if searches, patterns := u.budget.LeftOpen(); searches+patterns > 0 {
		fmt.Fprintf(std.err, "left open, because the work of one run is bounded: %d searches "+
			"for an object, %d comparisons of patterns; compare fewer definitions at a time\n",
			searches, patterns)
	}
	return code, nil
}

// mostSearches is for how many changes of one run as many objects are tried as
// --tries says.
const mostSearches = 300

// never is the value of --fail-on that leaves the exit code 0.
const never = "never"

// exitCode returns the exit code of the whole run.
func (u *upgrading) exitCode() int {
	switch {
	case u.summary.Unread > 0:
		return exitFailed
	case u.failed || u.summary.Unreadable > 0:
		return exitRefused
	}
	return exitOK
}

// fails reports whether a severity is as high as --fail-on says.
func (u *upgrading) fails(s upgrade.Severity) bool {
	return u.failOn != never && (s == upgrade.Breaking || string(s) == u.failOn)
}

func (u *upgrading) isSevere(c *comparison) bool {
	if c.Report == nil {
		return false
	}
	return c.Apply != "" && u.fails(upgrade.Notable) ||
		slices.ContainsFunc(c.Changes, func(change upgrade.Change) bool {
			return u.failsBy(&change)
		})
}

// failsBy reports whether a change is as severe as --fail-on says. A change
// that is undecided without an object that was tried always is.
func (u *upgrading) failsBy(c *upgrade.Change) bool {
	if c.Severity == upgrade.Undecided {
		return u.failOn != never && (u.undecided == "fail" || c.Tries == 0)
	}
	return u.fails(c.Severity)
}

// compare compares the definitions, in the order of their names.
func (u *upgrading) compare(
	ctx context.Context, args []string, std streams, hook conversion.Webhook,
) ([]*comparison, error) {
	u.budget = upgrade.NewBudget(mostSearches * max(u.tries, upgrade.DefaultTries))
	options, err := u.options(hook)
	if err != nil {
		return nil, err
	}
	olds, err := namedDefinitions(args[0], std)
	if err != nil {
		return nil, err
	}
	news, err := namedDefinitions(args[1], std)
	if err != nil {
		return nil, err
	}
	all := []*comparison{}
	for _, name := range jsonvalue.SortedKeys(olds) {
		was, is := olds[name], news[name]
		c := &comparison{
			Name: name, Removed: is.Document == nil, document: was.Document,
			names: manifest.NamesOf(was.Content),
		}
		if is.Document != nil {
			c.document = is.Document
			if c.Report, err = compareObjects(ctx, was, is, options); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			c.Apply = appliedInstead(ctx, was, is)
		}
		all = append(all, c)
	}
	for _, name := range jsonvalue.SortedKeys(news) {
		if olds[name].Document == nil {
			all = append(all, &comparison{Name: name, Added: true, document: news[name].Document})
		}
	}
	for _, c := range all {
		c.File = c.document.File
	}
	return all, nil
}

func (u *upgrading) options(hook conversion.Webhook) ([]upgrade.Option, error) {
	options := []upgrade.Option{
		crdsem.ConversionWebhook(hook),
		upgrade.ShownTries(u.tries), upgrade.Witnesses(upgrade.Severity(u.witnesses)),
		upgrade.Within(u.budget),
	}
	if len(u.minors) > 0 { // the oldest comes first
		options = append(options, crdsem.Kubernetes(u.minors[len(u.minors)-1]))
	}
	if u.policyFile == "" {
		return options, nil
	}
	text, err := os.ReadFile(u.policyFile)
	if err != nil {
		return nil, err
	}
	policy, err := upgrade.ParsePolicy(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", u.policyFile, err)
	}
	return append(options, upgrade.ByPolicy(policy)), nil
}

// compareObjects compares two definitions.
func compareObjects(
	ctx context.Context, old, changed manifest.Object, options []upgrade.Option,
) (*upgrade.Report, error) {
	was, _, err := definition.FromMap(old.Content)
	if err != nil {
		return nil, fmt.Errorf("old definition: %w", err)
	}
	is, _, err := definition.FromMap(changed.Content)
	if err != nil {
		return nil, fmt.Errorf("new definition: %w", err)
	}
	return upgrade.CompareCRDs(ctx, was, is, options...)
}

// appliedInstead says what an apply of the new definition does otherwise than a
// replacement.
func appliedInstead(ctx context.Context, old, changed manifest.Object) string {
	j := &judge.Judge{}
	applying.To(j)
	if j.StoreDefinition(old.Content) != nil {
		return ""
	}
	return j.Instead(ctx, changed.Content)
}

// namedDefinitions returns the definitions in a path, by name.
func namedDefinitions(path string, std streams) (map[string]manifest.Object, error) {
	found := map[string]manifest.Object{}
	for o, err := range manifest.Definitions([]string{path}, std.in) {
		if err != nil {
			return nil, err
		}
		_, name := typemeta.Name(o.Content)
		if before, ok := found[name]; ok {
			std.warnOfDuplicate(name, before.Document, o.Document)
		}
		found[name] = o
	}
	return found, nil
}
