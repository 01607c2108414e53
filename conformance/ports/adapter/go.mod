module github.com/crdsem/crdsem/conformance/ports/adapter

go 1.24
