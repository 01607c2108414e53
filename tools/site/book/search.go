package book

import (
	"encoding/json"
	"html"
	"os"
	"regexp"
	"strings"
)

// An index is what the search of the site looks in: a section of a page each.
type index struct{ sections []section }

type section struct {
	Link  string `json:"link"`
	Page  string `json:"page"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

// longest are the letters of a section that are searched: all flags of a
// command are one section.
const longest = 5000

var (
	heading = regexp.MustCompile(`(?s)<h[1-6] id="([^"]+)"[^>]*>(.*?)</h[1-6]>`)
	example = regexp.MustCompile(`(?s)<div class="example">.*?</div>`)
	tag     = regexp.MustCompile(`(?s)<[^>]*>`)
)

// add adds the sections of a page. Examples are not searched.
func (x *index) add(link, page, body string) {
	body = example.ReplaceAllString(body, "")
	at := heading.FindAllStringSubmatchIndex(body, -1)
	for i, h := range at {
		end := len(body)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		text := plain(body[h[1]:end])
		x.sections = append(x.sections, section{
			Link: link + "#" + body[h[2]:h[3]], Page: page,
			Title: plain(body[h[4]:h[5]]), Text: text[:min(len(text), longest)],
		})
	}
}

// plain returns the text of HTML, in one line.
func plain(body string) string {
	return strings.Join(strings.Fields(html.UnescapeString(tag.ReplaceAllString(body, " "))), " ")
}

func (x *index) write(file string) error {
	text, err := json.Marshal(x.sections)
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}
