package environment

import (
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
		if err.Message != quoteUnsupported || !ok {
			continue
		}
		for end := at + 1; end < int32(len(plain)); end++ {
			if plain[end] != '`' {
				continue
			}
			for _, quote := range []int32{at, end} {
				plain[quote] = ' '
				if location, ok := source.OffsetLocation(quote); ok {
					former.ReportErrorString(location, notToken)
				}
			}
			break
		}
	}
	if len(former.GetErrors()) == 0 {
		return errs
	}
	_, rest := e.parser.Parse(common.NewTextSource(string(plain)))
	return former.Append(rest.GetErrors())
}

// notToken is the lexer's error for a backtick.
const notToken = "Syntax error: token recognition error at: '`'"
