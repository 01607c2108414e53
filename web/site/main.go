// Command site writes the parts of the page and of the npm package that come
// from the specification.
//
//	go run ./site -rules       # the rules as JSON, to the standard output
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/crdsem/crdsem/spec"
)

func main() {
	rules := flag.Bool("rules", false, "print the rules as JSON")
	flag.Parse()
	if *rules {
		if err := writeRules(os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "site:", err)
			os.Exit(1)
		}
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
	for _, c := range spec.Chapters() {
		for _, r := range c.Rules {
			list = append(list, rule{
				ID: r.ID, Title: r.Title, Statement: r.Statement, Vector: r.Vector,
				Example: r.Example, Source: r.Source, Since: r.Since, Link: r.Link(),
			})
		}
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(list)
}
