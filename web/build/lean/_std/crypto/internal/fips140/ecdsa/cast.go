// Package ecdsa has no self-tests of FIPS mode here: see build/lean.js.
package ecdsa

func fipsPCT[P Point[P]](*Curve[P], *PrivateKey) {}

func fipsSelfTest() {}

func fipsSelfTestDeterministic() {}
