package x509

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"errors"
	"math/big"
	"strings"
)

// parsePoint returns the key of a point on a curve. Its errors are those that
// servers get from crypto/ecdsa, whose arithmetic for signatures would be
// linked.
func parsePoint(curve elliptic.Curve, data []byte) (*ecdsa.PublicKey, error) {
	if len(data) < 1 || data[0] != 4 {
		return nil, errors.New("ecdsa: invalid uncompressed public key")
	}
	params := curve.Params()
	name := strings.ReplaceAll(params.Name, "-", "")
	size := (params.BitSize + 7) / 8
	if len(data) != 1+2*size {
		return nil, errors.New("invalid " + name + " point encoding")
	}
	x := new(big.Int).SetBytes(data[1 : 1+size])
	y := new(big.Int).SetBytes(data[1+size:])
	if x.Cmp(params.P) >= 0 || y.Cmp(params.P) >= 0 {
		element := "Element"
		if name == "P256" {
			element = " element" // the curve that servers have in assembly
		}
		return nil, errors.New("invalid " + name + element + " encoding")
	}
	if !isOnCurve(params, x, y) {
		return nil, errors.New(name + " point not on curve")
	}
	return &ecdsa.PublicKey{Curve: curve, X: x, Y: y}, nil
}

// isOnCurve reports whether y² = x³ - 3x + b.
func isOnCurve(params *elliptic.CurveParams, x, y *big.Int) bool {
	difference := new(big.Int).Mul(x, x)
	difference.Sub(difference, big.NewInt(3))
	difference.Mul(difference, x)
	difference.Add(difference, params.B)
	difference.Sub(difference, new(big.Int).Mul(y, y))
	return difference.Mod(difference, params.P).Sign() == 0
}
