package cel_test

import (
	"fmt"
	"reflect"
	"testing"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/crdsem/crdsem/celrules/internal/cel"
)

// What mutations make converts as on a server.
func TestObject(t *testing.T) {
	own := types.NewObjectType("Object.spec")
	of := func(v any) ref.Val { return types.DefaultTypeAdapter.NativeToValue(v) }
	made := func(fields map[string]ref.Val) *cel.Object { return cel.NewObject(own, fields) }
	one := made(map[string]ref.Val{"a": of("x"), "l": of([]any{1, nil})})
	if one.ConvertToType(own) != ref.Val(one) || one.Type() != own || one.Value() != any(one) {
		t.Error("its own type")
	}
	if got := one.ConvertToType(types.TypeType); got.(*types.Type).Parameters()[0] != own {
		t.Errorf("its type is %v", got)
	}
	const into = "unsupported conversion into int"
	if got := fmt.Sprint(one.ConvertToType(types.IntType)); got != into {
		t.Error(got)
	}
	if one.IsZeroValue() || !made(nil).IsZeroValue() ||
		made(map[string]ref.Val{"a": of("")}).IsZeroValue() {
		t.Error("zero values")
	}
	other := cel.NewObject(cel.ObjectType, map[string]ref.Val{"a": of("x")})
	few := made(map[string]ref.Val{"a": of("x")})
	for peer, want := range map[ref.Val]ref.Val{
		few: types.True, made(map[string]ref.Val{"a": of("x")}): types.True,
		other: types.False, one: types.False, types.IntOne: types.False,
	} {
		if few.Equal(peer) != want {
			t.Errorf("equal to %v", peer)
		}
	}
	named := made(map[string]ref.Val{
		"a": other, "l": of([]any{few, other}), "m": of(map[string]any{"k": other}),
	})
	text := ""
	for _, e := range [][2]string{
		{"Object", "a"}, {"Object.spec", "l"}, {"Object", "l"}, {"Object", "m"},
	} {
		text += "\nunexpected type name \"" + e[0] + "\", expected \"Object.spec." + e[1] +
			"\", which matches field name path from root Object type"
	}
	if err := named.CheckNames(); err == nil || "\n"+err.Error() != text {
		t.Error(err)
	}
	if few.CheckNames() != nil {
		t.Error("names")
	}
	for name, want := range map[string]bool{
		"Object": true, "Object.a": true, "Objects": false, "JSONPatch": false, "": false,
	} {
		if cel.IsObject(name) != want {
			t.Errorf("IsObject(%s)", name)
		}
	}
}

// Go values of an object are those of a server, which leaves some as CEL has
// them. What it has in protobuf is in the file of package environment.
func TestObjectNative(t *testing.T) {
	of := func(v any) ref.Val { return types.DefaultTypeAdapter.NativeToValue(v) }
	written := func(items ...ref.Val) ref.Val {
		return types.NewRefValList(types.DefaultTypeAdapter, items)
	}
	made := func(v ref.Val) *cel.Object {
		return cel.NewObject(cel.ObjectType, map[string]ref.Val{"f": v})
	}
	bad := of(map[int]int{1: 2})
	const text = `map key '\x01' is of type types.Int, not string`
	for want, o := range map[string]*cel.Object{
		"map[f:x] <nil>": made(of("x")), "map[f:NULL_VALUE] <nil>": made(types.NullValue),
		"map[f:map[f:[true map[k:1.5]]]] <nil>": made(made(of([]any{true, map[string]any{"k": 1.5}}))),
		"map[f:[map[f:y] map[m:[z]]]] <nil>": made(of([]any{
			made(of("y")), map[string]any{"m": []string{"z"}},
		})),
		"map[f:[map[f:y] [1]]] <nil>":                          made(written(made(of("y")), written(of(1)))),
		`map[] fail to convert field "f": ` + text:             made(of([]any{1, bad})),
		`map[f:fail to convert field "f": ` + text + `] <nil>`: made(made(bad)),
	} {
		got, err := o.Native()
		if fmt.Sprint(got, " ", err) != want {
			t.Errorf("%v %v, want %s", got, err, want)
		}
	}
	for _, within := range []any{[]any{bad}, map[string]any{"m": bad}} {
		v, err := made(of(within)).ConvertToNative(reflect.TypeFor[*structpb.Value]())
		if v != nil || fmt.Sprint(err) != `fail to convert field "f": `+text {
			t.Errorf("as protobuf: %v, %v", v, err)
		}
	}
	none := made(of([]any{cel.IP{}}))
	if _, err := none.ConvertToNative(reflect.TypeFor[*structpb.Value]()); err == nil {
		t.Error("an address as protobuf")
	}
	if _, err := none.ConvertToNative(reflect.TypeFor[string]()); err == nil ||
		err.Error() != "unable to convert to string" {
		t.Error(err)
	}
}

// A field of an object that is not set is null.
func TestObjectField(t *testing.T) {
	of := func(v any) ref.Val { return types.DefaultTypeAdapter.NativeToValue(v) }
	object := cel.NewObject(cel.ObjectType, map[string]ref.Val{"a": of("x")})
	for name, want := range map[string]string{"a": "true x <nil>", "b": "false <nil> <nil>"} {
		f := cel.ObjectField(name)
		v, err := f.GetFrom(object)
		got := fmt.Sprint(f.IsSet(object), " ", v, " ", err)
		if got != want || f.Type != types.DynType {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		odd := cel.NewObject(cel.ObjectType, map[string]ref.Val{
			"a": of("x"), "z": of([]any{map[int]int{1: 2}}),
		})
		for _, from := range []any{"x", odd} {
			if v, err := f.GetFrom(from); f.IsSet(from) || v != nil || err == nil ||
				err.Error() != fmt.Sprintf("cannot get field %q", name) {
				t.Errorf("%s of %v: %v, %v", name, from, v, err)
			}
		}
	}
}

// An operation of a patch converts to its own type only.
func TestPatch(t *testing.T) {
	patch := &cel.Patch{Op: "add"}
	const into = "unsupported type: int"
	if patch.ConvertToType(cel.PatchType) != ref.Val(patch) || patch.Type() != cel.PatchType ||
		patch.Value() != any(patch) || fmt.Sprint(patch.ConvertToType(types.IntType)) != into {
		t.Error("its own type")
	}
	got := patch.ConvertToType(types.TypeType).(*types.Type)
	if got.Parameters()[0] != cel.PatchType {
		t.Errorf("its type is %v", got)
	}
	if v, err := patch.ConvertToNative(reflect.TypeFor[string]()); v != nil || err == nil ||
		err.Error() != "cannot convert to native type: string" {
		t.Errorf("%v, %v", v, err)
	}
	for _, index := range []ref.Val{types.IntOne, types.String("x")} {
		got := fmt.Sprint(patch.Get(index))
		if got != fmt.Sprintf("unsupported indexer: %s", index) {
			t.Error(got)
		}
		got = fmt.Sprint(patch.IsSet(index))
		if got != fmt.Sprintf("unsupported field: %s", index) {
			t.Error(got)
		}
	}
}
