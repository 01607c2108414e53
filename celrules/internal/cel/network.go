package cel

import (
	"net/netip"
	"reflect"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

// IP is a CEL value of type net.IP. It is immutable.
type IP struct{ netip.Addr }

// ConvertToNative returns the address itself or its text.
func (a IP) ConvertToNative(target reflect.Type) (any, error) {
	return native("IP", a.Addr, a.Addr.String, target)
}

// ConvertToType returns the value, its type or its text.
func (a IP) ConvertToType(target ref.Type) ref.Val {
	if target == types.StringType {
		return types.String(a.String())
	}
	return conversion(a, IPType, target)
}

// Equal compares addresses.
func (a IP) Equal(other ref.Val) ref.Val {
	o, ok := other.(IP)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	return types.Bool(a.Addr == o.Addr)
}

// Type returns net.IP.
func (a IP) Type() ref.Type { return IPType }

// Value returns the address.
func (a IP) Value() any { return a.Addr }

// Size returns the number of bytes, 4 or 16, by which costs are charged
// (COST-112).
func (a IP) Size() ref.Val { return types.Int(bytesOf(a.BitLen())) }

// bytesOf returns how many bytes hold so many bits. A negative number is
// rounded towards zero, as on a server.
func bytesOf(bits int) int { return (bits + 7) / 8 }

// CIDR is a CEL value of type net.CIDR. It is immutable.
type CIDR struct{ netip.Prefix }

// ConvertToNative returns the prefix itself or its text.
func (n CIDR) ConvertToNative(target reflect.Type) (any, error) {
	return native("CIDR", n.Prefix, n.Prefix.String, target)
}

// ConvertToType returns the value, its type or its text.
func (n CIDR) ConvertToType(target ref.Type) ref.Val {
	if target == types.StringType {
		return types.String(n.String())
	}
	return conversion(n, CIDRType, target)
}

// Equal compares prefixes, host bits included.
func (n CIDR) Equal(other ref.Val) ref.Val {
	o, ok := other.(CIDR)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	return types.Bool(n.Prefix == o.Prefix)
}

// Type returns net.CIDR.
func (n CIDR) Type() ref.Type { return CIDRType }

// Value returns the prefix.
func (n CIDR) Value() any { return n.Prefix }

// Size returns the number of bytes of the prefix, by which costs are charged
// (COST-112).
func (n CIDR) Size() ref.Val { return types.Int(bytesOf(n.Bits())) }
