package engine

import (
	"context"
	"fmt"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/minors"
)

// judgeRequest is a request of the operation judge. Texts hold any number of
// documents.
type judgeRequest struct {
	ID         string `json:"id"`
	Op         string `json:"op"`
	Kubernetes string `json:"kubernetes"`
	// Definitions are checked. StoredDefinitions are those that they update.
	Definitions       string `json:"definitions"`
	StoredDefinitions string `json:"storedDefinitions"`
	// Objects are sent to the definitions. Stored are the objects that they
	// update.
	Objects string `json:"objects"`
	Stored  string `json:"stored"`
	// Request is create, update or updateStatus. If it is empty, stored objects
	// are updated and others are created.
	Request string `json:"request"`
	// Version is the version that objects are sent to; empty for their own.
	Version         string `json:"version"`
	FieldValidation string `json:"fieldValidation"`
}

// judgeAnswer is the answer to a judgeRequest.
type judgeAnswer struct {
	ID          string            `json:"id"`
	Definitions []*verdict.Result `json:"definitions"`
	Models      []model           `json:"models"`
	Objects     []*object         `json:"objects"`
}

// model is what a definition defines. There is one for each definition that
// can be compiled.
type model struct {
	Name     string    `json:"name"`
	Group    string    `json:"group"`
	Kind     string    `json:"kind"`
	Scope    string    `json:"scope"`
	Versions []version `json:"versions"`
}

// version is a version of a definition.
type version struct {
	Name    string `json:"name"`
	Served  bool   `json:"served"`
	Storage bool   `json:"storage"`
	Status  bool   `json:"status"`
}

// object is the result for one object, with the text of what would be stored.
type object struct {
	*verdict.Result
	// Stored is the object as YAML, and Marks are the lines of it that the
	// server changed. They are empty for an object that would not be stored.
	Stored string `json:"stored,omitempty"`
	Marks  []mark `json:"marks,omitempty"`
}

// judged answers the operation judge.
func (e *Engine) judged(ctx context.Context, request []byte) (*judgeAnswer, error) {
	var req judgeRequest
	if err := decode(request, &req); err != nil {
		return nil, err
	}
	minor, err := minorOf(req.Kubernetes)
	if err != nil {
		return nil, err
	}
	j := &judge.Judge{
		Kubernetes: minor,
		Details:    judge.AllDetails,
		Refused:    judge.JudgeObjects,
		SendTo:     req.Version,
	}
	if j.Requests, err = requestsOf(&req); err != nil {
		return nil, err
	}
	if j.FieldValidation, err = fieldValidationOf(&req); err != nil {
		return nil, err
	}
	checked, err := e.checked.of(ctx, checkedKey{req.Definitions, req.StoredDefinitions, minor})
	if err != nil {
		return nil, err
	}
	out := &judgeAnswer{ID: req.ID, Definitions: []*verdict.Result{}, Models: []model{}}
	for _, d := range checked.copies() {
		j.Add(d)
		out.Definitions = append(out.Definitions, d.Result)
	}
	for _, compiled := range checked.compiled() {
		out.Models = append(out.Models, modelOf(compiled.Model()))
	}
	out.Definitions = append(out.Definitions, checked.others...)
	if err := store(j, req.Stored); err != nil {
		return nil, err
	}
	out.Objects = send(ctx, j, req.Objects)
	return out, ctx.Err()
}

// minorOf returns the minor of a text; the newest one for an empty text.
func minorOf(text string) (minors.Minor, error) {
	if text == "" {
		return minors.Newest(), nil
	}
	return minors.Parse(text)
}

// requestsOf returns what the objects of a request are sent as.
func requestsOf(req *judgeRequest) (judge.Requests, error) {
	switch req.Request {
	case "create", "":
		return judge.CreateOrUpdate, nil
	case "update":
		return judge.UpdateOnly, nil
	case "updateStatus":
		return judge.UpdateStatus, nil
	}
	return 0, fmt.Errorf(`request %q is not known: want "create", "update" or "updateStatus"`,
		req.Request)
}

// fieldValidationOf returns what is done about unknown and duplicate fields.
func fieldValidationOf(req *judgeRequest) (crdsem.Strictness, error) {
	switch choice := crdsem.Strictness(req.FieldValidation); choice {
	case "", crdsem.Strict, crdsem.Warn, crdsem.Ignore:
		return choice, nil
	}
	return "", fmt.Errorf(`fieldValidation %q is not known: want "Strict", "Warn" or "Ignore"`,
		req.FieldValidation)
}

// modelOf returns what a compiled definition defines.
func modelOf(compiled *definition.Model) model {
	return model{
		Name: compiled.Name(), Group: compiled.Group(), Kind: compiled.Names().Kind,
		Scope: string(compiled.Scope()), Versions: versionsOf(compiled),
	}
}

func versionsOf(compiled *definition.Model) []version {
	versions := []version{}
	for _, v := range compiled.Versions() {
		versions = append(versions, version{v.Name, v.Served, v.Storage, v.HasStatus})
	}
	return versions
}

// store makes the stored objects in a text known.
func store(j *judge.Judge, text string) error {
	for in, err := range entries(text) {
		if err != nil {
			return in.unreadable("the stored object", err)
		}
		if err := j.Store(in.Content); err != nil {
			return newTextError("", in.Document.Start(), err.Error())
		}
	}
	return nil
}

// send judges the objects in a text, and those in lists.
func send(ctx context.Context, j *judge.Judge, text string) []*object {
	out := []*object{}
	for in, err := range entries(text) {
		if err != nil {
			out = append(out, &object{Result: in.unreadableResult(err)})
			continue
		}
		out = append(out, newObject(in.Document, j.Send(ctx, in.Document, in.Content, in.Strict)))
	}
	return out
}
