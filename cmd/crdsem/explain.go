package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/rules"
	"github.com/crdsem/crdsem/conformance/spec"
	"github.com/crdsem/crdsem/internal/kit/nearest"
	"github.com/crdsem/crdsem/minors"
)

func newExplainCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "explain [RULE|PREFIX|WORD...]",
		Short: "say what a finding means and what to do, by the id of its rule, e.g. STR-047",
		Long: `Explain says what a rule means for whoever met it, what to do, and then the rule itself with an
example that was recorded from the real code. It knows the ids of the specification, the checks of
lint, e.g. LINT-bound, the changes that upgrade reports, e.g. stricter/maximum, and the causes that
check and upgrade name, e.g. 38-computed-sizes. A prefix, e.g. STR, lists its rules; other words,
e.g. a part of an error, list the rules that have them. Without arguments it lists the prefixes.

The fields of a definition are what crdsem describe prints.`,
		Example: `  crdsem explain VAL-050
  crdsem explain duplicate key
  crdsem explain "must not be empty for specified object fields"`,
		RunE: runs(func(_ context.Context, args []string, std streams) (int, error) {
			return exitOK, explain(std.out, args, format)
		}),
	}
	cmd.ValidArgsFunction = func(
		*cobra.Command, []string, string,
	) ([]string, cobra.ShellCompDirective) {
		return topicIDs(), cobra.ShellCompDirectiveNoFileComp
	}
	outputFlag(cmd, &format, "text", "json")
	return cmd
}

// topicIDs returns the ids of all rules and checks.
func topicIDs() (ids []string) {
	for _, chapter := range spec.Chapters() {
		for _, rule := range chapter.Rules {
			ids = append(ids, rule.ID)
		}
	}
	for _, check := range rules.Checks() {
		ids = append(ids, check.ID)
	}
	return ids
}

// explain prints the rules that the arguments name, and those that have the
// words of all other arguments. It prints them also where other arguments name
// none. Without arguments it lists the prefixes.
func explain(out io.Writer, args []string, format string) error {
	var topics []topic
	var unknown []error
	var words []string
	for _, arg := range args {
		if t, ok := topicOf(arg); ok {
			topics = append(topics, t)
			continue
		}
		words = append(words, arg)
	}
	if found, ok := search(words); ok {
		topics = append(topics, found)
	} else {
		for _, arg := range words {
			unknown = append(unknown, errUnknownTopic(arg))
		}
	}
	if len(args) == 0 {
		topics = prefixes()
	}
	text := topicsText
	if format == "json" {
		text = topicsJSON
	}
	return errors.Join(append(unknown, text(out, topics, len(args) > 0))...)
}

