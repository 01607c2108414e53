package coverage

import (
	"bytes"
	_ "embed"
	"fmt"
	"github.com/crdsem/crdsem/kit/crdtest"
	"html/template"
	"io"
	"os"
	"strings"
)

//go:embed coverage.html
var coveragePage string

// page is what the template of the HTML page shows.
type page struct {
	Title string
	Files []pageFile
}

// pageFile is a file with definitions.
type pageFile struct {
	Name  string
	Score string
	Lines []pageLine
}

// pageLine is a line of a file. Class is how it is coloured: full, part or no;
// it is empty for a line without items.
type pageLine struct {
	Number int
	Text   string
	Class  string
	Title  string
	// Notes are the operands of the rule on the line.
	Notes []pageNote
}

type pageNote struct{ Text, Class, Title string }

// WriteHTML writes a page with the text of the definitions. Lines whose goals
// were all reached are green, those of which some were yellow, and the others
// red. The files of the definitions are read again.
func (c *Report) WriteHTML(out io.Writer) error {
	p := page{Title: "crdtest: coverage"}
	for _, file := range c.files() {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		p.Files = append(p.Files, c.pageFile(file, text))
	}
	return template.Must(template.New("coverage").Parse(coveragePage)).Execute(out, p)
}

// files returns the files of the definitions, each once.
func (c *Report) files() []string {
	var all []string
	known := map[string]bool{}
	for _, v := range c.Versions {
		if !known[v.File] {
			known[v.File] = true
			all = append(all, v.File)
		}
	}
	return all
}

func (c *Report) pageFile(file string, text []byte) pageFile {
	items := map[int][]*Item{}
	var score crdtest.Score
	for _, v := range c.Versions {
		if v.File != file {
			continue
		}
		for _, item := range v.Items {
			items[item.Line] = append(items[item.Line], item)
			add(&score, item)
		}
	}
	out := pageFile{Name: file, Score: score.String()}
	number := 0
	for line := range bytes.Lines(text) {
		number++
		l := pageLine{Number: number, Text: strings.TrimRight(string(line), "\r\n")}
		l.show(items[number])
		out.Lines = append(out.Lines, l)
	}
	return out
}

// show colours a line by its items.
func (l *pageLine) show(items []*Item) {
	var score crdtest.Score
	var titles []string
	for _, item := range items {
		add(&score, item)
		if item.Class == Operands {
			l.Notes = append(l.Notes, pageNote{item.Text, colour(item.reached(), len(item.Goals)),
				item.counts()})
			continue
		}
		titles = append(titles, item.title()+": "+item.counts())
	}
	if len(items) > 0 {
		l.Class = colour(score.Reached, score.Goals)
	}
	l.Title = strings.Join(titles, "\n")
}

func colour(reached, goals int) string {
	switch reached {
	case goals:
		return "full"
	case 0:
		return "no"
	}
	return "part"
}

// counts returns how often each goal was seen, e.g. "passed 3, failed 0".
func (i *Item) counts() string {
	texts := make([]string, 0, len(i.Goals))
	for _, goal := range i.Goals {
		texts = append(texts, fmt.Sprintf("%s %d", goal.Name, goal.Count))
	}
	return strings.Join(texts, ", ")
}
