package engine

import (
	"context"
	"fmt"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/judge"
	"github.com/crdsem/crdsem/internal/verdict"
	"github.com/crdsem/crdsem/manifest"
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
		Kubernetes:      minor,
		FieldValidation: crdsem.FieldValidation(req.FieldValidation),
		Details:         judge.AllDetails,
		Refused:         judge.JudgeObjects,
		SendTo:          req.Version,
	}
	if j.Requests, err = requestsOf(&req); err != nil {
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
	out.Objects, err = send(ctx, j, req.Objects)
	return out, err
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
	return eachObject(text, func(doc *manifest.Document, object map[string]any) error {
		if err := j.Store(object); err != nil {
			return &StoredError{doc.Start().Line, err}
		}
		return nil
	})
}

// StoredError is the error of a stored object that cannot be read.
type StoredError struct {
	Line int
	Err  error
}

// Error names the line in the text of the stored objects.
func (e *StoredError) Error() string {
	return fmt.Sprintf("the stored object in line %d: %v", e.Line, e.Err)
}

// Unwrap returns the reason.
func (e *StoredError) Unwrap() error { return e.Err }

// eachObject calls a function with each object of a text, and with those in
// lists.
func eachObject(text string, do func(*manifest.Document, map[string]any) error) error {
	for doc, err := range documents(text) {
		if err != nil {
			return err
		}
		object, strict, err := doc.Object()
		if err != nil {
			return &StoredError{doc.Start().Line, err}
		}
		items, isList, err := doc.Items(object, strict)
		if err != nil {
			return &StoredError{doc.Start().Line, err}
		}
		if !isList {
			items = []*manifest.Document{doc}
		}
		for _, item := range items {
			object, _, err := item.Object()
			if err == nil {
				err = do(item, object)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// send judges the objects in a text, and those in lists.
func send(ctx context.Context, j *judge.Judge, text string) ([]*object, error) {
	out := []*object{}
	for doc, err := range documents(text) {
		if err != nil {
			out = append(out, &object{Result: judge.NewUnreadable("", err)})
			continue
		}
		decoded, strict, err := doc.Object()
		if err != nil {
			out = append(out, &object{Result: judge.Unreadable(doc, err)})
			continue
		}
		items, isList, err := doc.Items(decoded, strict)
		if err != nil {
			out = append(out, &object{Result: judge.Unreadable(doc, err)})
		}
		if !isList {
			out = append(out, newObject(doc, j.Send(ctx, doc, decoded, strict)))
			continue
		}
		for _, item := range items {
			o, strict, err := item.Object()
			if err != nil {
				return nil, err
			}
			out = append(out, newObject(item, j.Send(ctx, item, o, strict)))
		}
	}
	return out, ctx.Err()
}
