package engine

import (
	"errors"
	"fmt"

	"github.com/crdsem/crdsem/kit/builtin"
	"github.com/crdsem/crdsem/kit/manifest"
)

// readOpenAPI makes the kinds of the OpenAPI documents known that --openapi
// names. A path without one is an error.
func (e *Engine) readOpenAPI(std Streams) error {
	for _, path := range e.OpenAPI {
		sources := manifest.Find([]string{path}, std.In)
		found := 0
		for o, err := range manifest.Objects(sources) {
			switch {
			case errors.Is(err, manifest.ErrEmpty):
				continue
			case err == nil && builtin.IsOpenAPI(o.Content):
				found++
				err = e.addOpenAPI(o.File, o.Content)
			}
			if err != nil {
				closeSources(sources)
				return fmt.Errorf("--openapi: %w", err)
			}
		}
		closeSources(sources)
		if found == 0 {
			return fmt.Errorf("--openapi: %s: no OpenAPI v3 document", path)
		}
	}
	return nil
}

// addOpenAPI makes the kinds of a document known.
func (e *Engine) addOpenAPI(file string, document map[string]any) error {
	if _, err := e.panel.AddOpenAPI(document); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}
