package cel_test

import (
	"fmt"
	"net/netip"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"github.com/blang/semver/v4"

	"github.com/crdsem/crdsem/celrules/internal/cel"
	"github.com/crdsem/crdsem/internal/base/quantity"
	"github.com/crdsem/crdsem/internal/belowfacade/library"
)

func parsed(text string) *quantity.Quantity {
	q, err := quantity.Parse(text)
	if err != nil {
		panic(err)
	}
	return &q
}

// valueCase has a value, an equal one and another one.
type valueCase struct {
	value, equal, other ref.Val
	ofType              ref.Type
	text                string // what it converts to natively, if it does
	name                string // how it shows in errors
}

// values has a case of each type.
var values = []valueCase{
	{
		cel.URL{URL: &url.URL{Path: "/a"}},
		cel.URL{URL: &url.URL{Path: "/a"}},
		cel.URL{URL: &url.URL{Path: "/b"}},
		cel.URLType, "/a", "cel.URL",
	},
	{
		cel.Quantity{Quantity: parsed("1500m")},
		cel.Quantity{Quantity: parsed("1.5")},
		cel.Quantity{Quantity: parsed("2")},
		cel.QuantityType, "1500m", "cel.Quantity",
	},
	{
		cel.Semver{Version: semver.MustParse("1.2.3+a")},
		cel.Semver{Version: semver.MustParse("1.2.3+b")},
		cel.Semver{Version: semver.MustParse("1.2.4")},
		cel.SemverType, "1.2.3+a", "cel.Semver",
	},
	{
		cel.IP{Addr: netip.MustParseAddr("::1")},
		cel.IP{Addr: netip.MustParseAddr("0::1")},
		cel.IP{Addr: netip.MustParseAddr("::2")},
		cel.IPType, "::1", "cel.IP",
	},
	{
		cel.CIDR{Prefix: netip.MustParsePrefix("10.0.0.0/8")},
		cel.CIDR{Prefix: netip.MustParsePrefix("10.0.0.0/8")},
		cel.CIDR{Prefix: netip.MustParsePrefix("10.0.0.1/8")},
		cel.CIDRType, "10.0.0.0/8", "cel.CIDR",
	},
	{
		cel.Format{NamedFormat: library.NamedFormats()[0]},
		cel.Format{NamedFormat: library.NamedFormats()[0]},
		cel.Format{NamedFormat: library.NamedFormats()[1]},
		cel.FormatType, "", "cel.Format",
	},
}

// TestValues compares and converts a value of each type.
func TestValues(t *testing.T) {
	for _, v := range values {
		t.Run(v.name, func(t *testing.T) {
			if got := fmt.Sprintf("%T", v.value); got != v.name {
				t.Errorf("shows as %s", got)
			}
			if v.value.Type() != v.ofType ||
				v.value.ConvertToType(types.TypeType).Equal(v.ofType.(ref.Val)) != types.True {
				t.Errorf("type %v", v.value.Type())
			}
			if v.value.Equal(v.equal) != types.True || v.value.Equal(v.other) != types.False {
				t.Error("equality")
			}
			if got := v.value.Equal(types.String(v.text)); got.Type() != types.ErrType ||
				got.(*types.Err).Error() != "no such overload" {
				t.Errorf("compared with a string: %v", got)
			}
			if got := v.value.ConvertToType(v.ofType); got.Equal(v.value) != types.True {
				t.Errorf("converted to its own type: %v", got)
			}
			want := "type conversion error from '" + v.ofType.TypeName() + "' to 'int'"
			if got := v.value.ConvertToType(types.IntType); fmt.Sprint(got) != want {
				t.Errorf("converted to int: %v", got)
			}
			v.native(t)
		})
	}
}

// native tests the conversion to Go values.
func (v *valueCase) native(t *testing.T) {
	text, err := v.value.ConvertToNative(reflect.TypeFor[string]())
	if v.text == "" != (err != nil) || err == nil && text != v.text {
		t.Errorf("text %v, %v", text, err)
	}
	if v.text != "" {
		same, err := v.value.ConvertToNative(reflect.TypeOf(v.value.Value()))
		if err != nil || !reflect.DeepEqual(same, v.value.Value()) {
			t.Errorf("its own value: %v, %v", same, err)
		}
	}
	want := "type conversion error from '" + strings.TrimPrefix(v.name, "cel.") + "' to 'int'"
	if got, err := v.value.ConvertToNative(reflect.TypeFor[int]()); got != nil ||
		fmt.Sprint(err) != want {
		t.Errorf("converted to int: %v, %v", got, err)
	}
}

// A check is nothing but its type, and has no value.
func TestChecks(t *testing.T) {
	const none = "no such overload"
	for _, of := range []*types.Type{cel.AuthorizerType, cel.DecisionType} {
		c := cel.NewCheck(of)
		if c.Type() != of || c.ConvertToType(of) != ref.Val(c) ||
			c.ConvertToType(types.TypeType) != ref.Val(of) {
			t.Errorf("%s: its type is %v", of, c.Type())
		}
		want := "type conversion error from '" + of.TypeName() + "' to 'int'"
		if got := fmt.Sprint(c.ConvertToType(types.IntType)); got != want {
			t.Errorf("converted to int: %s", got)
		}
		if v, err := c.ConvertToNative(reflect.TypeFor[int]()); v != nil ||
			fmt.Sprint(err) != want {
			t.Errorf("converted to Go: %v, %v", v, err)
		}
		if fmt.Sprint(c.Equal(c)) != none || fmt.Sprint(c.Value()) != none {
			t.Errorf("compared: %v, value: %v", c.Equal(c), c.Value())
		}
	}
}

// TestSizes compares sizes in bytes, by which costs are charged (COST-112).
func TestSizes(t *testing.T) {
	for prefix, want := range map[string]types.Int{
		"10.0.0.0/8": 1, "10.0.0.0/9": 2, "0.0.0.0/0": 0, "2001:db8::/33": 5, "::/128": 16,
	} {
		if got := (cel.CIDR{Prefix: netip.MustParsePrefix(prefix)}).Size(); got != want {
			t.Errorf("%s: %v", prefix, got)
		}
	}
	for addr, want := range map[string]types.Int{"1.2.3.4": 4, "::1": 16} {
		if got := (cel.IP{Addr: netip.MustParseAddr(addr)}).Size(); got != want {
			t.Errorf("%s: %v", addr, got)
		}
	}
}

// TestComputedQuantity compares a pointer, which equals nothing on the right
// (LIB-044).
func TestComputedQuantity(t *testing.T) {
	literal := cel.Quantity{Quantity: parsed("2")}
	computed := &cel.Quantity{Quantity: parsed("2")}
	if computed.Equal(literal) != types.True {
		t.Error("on the left")
	}
	if got := literal.Equal(computed); got.Type() != types.ErrType {
		t.Errorf("on the right: %v", got)
	}
}

// Addresses and prefixes convert to strings in CEL, other types do not.
func TestConvertToString(t *testing.T) {
	for _, v := range values {
		got := v.value.ConvertToType(types.StringType)
		switch v.value.(type) {
		case cel.IP, cel.CIDR:
			if got.Equal(types.String(v.text)) != types.True {
				t.Errorf("%s becomes %v, want %q", v.name, got, v.text)
			}
		default:
			if got.Type() != types.ErrType {
				t.Errorf("%s becomes %v, want an error", v.name, got)
			}
		}
	}
}
