// Command kubectlvalidate answers the op admit, for creates, with
// sigs.k8s.io/kubectl-validate. It says whether an object is accepted, and the
// tool's own text if not.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"testing/fstest"

	"sigs.k8s.io/kubectl-validate/pkg/openapiclient"
	"sigs.k8s.io/kubectl-validate/pkg/validator"
)

type request struct {
	ID, Subresource  string
	CRD, Object, Old json.RawMessage
}

func main() {
	fmt.Println(`{"protocol":1,"name":"kubectl-validate","ops":["admit"]}`)
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var r request
		answer := map[string]any{}
		if err := json.Unmarshal(line, &r); err != nil {
			answer["fault"] = err.Error()
		} else if len(r.Old) > 0 || r.Subresource != "" {
			answer["fault"] = "not supported: updates"
		} else {
			answer = admit(&r)
		}
		answer["id"] = r.ID
		text, _ := json.Marshal(answer)
		fmt.Println(string(text))
	}
}

// admit judges an object by a folder with the definition.
func admit(r *request) (answer map[string]any) {
	defer func() {
		if p := recover(); p != nil {
			answer = map[string]any{"fault": fmt.Sprint("panic: ", p)}
		}
	}()
	files := fstest.MapFS{"crd.yaml": &fstest.MapFile{Data: document(r.CRD)}}
	v, err := validator.New(openapiclient.NewLocalCRDFiles(files))
	if err != nil {
		return map[string]any{"fault": err.Error()}
	}
	_, object, err := v.Parse(document(r.Object))
	if err != nil {
		return refused("decode", err)
	}
	if err := v.Validate(object); err != nil {
		return refused("invalid", err)
	}
	return map[string]any{"stage": "admitted", "errors": []any{}, "warnings": []any{},
		"unknownFields": []any{}, "object": object.Object}
}

func refused(stage string, err error) map[string]any {
	return map[string]any{"stage": stage, "warnings": []any{}, "unknownFields": []any{},
		"errors": []any{map[string]any{"type": "", "field": "", "detail": "", "text": err.Error()}}}
}

// document returns an input as text: a string of JSON or YAML, or a value.
func document(raw json.RawMessage) []byte {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return []byte(text)
	}
	return raw
}
