package describe

import (
	"strings"

	"github.com/crdsem/crdsem/definition"
)

// Page is what [Markdown] writes about a whole version, as plain texts.
type Page struct {
	Group string `json:"group"`
	Kind  string `json:"kind"`
	Name  string `json:"name"` // of the version
	Text  string `json:"text,omitempty"`
	// About says how objects are named and served, and Unknown what happens to
	// fields that are not declared.
	About   string `json:"about"`
	Unknown string `json:"unknown"`
	// Fields are in their order, parents first.
	Fields  []PageField  `json:"fields"`
	Rules   []PageRule   `json:"rules"`
	Updates []PageUpdate `json:"updates"`
}

// PageField is a field of a version, with its type and its facts in words.
type PageField struct {
	Path  string   `json:"path"`
	Type  string   `json:"type"`
	Facts []string `json:"facts,omitempty"`
	Text  string   `json:"text,omitempty"`
}

// PageRule is a rule of the field at a path.
type PageRule struct {
	Path    string `json:"path"`
	Rule    string `json:"rule"`
	Message string `json:"message,omitempty"`
}

// PageUpdate is what an update may not change. The path is empty for what holds
// for every object.
type PageUpdate struct {
	Path string `json:"path,omitempty"`
	Text string `json:"text"`
}

// Of returns the page of a version.
func Of(m *definition.Model, v *definition.Version) *Page {
	root := Field{Schema: v.Schema()}
	p := &Page{
		Group: m.Group(), Kind: m.Names().Kind, Name: v.Name,
		Text:    oneLine(root.Schema.Description()),
		About:   strings.Join(marksOf(m, v, plainText), "; ") + ".",
		Unknown: "They are removed.",
		Fields:  []PageField{}, Rules: []PageRule{},
	}
	if kept := keepers(root, plainText); m.PreservesUnknownFields() {
		p.Unknown = "They are kept."
	} else if len(kept) > 0 {
		p.Unknown = "They are removed, except in " + strings.Join(kept, ", ") + "."
	}
	for f := range root.all() {
		if len(p.Fields) == mostRows {
			break
		}
		p.Fields = append(p.Fields, PageField{
			Path: f.Path, Type: Type(f.Schema), Facts: f.facts(Fact.plain),
			Text: oneLine(f.Schema.Description()),
		})
	}
	for _, line := range rootUpdates(v) {
		p.Updates = append(p.Updates, PageUpdate{Text: line})
	}
	eachRule(root, p.add)
	return p
}

// add adds the rules of a field.
func (p *Page) add(at Field) {
	for _, r := range at.Schema.Rules() {
		rule := PageRule{Path: at.place(), Rule: oneLine(r.Rule), Message: oneLine(r.Message)}
		if rule.Message == "" {
			rule.Message = oneLine(r.MessageExpression)
		}
		p.Rules = append(p.Rules, rule)
	}
	for _, line := range at.updates() {
		p.Updates = append(p.Updates, PageUpdate{at.place(), oneLine(line)})
	}
}

func plainText(text string) string { return text }
