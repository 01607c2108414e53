package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"

	"github.com/crdsem/crdsem/conformance/oracle/kube"
)

// manage answers writes from stdin, one in a line, by the real field manager:
// with the object, or with the error.
func manage(_ context.Context, _ []string) error {
	in, out := json.NewDecoder(bufio.NewReader(os.Stdin)), bufio.NewWriter(os.Stdout)
	answers := json.NewEncoder(out)
	answers.SetEscapeHTML(false)
	var managers kube.Managers
	for {
		var w kube.Write
		switch err := in.Decode(&w); {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		var answer struct {
			Object map[string]any `json:"object,omitempty"`
			Error  string         `json:"error,omitempty"`
		}
		object, err := managers.Do(w)
		if answer.Object = object; err != nil {
			answer.Error = err.Error()
		}
		if err := answers.Encode(answer); err != nil {
			return err
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
}
