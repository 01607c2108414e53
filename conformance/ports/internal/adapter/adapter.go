// Package adapter is what the adapters in Go share: the lines of the evaluation
// protocol, and the answers about an object that is created. It requires no
// other module, so that each adapter links the versions of its implementation.
package adapter

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// Request is a request, with the members that any of the adapters reads.
type Request struct {
	ID, Op, Type, Subresource, Manager string
	Force                              bool

	Schema, CRD, Object, Old, Stored, Patch json.RawMessage
}

// Answer is an answer without its id.
type Answer map[string]any

// Serve answers requests to some ops until the input ends. A panic of the
// implementation is a fault.
func Serve(name, ops string, answer func(*Request) Answer) {
	hello, _ := json.Marshal(map[string]any{
		"protocol": 1, "name": name, "ops": strings.Fields(ops),
	})
	fmt.Println(string(hello))
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		r := &Request{}
		a := Fault(json.Unmarshal(line, r))
		if a == nil {
			a = safely(r, answer)
		}
		a["id"] = r.ID
		text, err := json.Marshal(a)
		if err != nil {
			text, _ = json.Marshal(Answer{"id": r.ID, "fault": err.Error()})
		}
		fmt.Println(string(text))
	}
}

func safely(r *Request, answer func(*Request) Answer) (a Answer) {
	defer func() {
		if p := recover(); p != nil {
			a = Answer{"fault": fmt.Sprint("panic: ", p)}
		}
	}()
	return answer(r)
}

// Creating makes an answer to the op admit of one that knows creates only.
func Creating(create func(*Request) Answer) func(*Request) Answer {
	return func(r *Request) Answer {
		if len(r.Old) > 0 || r.Subresource != "" {
			return Answer{"fault": "not supported: updates"}
		}
		return create(r)
	}
}

// Fault is the answer to a request that cannot be asked, nil without an error.
func Fault(err error) Answer {
	if err == nil {
		return nil
	}
	return Answer{"fault": err.Error()}
}

// Admitted is the answer about an object that is accepted. The object may be
// nil, if the implementation returns none.
func Admitted(object any) Answer {
	a := Answer{"stage": "admitted", "errors": []any{}, "warnings": []any{},
		"unknownFields": []any{}}
	if object != nil {
		a["object"] = object
	}
	return a
}

// Refused is the answer about an object that is refused at a stage: decode or
// invalid.
func Refused(stage, text string) Answer {
	a := Admitted(nil)
	a["stage"] = stage
	a["errors"] = []any{map[string]any{"type": "", "field": "", "detail": "", "text": text}}
	return a
}

// Document returns an input as text: a string of JSON or YAML, or a value.
func Document(raw json.RawMessage) []byte {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return []byte(text)
	}
	return raw
}
