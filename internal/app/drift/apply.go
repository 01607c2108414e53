package drift

import (
	"context"
	"fmt"
	"maps"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/prune"
	"github.com/crdsem/crdsem/structural"
)

// Applier says how a file is applied. The zero value is kubectl apply: what the
// last apply had and the file lacks is removed.
type Applier struct {
	// Manager is the field manager of a server-side apply, and Force makes it
	// take the fields of others.
	Manager string
	Force   bool
}

// Applied is what an apply of a file would do.
type Applied struct {
	// Before and After are what a client reads, without what a server fills in.
	// Before is nil if the object is created.
	Before, After map[string]any
	// Unknown are the fields of the file that its version does not declare, and
	// Lost those that the storage version does not.
	Unknown, Lost []string
}

// Dry applies an object to the live one, which may be nil, and stores nothing.
// The error is the server's, or wraps [crdsem.ErrNoWebhook].
func (a Applier) Dry(
	ctx context.Context, v *crdsem.Version, live, object map[string]any,
) (*Applied, error) {
	out := &Applied{}
	object = jsonvalue.DeepCopyMap(object)
	out.Unknown = structural.Paths(prune.Resource(object, v.Schema()))
	request, err := a.request(live, object)
	if err != nil {
		return nil, err
	}
	result := v.Do(ctx, request)
	if err := result.Err(); err != nil {
		return nil, err
	}
	written := v.Write(ctx, result.Object)
	if err := written.Err(); err != nil {
		return nil, err
	}
	out.Lost = written.Stored.Pruned
	out.After = Own(written.Answer.Object)
	if live == nil {
		return out, nil
	}
	read := v.Read(ctx, live)
	out.Before = Own(read.Object)
	return out, read.Err()
}

// request returns the request of an apply.
func (a Applier) request(
	live, object map[string]any,
) (crdsem.Request, error) {
	switch {
	case a.Manager != "":
		return crdsem.Request{
			Verb: crdsem.VerbApply, Object: object, Old: live, FieldManager: a.Manager,
			Force: a.Force,
		}, nil
	case live == nil:
		return crdsem.Request{Verb: crdsem.VerbCreate, Object: object}, nil
	}
	last, err := lastApplied(live)
	if err != nil {
		return crdsem.Request{}, err
	}
	patch := threeWay(last, object)
	for _, name := range []string{"apiVersion", "kind"} { // those of the request
		delete(patch, name)
	}
	body, err := jsonvalue.EncodeJSON(patch)
	return crdsem.Request{
		Verb: crdsem.VerbPatch, PatchType: crdsem.MergePatch, Body: body, Old: live,
	}, err
}

// lastAppliedKey is the annotation with the object of the last kubectl apply.
const lastAppliedKey = "kubectl.kubernetes.io/last-applied-configuration"

// lastApplied returns the object of the last kubectl apply, nil if it is not
// known.
func lastApplied(live map[string]any) (map[string]any, error) {
	text, _ := jsonvalue.At(live, "metadata", "annotations", lastAppliedKey).(string)
	if text == "" {
		return nil, nil
	}
	last, _, err := crdsem.JSON.Decode([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("annotation %s of the live object: %w", lastAppliedKey, err)
	}
	return last, nil
}

// threeWay returns the merge patch of kubectl apply: what the file has, and
// null for what the last apply had and the file lacks.
func threeWay(last, object map[string]any) map[string]any {
	patch := maps.Clone(object)
	if patch == nil {
		patch = map[string]any{}
	}
	for key, was := range last {
		is, has := object[key]
		wasMap, _ := was.(map[string]any)
		isMap, ok := is.(map[string]any)
		switch {
		case !has:
			patch[key] = nil
		case ok && wasMap != nil:
			patch[key] = threeWay(wasMap, isMap)
		}
	}
	return patch
}

// Own returns an object without what a server or kubectl fills in: parts of its
// metadata, and the annotation of kubectl apply. The argument is not changed.
func Own(object map[string]any) map[string]any {
	metadata, ok := object["metadata"].(map[string]any)
	if !ok {
		return object
	}
	object, metadata = maps.Clone(object), maps.Clone(metadata)
	object["metadata"] = metadata
	for _, name := range []string{
		"creationTimestamp", "generation", "managedFields", "resourceVersion", "selfLink", "uid",
	} {
		delete(metadata, name)
	}
	annotations, ok := metadata["annotations"].(map[string]any)
	if !ok {
		return object
	}
	annotations = maps.Clone(annotations)
	delete(annotations, lastAppliedKey)
	metadata["annotations"] = annotations
	if len(annotations) == 0 {
		delete(metadata, "annotations")
	}
	return object
}
