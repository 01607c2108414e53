package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"strings"

	"github.com/crdsem/crdsem/conformance/oracle/expressions"
	"github.com/crdsem/crdsem/conformance/oracle/formercel/celcases"
)

// hasAddress is in errors that print an address of memory.
const hasAddress = "incompatible type already exists"

// ask writes the cases of a file that have another outcome by the real code,
// with that.
func ask(_ context.Context, args []string) error {
	if len(args) != 1 {
		return errors.New("usage: oracle expressions FILE")
	}
	cases, err := celcases.Read(args[0])
	if err != nil {
		return err
	}
	server, err := expressions.New()
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	for _, c := range cases {
		real := server.Ask(c.Expression)
		if reflect.DeepEqual(real, c) || strings.Contains(real.Compile, hasAddress) {
			continue
		}
		if err := encoder.Encode(real); err != nil {
			return err
		}
	}
	return nil
}
