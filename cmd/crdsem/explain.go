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
)

func newExplainCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "explain [RULE|PREFIX...]",
		Short: "print rules of the specification by their ids, e.g. STR-047",
		Long: `Explain prints rules of the specification by their ids, or lists those of a prefix, e.g. STR. Without
arguments it lists the prefixes. It knows the checks of lint, e.g. LINT-bound, and the changes that
upgrade reports, e.g. stricter/maximum, too.`,
		RunE: runs(func(_ context.Context, args []string, std streams) (int, error) {
			return exitOK, explain(std.out, args, format)
		}),
	}
	outputFlag(cmd, &format, "text", "json")
	return cmd
}

// explain prints the rules that the arguments name, also where other arguments
// name none. Without arguments it lists the prefixes.
func explain(out io.Writer, args []string, format string) error {
	var topics []topic
	var unknown []error
	for _, arg := range args {
		t, err := topicOf(arg)
		if err == nil {
			topics = append(topics, t)
		}
		unknown = append(unknown, err)
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

// topic is what one argument names: one rule, or all rules of a prefix.
type topic struct {
	prefix string // empty for one rule
	title  string // of the chapter that has the prefix
	link   string // to the chapter
	rules  []rules.Rule
}

func topicOf(arg string) (topic, error) {
	if rule, ok := rules.Find(arg); ok {
		return topic{rules: []rules.Rule{rule}}, nil
	}
	known := prefixes()
	names := make([]string, 0, len(known))
	for _, t := range known {
		if strings.EqualFold(t.prefix, arg) {
			return t, nil
		}
		names = append(names, t.prefix)
		for _, r := range t.rules {
			names = append(names, r.ID)
		}
	}
	if near := nearest.Names(arg, names, 3); len(near) > 0 {
		return topic{}, fmt.Errorf("no rule or prefix %q; did you mean %s?",
			arg, strings.Join(near, ", "))
	}
	return topic{}, fmt.Errorf("no rule or prefix %q; crdsem explain lists the prefixes", arg)
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
	if r.Example != "" {
		text += "\n\n" + r.Example
	}
	if r.Source != "" {
		text += "\n\nSource: " + r.Source + "."
	}
	writeMarkdown(b, text+"\n")
	if r.Since != "" {
		fmt.Fprintf(b, "Since: Kubernetes %s\n", r.Since)
	}
	fmt.Fprintf(b, "Link: %s\n", r.Link)
}

// ruleJSON is a rule in the JSON output. In a list of a prefix, it has only id,
// title and link.
type ruleJSON struct {
	ID        string `json:"id"`
	Title     string `json:"title"`
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
			if t.prefix == "" {
				rule.Statement, rule.Vector, rule.Example = r.Statement, r.Vector, r.Example
				rule.Source, rule.Since = r.Source, r.Since
			}
			list = append(list, rule)
		}
	}
	return output.JSON(out, list)
}
