package upgrade

import (
	"fmt"
	"strings"
)

// Words returns the change in a few words, without its path, e.g. "at most 100,
// was unlimited".
func (c *Change) Words() string { return c.words(true) }

// words returns the change in words. Without values it returns what is the same
// for all changes of one cause.
func (c *Change) words(values bool) string {
	if c.Webhook {
		own := *c
		own.Webhook = false
		return "the conversion webhook has to meet: " + own.words(values)
	}
	switch c.Class {
	case DefinitionRefused:
		return "the server refuses the definition, by " + c.Keyword
	case CostsMore:
		return "rules cost more" + c.oldAndNew(values)
	case NoEffect:
		return c.keywordWords() + " differs, and nothing is judged otherwise"
	case ChangesMerging:
		return c.mergingWords()
	}
	switch c.Keyword {
	case "properties", "additionalProperties":
		return c.fieldWords()
	case "required":
		if c.Class == Looser {
			return "not required any more"
		}
		return "required"
	case "default":
		return c.defaultWords(values)
	case rulesKeyword:
		return c.ruleWords()
	case "enum":
		return c.enumWords(values)
	case "type":
		return "another type" + c.oldAndNew(true)
	case "served":
		return c.servedWords()
	case "x-kubernetes-list-type", "x-kubernetes-list-map-keys":
		return c.listWords()
	}
	return c.boundWords(values)
}

// oldAndNew returns the values of the keyword, e.g. " (10, was 5)".
func (c *Change) oldAndNew(values bool) string {
	switch {
	case !values:
		return ""
	case c.Old == nil:
		return fmt.Sprintf(" (%s)", shown(c.New))
	case c.New == nil:
		return fmt.Sprintf(" (was %s)", shown(c.Old))
	}
	return fmt.Sprintf(" (%s, was %s)", shown(c.New), shown(c.Old))
}

// keywordWords returns the keyword as people say it, e.g. "list type".
func (c *Change) keywordWords() string {
	keyword := strings.TrimPrefix(c.Keyword, "x-kubernetes-")
	if keyword == "validations" {
		return "rule"
	}
	return strings.ReplaceAll(keyword, "-", " ")
}

// fieldWords returns what happens to a field that is added or removed.
func (c *Change) fieldWords() string {
	what := "field"
	if c.Keyword == "additionalProperties" {
		what = "map values"
	}
	refusal := c.Class == Stricter
	switch {
	case refusal && c.target.isIndirect:
		return "the " + what + " counts, and " + c.Message
	case refusal && c.New != nil:
		return "values that were kept unchecked are checked"
	case refusal:
		return "removed, and refused without it"
	case c.Class == Looser:
		return "more values are admitted"
	case c.New == nil && c.From != "":
		return c.Version + " lacks it: a value is lost on the next write"
	case c.New == nil:
		return "removed: a value is lost on the next write"
	case c.Old == nil:
		return "new"
	}
	return "another schema" + c.oldAndNew(true)
}

// servedWords returns what happens to a version.
func (c *Change) servedWords() string {
	switch {
	case c.New == nil:
		return "the version is gone"
	case c.New == true && c.Old == nil:
		return "the version is served now"
	}
	return "the version is not served any more"
}

// defaultWords returns what happens to a field without a value.
func (c *Change) defaultWords(values bool) string {
	words := "the default is another one"
	switch {
	case c.Old == nil:
		words = "a default is new"
	case c.New == nil:
		words = "the default is gone"
	}
	words += c.oldAndNew(values)
	if c.Class == Stricter {
		words += ", which may be refused"
		if c.IsKnown() {
			words = strings.TrimSuffix(words, ", which may be refused") + ", which is refused"
		}
	}
	return words
}

// ruleWords returns the text of a rule that is added or removed.
func (c *Change) ruleWords() string {
	switch {
	case c.Class == Cosmetic:
		return "the message of a rule"
	case c.Old != nil && c.New != nil && c.Old == c.New:
		return fmt.Sprintf("a rule runs otherwise: %v", c.New)
	case c.Old != nil && c.New != nil:
		return fmt.Sprintf("the rule is stricter: %v, was %v", c.New, c.Old)
	case c.New != nil:
		return fmt.Sprintf("a new rule: %v", c.New)
	}
	return fmt.Sprintf("a rule is gone: %v", c.Old)
}

// enumWords returns the values that an enum gains or loses.
func (c *Change) enumWords(values bool) string {
	words, list := "values are gone", c.Old
	switch {
	case c.Class == Stricter && c.Old == nil:
		words, list = "only some values are left", c.New
	case c.Class == Looser && c.New == nil:
		words, list = "the enum is gone", c.Old
	case c.Class == Looser:
		words, list = "values are new", c.New
	}
	if values {
		words += ": " + shown(list)
	}
	return words
}

// listWords returns what happens to a list that is checked for duplicates.
func (c *Change) listWords() string {
	if c.Class == Looser {
		return "equal items or keys are admitted"
	}
	switch c.New {
	case "map":
		return "became a map: items with equal keys are refused"
	case "set":
		return "became a set: equal items are refused"
	}
	return "items with other equal keys are refused" + c.oldAndNew(true)
}

// mergingWords returns what server-side apply does.
func (c *Change) mergingWords() string {
	switch {
	case c.Keyword == "x-kubernetes-map-type" && c.New == "atomic":
		return "applied as a whole"
	case c.Keyword == "x-kubernetes-map-type":
		return "fields are merged one by one"
	case c.New == "map":
		return "items are merged by key"
	case c.New == "set":
		return "items are merged as a set"
	case c.New == "atomic":
		return "the list is applied as a whole"
	}
	return "items are merged by other keys" + c.oldAndNew(true)
}

// bounds are the bounds in words.
var bounds = map[string]string{
	"maxLength": "at most %v characters", "minLength": "at least %v characters",
	"maximum": "at most %v", "minimum": "at least %v",
	"maxItems": "at most %v items", "minItems": "at least %v items",
	"maxProperties": "at most %v fields", "minProperties": "at least %v fields",
}

// boundWords returns a keyword with its values.
func (c *Change) boundWords(values bool) string {
	text, known := bounds[c.Keyword]
	switch {
	case c.Class == ChangesStorage && c.Keyword == "storage":
		return "another version is stored" + c.oldAndNew(values)
	case !values && known && c.Class == Stricter:
		return "a bound is narrower"
	case !values && known:
		return "a bound is wider"
	case known && c.New == nil:
		return "not " + fmt.Sprintf(text, shown(c.Old)) + " any more"
	case known && c.Old == nil:
		return fmt.Sprintf(text, shown(c.New)) + ", was unlimited"
	case known:
		return fmt.Sprintf(text, shown(c.New)) + ", was " + shown(c.Old)
	}
	words := c.keywordWords()
	switch c.Class {
	case Stricter:
		words += " admits less"
	case Looser:
		words += " admits more"
	default:
		words += " differs"
	}
	return words + c.oldAndNew(values)
}
