package pipeline_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/conformance/oracle/kube"
	"github.com/crdsem/crdsem/internal/app/protocol"
)

// attempt is one request in a version of a definition.
type attempt struct {
	crd             []byte
	def             *crdsem.Definition
	version         string
	body            []byte
	old             []byte // empty on create
	subresource     string
	fieldValidation string
}

// Outcomes of requests that reach no stage.
const (
	notServed = "not served"            // both report that the version is not served
	badOld    = "old does not decode: " // both report a fault with the same reason
	panics    = "panic"                 // the real code panics
)

// compare sends an attempt to the real code and to the facade. It returns the
// first difference, and the stage that the request reached.
func (a attempt) compare() (diff, stage string) {
	ours := a.ours()
	theirs, fault := a.realLike(ours)
	switch {
	case fault != nil && ours.Stage == notServed &&
		strings.HasSuffix(fault.Error(), "is not served"):
		return "", notServed
	case fault != nil && strings.HasPrefix(ours.Stage, badOld) && ours.Stage == fault.Error():
		return "", badOld
	case fault != nil && strings.HasPrefix(fault.Error(), panics):
		return "", panics
	case fault != nil:
		return fmt.Sprintf("stage %s, but the real code cannot answer: %v", ours.Stage,
			fault), "fault"
	}
	want := theirs.Stage
	switch {
	case want != ours.Stage:
		return fmt.Sprintf("stage %s, want %s\nours %v\nreal %v", ours.Stage, want, ours.Errors,
			theirs.Errors), want
	case !slices.Equal(sortedErrors(theirs.Errors), sortedErrors(ours.Errors)):
		return fmt.Sprintf("errors\nours %q\nreal %q", sortedErrors(ours.Errors),
			sortedErrors(theirs.Errors)), want
	case !slices.Equal(theirs.UnknownFields, ours.UnknownFields):
		return fmt.Sprintf("unknown fields\nours %q\nreal %q", ours.UnknownFields,
			theirs.UnknownFields), want
	case !slices.Equal(sorted(theirs.Warnings), sorted(ours.Warnings)):
		return fmt.Sprintf("warnings\nours %q\nreal %q", ours.Warnings, theirs.Warnings), want
	}
	if want == protocol.StageDecode {
		return "", want
	}
	return unlike(theirs.Object, ours.Object), want
}

// realLike asks the real code until it answers as we do. If the real code
// iterates over a map and stops at the first error, it reports a random one.
func (a attempt) realLike(ours *protocol.Admitted) (theirs *protocol.Admitted, err error) {
	for range 50 {
		theirs, err = a.real()
		switch {
		case err == nil && slices.Equal(sortedErrors(theirs.Errors), sortedErrors(ours.Errors)):
			return theirs, nil
		case err != nil && (err.Error() == ours.Stage || !strings.HasPrefix(err.Error(), badOld)):
			return nil, err
		}
	}
	return theirs, err
}

func (a attempt) real() (*protocol.Admitted, error) {
	req := &protocol.Request{
		ID: "1", Op: protocol.OpAdmit, CRD: protocol.TextInput(string(a.crd)), Version: a.version,
		Object: protocol.TextInput(
			string(a.body),
		), Subresource: a.subresource, FieldValidation: a.fieldValidation,
	}
	if len(a.old) > 0 {
		req.Old = protocol.TextInput(string(a.old))
	}
	answer := protocol.AnswerRequest(context.Background(), req, kube.New())
	if answer.Fault != "" {
		return nil, errors.New(answer.Fault)
	}
	admitted, ok := answer.Result.(protocol.Admitted)
	if !ok {
		return nil, fmt.Errorf("a result of type %T", answer.Result)
	}
	return &admitted, nil
}

func (a attempt) ours() *protocol.Admitted {
	v, err := a.def.Version(a.version)
	if err != nil {
		if m := a.def.Model().Version(a.version); m == nil || !m.Served {
			return &protocol.Admitted{Stage: notServed}
		}
		return &protocol.Admitted{Stage: "version: " + err.Error()}
	}
	request := crdsem.Request{
		Body: a.body, FieldValidation: crdsem.Strictness(a.fieldValidation),
	}
	if len(a.old) > 0 {
		request.Subresource, request.Old = crdsem.Subresource(a.subresource), a.oldObject()
	}
	r := v.Do(context.Background(), request)
	out := &protocol.Admitted{
		Stage:         string(r.Stage),
		UnknownFields: sorted(r.Pruned),
		Warnings:      r.Warnings,
		Errors:        protocol.FieldErrors(r.Errors),
	}
	if bad := (*crdsem.StoredError)(nil); errors.As(r.Err(), &bad) {
		return &protocol.Admitted{Stage: badOld + bad.Err.Error()}
	}
	if r.Stage == crdsem.StageDecode {
		out.Errors = []protocol.FieldError{
			{Type: protocol.DecodeError, Detail: r.Err().Error(), Text: r.Err().Error()},
		}
		return out
	}
	object := maps.Clone(r.Object)
	if meta, ok := object["metadata"].(map[string]any); ok {
		meta = maps.Clone(meta)
		for _, key := range []string{"uid", "creationTimestamp", "managedFields", "generation"} {
			delete(meta, key)
		}
		object["metadata"] = meta
	}
	out.Object = object
	return out
}

func (a attempt) oldObject() map[string]any {
	value, err := decodeText(a.old)
	if err != nil {
		return nil
	}
	object, _ := value.(map[string]any)
	return object
}

// sortedErrors are the errors as a set, without their rules: the real code
// repeats some, and names no rules.
func sortedErrors(errs []protocol.FieldError) []string {
	var out []string
	for _, e := range errs {
		e.Rule = ""
		text, _ := json.Marshal(e) // strings only
		out = append(out, string(text))
	}
	sort.Strings(out)
	return slices.Compact(out)
}

func sorted(texts []string) []string {
	out := slices.Clone(texts)
	sort.Strings(out)
	return out
}

// describe returns an attempt in readable form.
func (a attempt) describe() string {
	var b strings.Builder
	fmt.Fprintf(&b, "version %s, subresource %q, field validation %q\nbody %s\n", a.version,
		a.subresource, a.fieldValidation, a.body)
	if len(a.old) > 0 {
		fmt.Fprintf(&b, "old %s\n", a.old)
	}
	return b.String()
}
