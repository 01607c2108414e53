// Command site writes the parts of the page and of the npm package that come
// from the specification. It runs in folder web.
//
//	go run ../tools/site -rules      # the rules as JSON, to the standard output
//	go run ../tools/site -files      # the pages of the rules by prefix, as JSON
//	go run ../tools/site -pages DIR  # specification and documentation as pages, into a folder
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/crdsem/crdsem/conformance/spec"
	"github.com/crdsem/crdsem/internal/test/suite"
	"github.com/crdsem/crdsem/tools/site/book"
)

func main() {
	rules := flag.Bool("rules", false, "print the rules as JSON")
	files := flag.Bool("files", false, "print the pages of the rules by prefix")
	pages := flag.String("pages", "", "write specification and documentation as pages into `DIR`")
	flag.Parse()
	var err error
	switch {
	case *rules:
		err = writeRules(os.Stdout)
	case *files:
		err = writeFiles(os.Stdout)
	case *pages != "":
		err = writePages(*pages)
	default:
		flag.Usage()
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

// rule is a rule in the npm package. Its members are those of the command's
// JSON output of explain.
type rule struct {
	ID        string `json:"id"`
	Title     string `json:"title"`
	Statement string `json:"statement,omitempty"`
	Vector    string `json:"vector,omitempty"`
	Example   string `json:"example,omitempty"`
	Source    string `json:"source,omitempty"`
	Since     string `json:"since,omitempty"`
	Link      string `json:"link"`
}

// writeRules writes all rules as JSON, in the order of the chapters.
func writeRules(out io.Writer) error {
	list := []rule{}
	for _, r := range allRules() {
		list = append(list, rule{
			ID: r.ID, Title: r.Title, Statement: r.Statement, Vector: r.Vector,
			Example: r.Example, Source: r.Source, Since: r.Since, Link: r.Link(),
		})
	}
	return writeJSON(out, list)
}

// writeFiles writes the pages of the rules by prefix.
func writeFiles(out io.Writer) error {
	var list []book.Rule
	for _, r := range allRules() {
		list = append(list, book.Rule{Prefix: r.Prefix(), File: r.File})
	}
	files, err := book.Files(list)
	if err != nil {
		return err
	}
	return writeJSON(out, files)
}

func writePages(folder string) error {
	vectors, err := suite.Load(os.DirFS("../conformance/vectors/eval"))
	if err != nil {
		return err
	}
	return book.Write(folder, []*book.Book{
		{
			Folder: "docs", Source: os.DirFS(".."),
			Subtitle: "What a Kubernetes API server does to custom resources, without a cluster",
		},
		{
			Folder: "conformance/spec", Source: os.DirFS(".."), Examples: book.Examples(vectors),
			Subtitle: "The specification of custom resources, rule by rule",
		},
	})
}

func allRules() []spec.Rule {
	var rules []spec.Rule
	for _, c := range spec.Chapters() {
		rules = append(rules, c.Rules...)
	}
	return rules
}

func writeJSON(out io.Writer, value any) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}
