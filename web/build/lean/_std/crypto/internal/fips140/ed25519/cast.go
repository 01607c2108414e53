// Package ed25519 has no self-tests of FIPS mode here: see build/lean.js.
package ed25519

func fipsPCT(*PrivateKey) {}

func fipsSelfTest() {}
