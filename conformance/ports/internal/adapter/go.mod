module github.com/crdsem/crdsem/conformance/ports/internal/adapter

go 1.24
