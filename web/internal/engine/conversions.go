package engine

import (
	"context"
	"errors"

	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem"
)

// conversionsRequest is a request of the operation conversions.
type conversionsRequest struct {
	ID          string `json:"id"`
	Op          string `json:"op"`
	Kubernetes  string `json:"kubernetes"`
	Definitions string `json:"definitions"`
	// Object is one object, as it would be stored.
	Object string `json:"object"`
}

// conversionsAnswer is the answer to a conversionsRequest: what clients of each
// version of its definition read.
type conversionsAnswer struct {
	ID       string      `json:"id"`
	Versions []converted `json:"versions"`
}

// converted is an object in a version: its YAML, or why it does not convert.
type converted struct {
	version
	Text  string `json:"text,omitempty"`
	Error string `json:"error,omitempty"`
}

// conversions answers the operation conversions. A webhook is not called.
func (e *Engine) conversions(ctx context.Context, request []byte) (*conversionsAnswer, error) {
	var req conversionsRequest
	if err := decode(request, &req); err != nil {
		return nil, err
	}
	checked, err := e.definitions(ctx, "", req.Definitions, "", req.Kubernetes)
	if err != nil {
		return nil, err
	}
	out := &conversionsAnswer{ID: req.ID, Versions: []converted{}}
	for in, err := range entries(req.Object) {
		if err != nil {
			return nil, in.unreadable("the stored object", err)
		}
		def, err := checked.definitionOf(in.Content)
		if err != nil {
			return nil, err
		}
		for _, v := range versionsOf(def.Model()) {
			out.Versions = append(out.Versions, convert(ctx, def, in.Content, v))
		}
	}
	return out, nil
}

// convert returns what a client of a version reads of a stored object. A
// version that is not served has no clients: the object is only converted.
func convert(
	ctx context.Context, def *crdsem.Definition, object map[string]any, v version,
) converted {
	c := converted{version: v}
	var out map[string]any
	served, err := def.Version(v.Name)
	if err == nil {
		read := served.Read(ctx, object)
		out, err = read.Object, read.Err()
	} else {
		out, err = def.Convert(ctx, object, def.Model().Group()+"/"+v.Name)
	}
	if errors.Is(err, crdsem.ErrNoWebhook) {
		err = errWebhookDecides
	}
	if err == nil {
		var text []byte
		text, err = yaml.Marshal(out)
		c.Text = string(text)
	}
	if err != nil {
		c.Error = err.Error()
	}
	return c
}

// errWebhookDecides is the error of a version that only a webhook converts to.
var errWebhookDecides = errors.New("a conversion webhook decides, which the page does not ask")

// errNoDefinition is the error of an object whose definition is not given, or
// cannot be compiled.
var errNoDefinition = errors.New("no definition of the object's group and kind can be compiled")

// definitionOf returns the definition of an object's group and kind. Of several
// ones it is the last, as for verdicts.
func (c *checkedText) definitionOf(object map[string]any) (*crdsem.Definition, error) {
	c.compiled()
	compiled, err := c.kinds.Of(object)
	if err != nil {
		return nil, errNoDefinition
	}
	return compiled, nil
}
