// Package rsa has no self-tests of FIPS mode here: see build/lean.js.
package rsa

func fipsSelfTest() {}
