package judge

import (
	"errors"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/kit/manifest"
)

// position returns the place of an error, and its text without the place.
func position(file string, err error) (at manifest.Position, text string) {
	if placed, ok := errors.AsType[*manifest.Error](err); ok {
		return placed.Position, placed.Err.Error()
	}
	return manifest.Position{File: file}, err.Error()
}

// ruleOf returns the rule of a refusal, or an empty string.
func ruleOf(err error) string {
	if status, ok := errors.AsType[*crdsem.StatusError](err); ok {
		return status.Rule
	}
	if decode, ok := errors.AsType[*definition.DecodeError](err); ok {
		return decode.Rule
	}
	if converting, ok := errors.AsType[*conversion.Error](err); ok {
		return converting.Rule
	}
	return ""
}
