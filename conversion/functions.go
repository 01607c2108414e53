package conversion

import (
	"context"
	"fmt"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowfacade/conversionreview"
)

// Function converts one object to a fixed version. The object is a copy that
// the function may change and return. The caller sets apiVersion afterwards,
// and kind or metadata if the result lacks them. Of metadata, only labels and
// annotations may change.
type Function func(ctx context.Context, object map[string]any) (map[string]any, error)

// Route is a function that converts from one apiVersion to another.
type Route struct {
	From, To string
	Convert  Function
}

// Spoke is a version with the functions that convert it to the hub and the hub
// to it.
type Spoke struct {
	APIVersion string
	ToHub      Function
	FromHub    Function
}

// Functions converts objects by plain functions. It implements
// [ObjectConverter] and [Webhook]; package conversion/webhook serves it over
// HTTPS. It is immutable, and safe for concurrent use if its functions are.
type Functions struct {
	routes map[direction]Function
	hub    string
}

// direction is the pair of apiVersions that a function converts between.
type direction struct{ from, to string }

// Pairwise returns Functions that convert along the given routes only. It
// returns an error if two routes have the same direction, or if one has no
// function.
func Pairwise(routes ...Route) (*Functions, error) {
	f := &Functions{routes: make(map[direction]Function, len(routes))}
	for _, r := range routes {
		if err := f.add(r); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// HubAndSpoke returns Functions that convert between the hub, an apiVersion,
// and each spoke, and from spoke to spoke through the hub. It returns an error
// if a spoke is given twice, is the hub, or lacks a function.
func HubAndSpoke(hub string, spokes ...Spoke) (*Functions, error) {
	f := &Functions{routes: make(map[direction]Function, 2*len(spokes)), hub: hub}
	for _, s := range spokes {
		if err := f.add(Route{From: s.APIVersion, To: hub, Convert: s.ToHub}); err != nil {
			return nil, err
		}
		if err := f.add(Route{From: hub, To: s.APIVersion, Convert: s.FromHub}); err != nil {
			return nil, err
		}
	}
	return f, nil
}

func (f *Functions) add(r Route) error {
	key := direction{r.From, r.To}
	switch {
	case r.From == r.To:
		return fmt.Errorf("a conversion from %s to itself", r.From)
	case r.Convert == nil:
		return fmt.Errorf("no function converts from %s to %s", r.From, r.To)
	case f.routes[key] != nil:
		return fmt.Errorf("two functions convert from %s to %s", r.From, r.To)
	}
	f.routes[key] = r.Convert
	return nil
}

// Convert converts a copy of one object to an apiVersion. An object of that
// apiVersion is returned itself. Errors are those of the functions and of the
// context, and the error that no function converts between the two versions.
func (f *Functions) Convert(
	ctx context.Context, object map[string]any, to string,
) (map[string]any, error) {
	from := stringAt(object, "apiVersion")
	if from == to {
		return object, nil
	}
	if err := jsonvalue.Check(object); err != nil {
		return nil, err
	}
	if f.routes[direction{from, to}] != nil {
		return f.step(ctx, object, to)
	}
	toHub, fromHub := f.routes[direction{from, f.hub}], f.routes[direction{f.hub, to}]
	if toHub == nil || fromHub == nil {
		return nil, fmt.Errorf("cannot convert %s to %s", from, to)
	}
	hub, err := f.step(ctx, object, f.hub)
	if err != nil {
		return nil, err
	}
	return f.step(ctx, hub, to)
}

// step runs one function on a copy of the object.
func (f *Functions) step(
	ctx context.Context, object map[string]any, to string,
) (map[string]any, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	from := stringAt(object, "apiVersion")
	out, err := f.routes[direction{from, to}](ctx, jsonvalue.DeepCopyMap(object))
	if err != nil {
		return nil, err
	}
	if out == nil {
		return nil, fmt.Errorf("the conversion from %s to %s returned no object", from, to)
	}
	out["apiVersion"] = to
	for _, name := range [...]string{"kind", "metadata"} {
		if _, found := out[name]; found {
			continue
		}
		if value, found := object[name]; found {
			out[name] = jsonvalue.DeepCopy(value)
		}
	}
	return out, nil
}

// Call answers a review of version v1 or v1beta1. If an object cannot be
// converted, the whole answer is a failure with the function's message. Call
// returns an error if the text is not such a review, or that of the context if
// it ends.
func (f *Functions) Call(ctx context.Context, text []byte) ([]byte, error) {
	r, err := conversionreview.DecodeRequest(text)
	if err != nil {
		return nil, err
	}
	response := &conversionreview.ConversionResponse{
		UID:              r.Request.UID,
		ConvertedObjects: make([]conversionreview.RawExtension, 0, len(r.Request.Objects)),
	}
	response.Result.Status = conversionreview.Success
	for i, object := range r.Request.Objects {
		converted, err := f.convertText(ctx, object, r.Request.DesiredAPIVersion)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			response.ConvertedObjects = response.ConvertedObjects[:0]
			response.Result = conversionreview.Status{
				Status:  conversionreview.Failure,
				Message: failureMessage(i, err),
			}
			break
		}
		response.ConvertedObjects = append(response.ConvertedObjects, converted)
	}
	return conversionreview.EncodeResponse(r.APIVersion, response)
}

// failureMessage returns the message of a failed answer. It is never empty, and
// names the index of the object unless it is the first.
func failureMessage(index int, err error) string {
	if message := err.Error(); index == 0 && message != "" {
		return message
	}
	return fmt.Sprintf("object %d: %v", index, err)
}

func (f *Functions) convertText(
	ctx context.Context, text conversionreview.RawExtension, to string,
) (conversionreview.RawExtension, error) {
	object, err := conversionreview.DecodeObject(text)
	if err != nil {
		return nil, err
	}
	converted, err := f.Convert(ctx, object, to)
	if err != nil {
		return nil, err
	}
	return conversionreview.EncodeObject(converted)
}
