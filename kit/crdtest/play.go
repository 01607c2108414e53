package crdtest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/merge/apply"
)

// play is one run of one case. The body of every step goes through the
// definition, and what is admitted is stored for the next step.
type play struct {
	server *server
	suite  *Suite
	stored map[string]any
	// tracks is set in a case with an apply: who manages which field counts.
	tracks bool
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
	// versions are what clients of other versions read of a converted object,
	// and losses what is lost on the way back.
	versions map[string]map[string]any
	losses   []roundTripLoss
}

// request runs one step. The error is one of the step itself, not a refusal.
func (p *play) request(ctx context.Context, s *Step) (*outcome, error) {
	switch s.Verb {
	case Read:
		return p.read(ctx, s)
	case Convert:
		return p.convert(ctx, s)
	}
	request, v, of, err := p.prepare(s)
	if err != nil {
		return nil, err
	}
	seen := &Exchange{CRD: of.crd, Version: v, Verb: s.Verb}
	watched := p.watch != nil && len(s.CRDPatches) == 0
	if watched && p.stored != nil && s.Verb != Create {
		seen.Old = v.Read(ctx, p.stored).Object
	}
	request.FieldValidation = p.suite.FieldValidation
	request.FieldManager, request.Force = s.manager(), s.Force
	seen.Result = v.Do(ctx, request)
	if watched {
		p.watch(seen)
	}
	return p.finish(ctx, request, seen)
}

// served returns the definition of a kind for a step. Without one the case is
// skipped, unless its suite names the definitions that it needs.
func (p *play) served(of manifest.Type, s *Step) (*served, error) {
	found, err := p.server.find(of)
	unknown, isUnknown := errors.AsType[*manifest.UnknownKindError](err)
	if isUnknown && (unknown.BuiltIn || !p.suite.namesDefinitions()) {
		return nil, skipped{err}
	}
	if err != nil {
		return nil, err
	}
	return p.server.patched(found, s.CRDPatches)
}

// maxBody is the number of bytes that a server takes as the body of a request.
const maxBody = 3 << 20

// errNothingStored is the error of a request that needs a stored object.
var errNothingStored = errors.New(
	"nothing is stored: create an object first, or state what is stored")

// prepare returns the request of a step and what it is sent to.
func (p *play) prepare(s *Step) (request crdsem.Request, v *crdsem.Version, of *served, err error) {
	request = crdsem.Request{Subresource: s.Verb.subresource(), Old: p.stored}
	if p.stored == nil && s.Verb != Create && s.Verb != Apply {
		return request, nil, nil, errNothingStored
	}
	typed := p.stored
	switch s.Verb {
	case SendPatch, PatchStatus:
		request.Verb = crdsem.VerbPatch
		request.Body, request.PatchType, err = patchBody(s.Object)
	case Create, Update, UpdateStatus, Apply, ApplyStatus:
		request.Object, err = p.body(s)
		typed = request.Object
		if text, _ := json.Marshal(typed); len(text) > maxBody {
			request.Object, request.Body = nil, text // refused by its size
		}
	default:
		err = fmt.Errorf("unknown verb %q: want one of %v", s.Verb, append(slices.Clone(verbs),
			Read))
	}
	switch {
	case s.Verb == Create:
		request.Old = nil
	case s.Verb.isApply():
		request.Verb = crdsem.VerbApply
	}
	if err != nil {
		return request, nil, nil, err
	}
	t, err := typeOf(typed)
	if err != nil {
		return request, nil, nil, err
	}
	if s.Verb.isPatch() && s.Version != "" {
		t.Version = s.Version
	}
	if of, err = p.served(t, s); err != nil {
		return request, nil, nil, err
	}
	v, err = of.version(t.Version)
	return request, v, of, err
}

// patchBody returns a patch as it is sent: a list is a JSON patch.
func patchBody(patch any) ([]byte, crdsem.PatchType, error) {
	language := crdsem.MergePatch
	if _, isList := patch.([]any); isList {
		language = crdsem.JSONPatch
	}
	text, err := json.Marshal(patch)
	return text, language, err
}

// manager returns the field manager of the step.
func (s *Step) manager() string { return cmp.Or(s.Manager, "crdtest") }

// finish stores what was admitted and reads it again.
func (p *play) finish(
	ctx context.Context, request crdsem.Request, seen *Exchange,
) (*outcome, error) {
	out, err := answerOf(ctx, seen.Result)
	if err != nil || out.err != nil {
		return out, err
	}
	admitted := seen.Result.Object
	if p.tracks && request.Verb != crdsem.VerbApply {
		tracked, err := apply.NewTracker(seen.Version).Track(ctx, request, admitted)
		if err != nil {
			return nil, err
		}
		admitted = tracked.Object
	}
	written := seen.Version.Write(ctx, admitted)
	if err := written.Stored.Err(); err != nil {
		err = fmt.Errorf("the object cannot be stored: %w", explained(err))
		if !isServers(written.Stored.Err()) || ctx.Err() != nil {
			return nil, err
		}
		return &outcome{result: seen.Result, err: err}, nil
	}
	p.stored, out.object = written.Stored.Object, written.Answer.Object
	return out, nil
}

// read runs a step that reads.
func (p *play) read(ctx context.Context, s *Step) (*outcome, error) {
	if p.stored == nil {
		return nil, errNothingStored
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
	switch {
	case errors.Is(err, crdsem.ErrNoWebhook):
		return nil, explained(err)
	case err != nil && !isServers(err):
		return nil, fmt.Errorf("a server would not answer this: %w", err)
	}
	return &outcome{result: res, err: err, object: res.Object}, nil
}

// undecided is the error of a step that a conversion webhook decides.
type undecided struct{ error }

// Error says what to do about it.
func (undecided) Error() string {
	return "not judged: a conversion webhook decides; --webhook URL asks it, " +
		"and in Go Suite.Webhook or an option of the definition"
}

// Unwrap returns the error of the conversion.
func (u undecided) Unwrap() error { return u.error }

// explained returns an error with what to do about it.
func explained(err error) error {
	if errors.Is(err, crdsem.ErrNoWebhook) {
		return undecided{err}
	}
	return err
}

// isServers reports whether an error of a result is a server's answer, or has a
// server's text. It is if a webhook does not convert what is stored.
func isServers(err error) bool {
	switch err.(type) {
	case *crdsem.StoredError:
		failed, ok := errors.AsType[*conversion.Error](err)
		return ok && failed.Rule != unknownVersion && !errors.Is(err, crdsem.ErrNoWebhook)
	case *crdsem.ValueError, *crdsem.LimitError, *crdsem.OptionError:
		return false
	}
	return !errors.Is(err, crdsem.ErrNoWebhook)
}

// unknownVersion is the rule about the versions that an object is converted
// from and to.
const unknownVersion = "CONV-003"
