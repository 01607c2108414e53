package evaluator

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/structural"
)

// kubernetes returns the Kubernetes minors that the library knows.
func kubernetes() []string {
	var list []string
	for _, m := range minors.All() {
		list = append(list, m.String())
	}
	return list
}

// minorOf returns the minor that a request asks for, whose minor is known.
func minorOf(req *protocol.Request) minors.Minor {
	if m, err := minors.Parse(req.Kubernetes); err == nil {
		return m
	}
	return minors.Newest()
}

// Hello returns the line by which this implementation introduces itself without
// the writes.
func Hello() *protocol.Hello {
	return &protocol.Hello{
		Name:       "crdsem",
		Version:    version(),
		Kubernetes: kubernetes(),
		Ops:        slices.DeleteFunc(append(protocol.Ops(), protocol.OpDefine), isWrite),
	}
}

// module is the path of the module that this package is in.
const module = "github.com/crdsem/crdsem"

func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return unversioned
	}
	return versionIn(info)
}

// unversioned is the version of a program that was not built from a released
// module.
const unversioned = "(devel)"

// versionIn returns the version of this module in a program, as the Go
// toolchain recorded it. In a program of this repository that was built in its
// workspace, this module has none, and that of the program is of the same
// commit.
func versionIn(info *debug.BuildInfo) string {
	for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
		if m.Path == module && m.Replace == nil && m.Version != "" && m.Version != unversioned {
			return m.Version
		}
	}
	if strings.HasPrefix(info.Main.Path, module+"/") && info.Main.Version != "" {
		return info.Main.Version
	}
	return unversioned
}

type operation func(ctx context.Context, req *protocol.Request) (protocol.Result, error)

// evaluator answers requests. It keeps definitions that requests repeat.
type evaluator struct {
	definitions *definitions
	managers    Managers
	writes      map[string]operation // nil if the program answers no writes
}

// New returns a handler that answers every op with this library, except the
// writes, which package whole has. Definitions that requests repeat are
// compiled once, as long as there is room for them.
func New() protocol.Handler {
	e := &evaluator{definitions: newDefinitions()}
	return e.handle
}

// Whole is like [New], and answers the writes, too. It is a function of its
// own, so that a program without writes does not link them.
func Whole(managers Managers) protocol.Handler {
	e := &evaluator{definitions: newDefinitions(), managers: managers}
	e.definitions.options = append(e.definitions.options, managers.Server)
	e.writes = map[string]operation{
		protocol.OpUpdate: e.written, protocol.OpStatus: e.written, protocol.OpPatch: e.written,
		protocol.OpApply: e.written, protocol.OpScale: e.scaled,
	}
	return e.handle
}

// isWrite reports whether an op is one of the writes.
func isWrite(op string) bool {
	return slices.Contains([]string{protocol.OpUpdate, protocol.OpStatus, protocol.OpPatch,
		protocol.OpApply, protocol.OpScale}, op)
}

func (e *evaluator) handle(ctx context.Context, req *protocol.Request) (protocol.Result, error) {
	if err := req.CheckKubernetes(kubernetes()); err != nil {
		return nil, err
	}
	op, err := e.operationOf(req.Op)
	if err != nil {
		return nil, err
	}
	result, err := op(ctx, req)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx) // what was found is not all
	}
	return result, err
}

func (e *evaluator) operationOf(name string) (operation, error) {
	switch name {
	case protocol.OpStructural:
		return structuralRules, nil
	case protocol.OpPrune:
		return pruned, nil
	case protocol.OpDefault:
		return defaulted, nil
	case protocol.OpValidate:
		return validated, nil
	case protocol.OpCEL:
		return evaluated, nil
	case protocol.OpCost:
		return estimated, nil
	case protocol.OpCRD:
		return e.definitionRules, nil
	case protocol.OpAdmit:
		return e.admitted, nil
	case protocol.OpConvert:
		return e.converted, nil
	case protocol.OpSort:
		return sorted, nil
	case protocol.OpTable:
		return e.tabled, nil
	case protocol.OpStore:
		return e.stored, nil
	case protocol.OpRead:
		return e.read, nil
	}
	if write := e.writes[name]; write != nil {
		return write, nil
	}
	if isWrite(name) {
		return nil, fmt.Errorf("this program does not answer op %q", name)
	}
	return nil, fmt.Errorf("unknown op %q", name)
}

// decode reads a document that is any JSON or YAML value.
func decode(name string, in protocol.Input) (any, error) {
	data, format := in.Document()
	decoder := jsonvalue.DecodeYAML
	if format == protocol.JSON {
		decoder = jsonvalue.DecodeJSON
	}
	value, _, err := decoder(data)
	if err != nil {
		return nil, fmt.Errorf("%s does not decode: %w", name, err)
	}
	return value, nil
}

// decodeMap reads a document that must be an object.
func decodeMap(name string, in protocol.Input) (map[string]any, error) {
	value, err := decode(name, in)
	if err != nil {
		return nil, err
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%s is not an object but %s", name, jsonvalue.KindOf(value))
	}
	return object, nil
}

// pseudoError returns the answer to a document that cannot be judged: one error
// without a field.
func pseudoError(kind string, err error) []protocol.FieldError {
	return []protocol.FieldError{{
		Type: kind, Detail: err.Error(), Text: err.Error(), Rule: ruleOf(err),
	}}
}

// ruleOf returns the id of the rule that an input breaks, empty if it is not
// known.
func ruleOf(err error) string {
	if e, ok := errors.AsType[*crdsem.StatusError](err); ok {
		return e.Rule
	}
	if e, ok := errors.AsType[*conversion.Error](err); ok {
		return e.Rule
	}
	if e, ok := errors.AsType[*structural.DecodeError](err); ok {
		return e.Rule
	}
	if e, ok := errors.AsType[*structural.ConversionError](err); ok {
		return e.Rule
	}
	if e, ok := errors.AsType[*definition.DecodeError](err); ok {
		return e.Rule
	}
	return ""
}
