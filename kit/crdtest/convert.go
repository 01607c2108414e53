package crdtest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/conversion"
)

// roundTripLoss is a difference after an object came back from a version.
type roundTripLoss struct {
	through string
	conversion.Loss
}

// String describes the loss in one line.
func (l roundTripLoss) String() string { return "through " + l.through + ": " + l.Loss.String() }

// convert runs a step that converts.
func (p *play) convert(ctx context.Context, s *Step) (*outcome, error) {
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
	own, err := of.version(t.Version)
	if err != nil {
		return nil, err
	}
	for name := range s.Want.Versions {
		if _, err := of.version(name); err != nil {
			return nil, err
		}
	}
	start := own.Read(ctx, body)
	out, err := answerOf(ctx, start)
	if err != nil || out.err != nil {
		return out, err
	}
	out.versions = map[string]map[string]any{}
	var refused []error
	for _, model := range of.def.Model().Versions() {
		if !model.Served || model.Name == own.Name() {
			continue
		}
		other, err := of.version(model.Name)
		if err != nil {
			return nil, err
		}
		if err := out.roundTrip(ctx, own, other, start.Object); errors.Is(err,
			crdsem.ErrNoWebhook) {
			return nil, explained(err)
		} else if err != nil {
			refused = append(refused, err)
		}
	}
	out.err = errors.Join(refused...)
	return out, ctx.Err()
}

// roundTrip takes an object to the clients of another version and back. The
// error says what a server refuses on the way.
func (o *outcome) roundTrip(
	ctx context.Context, own, other *crdsem.Version, object map[string]any,
) error {
	there, err := passed(ctx, object, own.Definition().Store, other.Read)
	if err != nil {
		return fmt.Errorf("converting %s to %s: %w", own.Name(), other.Name(), err)
	}
	o.versions[other.Name()] = there
	refused := other.Create(ctx, there).Err()
	if refused != nil {
		refused = fmt.Errorf("%s would refuse the object: %w", other.Name(), refused)
	}
	back, err := passed(ctx, there, own.Definition().Store, own.Read)
	if err != nil {
		return errors.Join(refused,
			fmt.Errorf("converting %s back to %s: %w", other.Name(), own.Name(), err))
	}
	for _, loss := range conversion.Compare(object, back) {
		o.losses = append(o.losses, roundTripLoss{other.Name(), loss})
	}
	return refused
}

// passed takes an object through stations of a server.
func passed(
	ctx context.Context, object map[string]any,
	stations ...func(context.Context, map[string]any) *crdsem.Result,
) (map[string]any, error) {
	for _, station := range stations {
		result := station(ctx, object)
		if err := result.Err(); err != nil {
			return nil, err
		}
		object = result.Object
	}
	return object, nil
}

// compareConverted compares what other versions read, and what is lost.
func (o *outcome) compareConverted(want *Want) error {
	var problems []error
	for _, name := range slices.Sorted(maps.Keys(want.Versions)) {
		stated, err := encoded(want.Versions[name])
		if err != nil {
			return fmt.Errorf("the stated object of %s: %w", name, err)
		}
		stated = typedLike(stated, o.versions[name])
		got := forComparison(o.versions[name], stated)
		if diff := diffOf(forComparison(stated, stated), got); diff != "" {
			problems = append(problems, fmt.Errorf("%s (-want +got):\n%s", name, diff))
		}
	}
	for _, loss := range o.losses {
		if !mayLose(want.MayLose, loss.Path) {
			problems = append(problems, errors.New(loss.String()))
		}
	}
	return errors.Join(problems...)
}

// mayLose reports whether one of some fields is at a path or above it.
func mayLose(fields []string, path string) bool {
	return slices.ContainsFunc(fields, func(field string) bool {
		want, got := fieldSteps(field), fieldSteps(path)
		if len(want) > len(got) {
			return false
		}
		for i, step := range want {
			isItem := step == "[*]" && strings.HasPrefix(got[i], "[")
			if step != got[i] && step != "*" && !isItem {
				return false
			}
		}
		return true
	})
}

// fieldSteps splits a path, e.g. spec.ports[0].name into spec, ports, [0],
// name. A name in brackets may have dots.
func fieldSteps(path string) (steps []string) {
	for path != "" {
		if path[0] == '[' {
			end := strings.IndexByte(path, ']')
			if end < 0 {
				return append(steps, path)
			}
			steps, path = append(steps, path[:end+1]), path[end+1:]
			continue
		}
		path = strings.TrimPrefix(path, ".")
		end := strings.IndexAny(path, ".[")
		if end < 0 {
			return append(steps, path)
		}
		if end > 0 {
			steps = append(steps, path[:end])
		}
		path = path[end:]
		if path[0] == '.' && len(path) == 1 {
			return steps
		}
	}
	return steps
}
