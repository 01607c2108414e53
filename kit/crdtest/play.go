package crdtest

import (
	"context"
	"errors"
	"fmt"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/kit/catalog/kinds"
)

// play is one run of one case. The body of every step goes through the
// definition, and what is admitted is stored for the next step.
type play struct {
	server *server
	suite  *Suite
	stored map[string]any
	// watch is called after each step that has an object; it may be nil.
	watch func(*Exchange)
}

// skipped is the error of a case that is not run.
type skipped struct{ error }

// run runs a case. The error says where it is not as stated.
func (p *play) run(ctx context.Context, c *Case) error {
	if err := p.start(c); err != nil {
		return err
	}
	for i := range c.Steps {
		step := &c.Steps[i]
		if err := p.step(ctx, step); err != nil {
			return c.placed(p.suite, step, err)
		}
	}
	return nil
}

// step runs one step and compares its outcome with what it states.
func (p *play) step(ctx context.Context, s *Step) error {
	done, err := p.request(ctx, s)
	if err != nil {
		return err
	}
	return done.compare(&s.Want)
}

// outcome is the outcome of a step.
type outcome struct {
	result *crdsem.Result
	err    error          // the refusal by the server
	object map[string]any // what a client reads after the step
}

// request runs one step. The error is one of the step itself, not a refusal.
func (p *play) request(ctx context.Context, s *Step) (*outcome, error) {
	if s.Verb == Read {
		return p.read(ctx, s)
	}
	body, err := p.body(s)
	if err != nil {
		return nil, err
	}
	t, err := typeOf(body)
	if err != nil {
		return nil, err
	}
	of, err := p.served(t, s)
	if err != nil {
		return nil, err
	}
	v, err := of.version(t.Version)
	if err != nil {
		return nil, err
	}
	seen := &Exchange{CRD: of.crd, Version: v, Verb: s.Verb}
	watched := p.watch != nil && len(s.CRDPatches) == 0
	if watched && s.Verb != Create {
		seen.Old = v.Read(ctx, p.stored).Object
	}
	seen.Result, err = p.send(ctx, v, s.Verb, body)
	if err != nil {
		return nil, err
	}
	if watched {
		p.watch(seen)
	}
	return p.finish(ctx, seen)
}

// served returns the definition of a kind for a step. Without one the case is
// skipped, unless its suite names the definitions that it needs.
func (p *play) served(of kinds.Type, s *Step) (*served, error) {
	found, err := p.server.find(of)
	unknown, isUnknown := errors.AsType[*kinds.UnknownKindError](err)
	if isUnknown && (unknown.BuiltIn || !p.suite.namesDefinitions()) {
		return nil, skipped{err}
	}
	if err != nil {
		return nil, err
	}
	return p.server.patched(found, s.CRDPatches)
}

// send sends the body of a step.
func (p *play) send(
	ctx context.Context, v *crdsem.Version, verb Verb, body map[string]any,
) (*crdsem.Result, error) {
	level := p.suite.FieldValidation
	if verb != Create && p.stored == nil {
		return nil, fmt.Errorf("nothing is stored: create an object first, or state what is stored")
	}
	request := crdsem.Request{Object: body, Old: p.stored, FieldValidation: level}
	switch verb {
	case Create:
		request.Old = nil
		return v.Do(ctx, request), nil
	case UpdateStatus:
		request.Subresource = crdsem.SubresourceStatus
		return v.Do(ctx, request), nil
	case Update:
		return v.Do(ctx, request), nil
	}
	return nil, fmt.Errorf("unknown verb %q: want one of %v", verb,
		[]Verb{Create, Update, UpdateStatus, Read})
}

// finish stores what was admitted and reads it again.
func (p *play) finish(ctx context.Context, seen *Exchange) (*outcome, error) {
	out, err := answerOf(ctx, seen.Result)
	if err != nil || out.err != nil {
		return out, err
	}
	written := seen.Version.Write(ctx, seen.Result.Object)
	if err := written.Stored.Err(); err != nil {
		return nil, fmt.Errorf("the object cannot be stored: %w", err)
	}
	p.stored, out.object = written.Stored.Object, written.Answer.Object
	return out, nil
}

// read runs a step that reads.
func (p *play) read(ctx context.Context, s *Step) (*outcome, error) {
	if p.stored == nil {
		return nil, fmt.Errorf("nothing is stored: create an object first, or state what is stored")
	}
	t, err := typeOf(p.stored)
	if err != nil {
		return nil, err
	}
	of, err := p.served(t, s)
	if err != nil {
		return nil, err
	}
	v, err := of.version(s.Version)
	if err != nil {
		return nil, err
	}
	return answerOf(ctx, v.Read(ctx, p.stored))
}

// answerOf returns the outcome of a request. The error is one that no server
// gives, see [crdsem.Result.Err]: it says nothing about the definition, and no
// case can want it.
func answerOf(ctx context.Context, res *crdsem.Result) (*outcome, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	err := res.Err()
	if err != nil && !isServers(err) {
		return nil, fmt.Errorf("a server would not answer this: %w", err)
	}
	return &outcome{result: res, err: err, object: res.Object}, nil
}

// isServers reports whether an error of a result is a server's answer, or has a
// server's text.
func isServers(err error) bool {
	switch err.(type) {
	case *crdsem.StoredError, *crdsem.ValueError, *crdsem.LimitError, *crdsem.OptionError:
		return false
	}
	return !errors.Is(err, crdsem.ErrNoWebhook)
}