func topicsText(out io.Writer, topics []topic, detailed bool) error {
	var b strings.Builder
	for i, t := range topics {
		if i > 0 && detailed {
			b.WriteString("\n")
		}
		t.text(&b, detailed)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// topic is what one argument names: one rule, or all rules of a prefix; or the
// rules that have some words.
type topic struct {
	prefix string // empty for one rule
	words  string // that were searched
	more   int    // rules that have the words and are not among the rules
	title  string // of the chapter that has the prefix
	link   string // to the chapter
	rules  []rules.Rule
}

// topicOf returns the rule or the prefix of a name.
func topicOf(name string) (topic, bool) {
	if rule, ok := rules.Find(name); ok {
		return topic{rules: []rules.Rule{rule}}, true
	}
	for _, t := range prefixes() {
		if strings.EqualFold(t.prefix, name) {
			return t, true
		}
	}
	return topic{}, false
}

// errUnknownTopic suggests names like one that is none.
func errUnknownTopic(arg string) error {
	var names []string
	for _, t := range prefixes() {
		names = append(names, t.prefix)
		for _, r := range t.rules {
			names = append(names, r.ID)
		}
	}
	if near := nearest.Names(arg, names, 3); len(near) > 0 {
		return fmt.Errorf("no rule or prefix %q; did you mean %s?", arg, strings.Join(near, ", "))
	}
	return fmt.Errorf("no rule has %q; crdsem explain lists the prefixes, and crdsem describe "+
		"prints the fields of a definition", arg)
}

// prefixes returns the topics that have a prefix, in the order of the alphabet.
func prefixes() []topic {
	list := []topic{{
		prefix: "LINT", title: "What crdsem lint finds", link: rules.ChecksLink,
		rules: rules.Checks(),
	}}
	for _, c := range spec.Chapters() {
		for _, r := range c.Rules {
			i := slices.IndexFunc(list, func(t topic) bool { return t.prefix == r.Prefix() })
			if i < 0 {
				i = len(list)
				link := rules.Home + "conformance/spec/" + r.File
				list = append(list, topic{prefix: r.Prefix(), title: c.Title, link: link})
			}
			list[i].rules = append(list[i].rules, rules.Specified(r))
		}
	}
	slices.SortFunc(list, func(a, b topic) int { return strings.Compare(a.prefix, b.prefix) })
	return list
}

func (t topic) text(b *strings.Builder, detailed bool) {
	switch {
	case t.words != "":
		t.foundText(b)
	case t.prefix == "":
		ruleText(b, t.rules[0])
	case !detailed:
		fmt.Fprintf(b, "%-5s %s (%s)\n", t.prefix, t.title, count(len(t.rules), "rule"))
	default:
		fmt.Fprintf(b, "%s: %s\n\n", t.prefix, t.title)
		for _, r := range t.rules {
			fmt.Fprintf(b, "  %-*s %s\n", t.width(), r.ID, r.Title)
		}
		fmt.Fprintf(b, "\n%s\n", t.link)
	}
}

// width returns the width of the ids in a list.
func (t topic) width() int {
	width := len("STR-047") + 2
	for _, r := range t.rules {
		width = max(width, len(r.ID))
	}
	return width
}

func ruleText(b *strings.Builder, r rules.Rule) {
	fmt.Fprintf(b, "%s: %s\n\n", r.ID, r.Title)
	text := r.Statement
	if r.Summary != "" {
		text = r.Summary + "\n\n" + text
	}
	if r.Example != "" {
		text += "\n\n" + typed(r.Example)
	}
	if r.Source != "" {
		text += "\n\nSource: " + r.Source + "."
	}
	writeMarkdown(b, text+"\n")
	if r.Since != "" {
		since := "Since"
		if isWording(r.ID, r.Since) {
			since = "Wording since"
		}
		fmt.Fprintf(b, "%s: Kubernetes %s\n", since, r.Since)
	}
	fmt.Fprintf(b, "Link: %s\n", r.Link)
}

// isWording reports whether a minor changed nothing but the wording of a rule.
func isWording(id, since string) bool {
	isText := false
	for _, c := range minors.Changes() {
		if c.Since.String() == since && slices.Contains(c.Rules, id) {
			if !c.TextOnly {
				return false
			}
			isText = true
		}
	}
	return isText
}

// ruleJSON is a rule in the JSON output. In a list of a prefix or of what was
// found, it has only id, title and link.
type ruleJSON struct {
	ID        string `json:"id"`
	Title     string `json:"title"`
	Summary   string `json:"summary,omitempty"`
	Statement string `json:"statement,omitempty"`
	Vector    string `json:"vector,omitempty"`
	Example   string `json:"example,omitempty"`
	Source    string `json:"source,omitempty"`
	Since     string `json:"since,omitempty"`
	Link      string `json:"link"`
}

// prefixJSON is a prefix in the list that explain prints without arguments.
type prefixJSON struct {
	Prefix string `json:"prefix"`
	Title  string `json:"title"`
	Rules  int    `json:"rules"`
	Link   string `json:"link"`
}

func topicsJSON(out io.Writer, topics []topic, detailed bool) error {
	if !detailed {
		list := make([]prefixJSON, len(topics))
		for i, t := range topics {
			list[i] = prefixJSON{t.prefix, t.title, len(t.rules), t.link}
		}
		return output.JSON(out, list)
	}
	list := []ruleJSON{}
	for _, t := range topics {
		for _, r := range t.rules {
			rule := ruleJSON{ID: r.ID, Title: r.Title, Link: r.Link}
			if t.prefix == "" && t.words == "" {
				rule.Statement, rule.Vector, rule.Example = r.Statement, r.Vector, r.Example
				rule.Summary, rule.Source, rule.Since = r.Summary, r.Source, r.Since
			}
			list = append(list, rule)
		}
	}
	return output.JSON(out, list)
}
