// Command crossplane answers the op admit, for creates, with the package that
// "crossplane beta validate" runs. It says whether an object is accepted, and
// the text of the command if not.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/crossplane/crossplane/cmd/crank/beta/validate"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

type request struct {
	ID, Subresource  string
	CRD, Object, Old json.RawMessage
}

func main() {
	fmt.Println(`{"protocol":1,"name":"crossplane","ops":["admit"]}`)
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
	crd, object := &v1.CustomResourceDefinition{}, &unstructured.Unstructured{}
	if err := yaml.Unmarshal(document(r.CRD), crd); err != nil {
		return map[string]any{"fault": err.Error()}
	}
	if err := yaml.Unmarshal(document(r.Object), &object.Object); err != nil {
		return refused("decode", err.Error())
	}
	var out bytes.Buffer
	err := validate.SchemaValidation(context.Background(), []*unstructured.Unstructured{object},
		[]*v1.CustomResourceDefinition{crd}, true, true, &out)
	if err != nil {
		return refused("invalid", out.String()+err.Error())
	}
	return map[string]any{"stage": "admitted", "errors": []any{}, "warnings": []any{},
		"unknownFields": []any{}, "object": object.Object}
}

func refused(stage, text string) map[string]any {
	return map[string]any{"stage": stage, "warnings": []any{}, "unknownFields": []any{},
		"errors": []any{map[string]any{"type": "", "field": "", "detail": "", "text": text}}}
}

// document returns an input as text: a string of JSON or YAML, or a value.
func document(raw json.RawMessage) []byte {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return []byte(text)
	}
	return raw
}
