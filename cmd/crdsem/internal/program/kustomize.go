package program

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/crdsem/crdsem/internal/app/repository"
)

// kustomizeLimits bound kustomize. Bases at addresses are not loaded: git has
// no protocol, and HTTP no proxy that answers.
var kustomizeLimits = Limits{
	Time: 2 * time.Minute, Output: 256 << 20,
	Variables: []string{
		"GIT_ALLOW_PROTOCOL=none", "HTTPS_PROXY=http://127.0.0.1:1", "HTTP_PROXY=http://127.0.0.1:1",
		"https_proxy=http://127.0.0.1:1", "http_proxy=http://127.0.0.1:1", "NO_PROXY=", "no_proxy=",
	},
}

// Kustomize is a program that renders kustomizations: kustomize, or kubectl.
type Kustomize string

// Kustomization returns the file of a kustomization in a folder.
func Kustomization(folder string) (string, error) {
	for _, name := range repository.Kustomizations {
		path := filepath.Join(folder, name)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path, nil
		}
	}
	_, err := os.Stat(folder)
	if err == nil {
		err = errors.New("the folder has no kustomization.yaml")
	}
	return filepath.Join(folder, repository.Kustomizations[0]), err
}

// Render returns the objects of a folder's kustomization, and the folder that
// their annotations of origins are relative to; empty if there are none.
func (k Kustomize) Render(ctx context.Context, folder string) ([]byte, string, error) {
	above, err := os.MkdirTemp("", "crdsem-kustomize-")
	if err != nil {
		return nil, "", err
	}
	defer func() { _ = os.RemoveAll(above) }()
	if above, err := withOrigins(above, folder); err == nil {
		if text, err := k.build(ctx, above); err == nil {
			return text, above, nil
		}
	}
	text, err := k.build(ctx, folder) // its errors name no other folder
	return text, "", err
}

// withOrigins writes a kustomization that adds annotations of origins to what a
// folder's makes. It returns the real path of its folder.
func withOrigins(above, folder string) (string, error) {
	above, err := filepath.EvalSymlinks(above)
	if err != nil {
		return "", err
	}
	if folder, err = filepath.Abs(folder); err != nil {
		return "", err
	}
	if folder, err = filepath.EvalSymlinks(folder); err != nil {
		return "", err
	}
	name, err := filepath.Rel(above, folder)
	if err != nil {
		return "", err
	}
	text := fmt.Sprintf("resources: [%s]\nbuildMetadata: [originAnnotations]\n",
		strconv.Quote(filepath.ToSlash(name)))
	file := filepath.Join(above, repository.Kustomizations[0])
	return above, os.WriteFile(file, []byte(text), 0o600)
}

func (k Kustomize) build(ctx context.Context, folder string) ([]byte, error) {
	program := string(k)
	verb := "build"
	if name := filepath.Base(program); strings.TrimSuffix(name, ".exe") == "kubectl" {
		verb = "kustomize"
	}
	return kustomizeLimits.Run(ctx, program, verb, folder)
}
