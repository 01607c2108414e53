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
	// Handle names open definitions, instead of the minor and their text.
	Handle string `json:"handle"`
	// Objects are sent to the definitions. Stored are the objects that they
	// update.
	Objects string `json:"objects"`
	Stored  string `json:"stored"`
	// Each holds texts of one object each, instead of Objects.
	Each []string `json:"each"`
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
	// Answered is what the client of the request gets, if that is another
	// object, and Served what clients of the other served versions read.
	Answered string `json:"answered,omitempty"`
	Served   []read `json:"served,omitempty"`
}

// read is what clients of a version read, as YAML, or why they read nothing.
type read struct {
	Version string `json:"version"`
	Text    string `json:"text,omitempty"`
	Error   string `json:"error,omitempty"`
}

// judged answers the operation judge.
func (e *Engine) judged(ctx context.Context, request []byte) (*judgeAnswer, error) {
	var req judgeRequest
	if err := decode(request, &req); err != nil {
		return nil, err
	}
	j := &judge.Judge{
		Details: judge.AllDetails,
		Refused: judge.JudgeObjects,
		SendTo:  req.Version,
		BuiltIn: judge.ByStructure,
	}
	var err error
	if j.Requests, err = requestsOf(&req); err != nil {
		return nil, err
	}
	if j.FieldValidation, err = fieldValidationOf(req.FieldValidation); err != nil {
		return nil, err
	}
	checked, err := e.definitions(
		ctx, req.Handle, req.Definitions, req.StoredDefinitions, req.Kubernetes)
	if err != nil {
		return nil, err
	}
	j.Kubernetes = checked.key.minor
	out := &judgeAnswer{ID: req.ID, Definitions: []*verdict.Result{}, Models: []model{}}
	for _, d := range checked.copies() {
		j.Add(d)
		out.Definitions = append(out.Definitions, d.Result)
	}
	if req.Handle != "" && req.StoredDefinitions == "" {
		out.Definitions = out.Definitions[:0] // who opened them knows them
	} else {
		out.Models = checked.models()
		out.Definitions = append(out.Definitions, checked.others...)
	}
	if err := store(j, req.Stored); err != nil {
		return nil, err
	}
	if req.Each != nil {
		out.Objects, err = sendEach(ctx, j, req.Each)
		return out, err
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
func fieldValidationOf(text string) (crdsem.Strictness, error) {
	switch choice := crdsem.Strictness(text); choice {
	case "", crdsem.Strict, crdsem.Warn, crdsem.Ignore:
		return choice, nil
	}
	return "", fmt.Errorf(`fieldValidation %q is not known: want "Strict", "Warn" or "Ignore"`, text)
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

// sendEach judges texts of one object each.
func sendEach(ctx context.Context, j *judge.Judge, texts []string) ([]*object, error) {
	out := make([]*object, len(texts))
	for i, text := range texts {
		results := send(ctx, j, text)
		if len(results) != 1 {
			return nil, fmt.Errorf("text %d has %d objects, want one", i+1, len(results))
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		out[i] = results[0]
	}
	return out, nil
}
