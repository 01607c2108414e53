package env

import "github.com/crdsem/crdsem/celrules/library"

// Build builds a base environment anew, for measuring that.
func Build(v library.Version, kind library.Expressions) error {
	_, err := newEnv(v, kind)
	return err
}
