// Package ecdh has no self-tests of FIPS mode here: see build/lean.js.
package ecdh

func fipsSelfTest() {}
