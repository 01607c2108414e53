package environment

import (
	"fmt"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common"
)

// quoteUnsupported is the parser's error for an identifier in backticks.
const quoteUnsupported = "unsupported syntax: '`'"

// withoutQuotes returns the errors of a parser that has no identifiers in
// backticks, as up to Kubernetes 1.32: each backtick is an error, and what is
// between them is parsed.
func (e *Env) withoutQuotes(
	text string, source cel.Source, errs *common.Errors,
) *common.Errors {
	plain := []rune(text)
	former := common.NewErrors(source)
	for _, err := range errs.GetErrors() {
		at, ok := source.LocationOffset(err.Location)
		if !ok {
			continue
		}
		for _, quote := range quotesAt(plain, at, err.Message) {
			plain[quote] = ' '
			if location, ok := source.OffsetLocation(quote); ok {
				former.ReportErrorString(location, notToken)
			}
		}
	}
	if len(former.GetErrors()) == 0 {
		return errs
	}
	_, rest := e.parser.Parse(common.NewTextSource(string(plain)))
	return former.Append(rest.GetErrors())
}

// quotesAt returns the backticks that an error at a place is about: both of an
// identifier, or one that begins none.
func quotesAt(text []rune, at int32, message string) []int32 {
	if strings.HasPrefix(message, strings.TrimSuffix(notToken, "'")) {
		return []int32{at}
	}
	end := at + 1
	for end < int32(len(text)) && text[end] != '`' {
		end++
	}
	if message != quoteUnsupported || end >= int32(len(text)) {
		return nil
	}
	return []int32{at, end}
}

// notToken is the lexer's error for a backtick.
const notToken = "Syntax error: token recognition error at: '`'"

// readVerbs gives errors of syntax the words of older minors, which read what
// follows a percent sign in them as a verb that has no value: `'%s'` becomes
// `'%!s(MISSING)'`.
func readVerbs(errs []*common.Error) {
	var none []any
	for _, err := range errs {
		if strings.HasPrefix(err.Message, "Syntax error: ") {
			err.Message = fmt.Sprintf(err.Message, none...)
		}
	}
}
