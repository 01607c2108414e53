package crdsem

import "context"

// Loaded is what became of a stored object beside a request: Alike tells that it was found to differ in metadata only, and Same that it does.
type Loaded struct {
	Object      map[string]any
	Alike, Same bool
}

// LoadBeside loads what is stored as an update does.
func LoadBeside(v *Version, object, stored map[string]any) (Loaded, error) {
	a, err := v.start(object, nil)
	if err != nil {
		a.decoded = decoded{}
	}
	out, err := v.def.loadBeside(context.Background(), stored, v, &a.decoded)
	return Loaded{out.object, out.asTwin, sameContent(a.object, out.object)}, err
}

// LoadStepByStep loads what is stored without any shortcut: checked, decoded, converted, decoded.
func LoadStepByStep(v *Version, stored map[string]any) (map[string]any, error) {
	if err := checkValues(stored); err != nil {
		return nil, err
	}
	out, err := v.def.coerce(stored, fromStorage)
	if err != nil {
		return nil, err
	}
	out, err = v.def.converted(context.Background(), out.object, v)
	return out.object, err
}
