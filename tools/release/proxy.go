package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// A Proxy is a folder in the layout of the module proxy's protocol.
type Proxy string

// Environment returns what makes go ask the folder first, and believe it. It
// asks other proxies next, and then those of the user.
func (p Proxy) Environment(others ...string) []string {
	all := append([]string{"file://" + filepath.ToSlash(string(p))}, others...)
	return []string{
		"GOPROXY=" + strings.Join(append(all, upstream()), ","), "GOWORK=off",
		"GONOSUMDB=" + root + "," + root + "/*", "GOPRIVATE=", "GONOPROXY=none",
	}
}

func upstream() string {
	if proxy := os.Getenv("GOPROXY"); proxy != "" {
		return proxy
	}
	return "https://proxy.golang.org,direct"
}

// Add packs a module as it is in the last commit of a repository.
func (p Proxy) Add(repository, folder string, m module.Version) error {
	path, err := module.EscapePath(m.Path)
	if err != nil {
		return err
	}
	at := filepath.Join(string(p), filepath.FromSlash(path), "@v")
	if err := os.MkdirAll(at, 0o755); err != nil {
		return err
	}
	info, err := json.Marshal(struct {
		Version string
		Time    time.Time
	}{m.Version, time.Now().UTC()})
	if err != nil {
		return err
	}
	mod, err := os.ReadFile(filepath.Join(repository, filepath.FromSlash(folder), "go.mod"))
	if err != nil {
		return err
	}
	for name, text := range map[string][]byte{
		"list": []byte(m.Version + "\n"), m.Version + ".info": info, m.Version + ".mod": mod,
	} {
		if err := os.WriteFile(filepath.Join(at, name), text, 0o644); err != nil {
			return err
		}
	}
	file, err := os.Create(filepath.Join(at, m.Version+".zip"))
	if err != nil {
		return err
	}
	if err := zip.CreateFromVCS(file, m, repository, "HEAD", folder); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}

// Zip returns the file of a module.
func (p Proxy) Zip(m module.Version) string {
	return filepath.Join(string(p), filepath.FromSlash(m.Path), "@v", m.Version+".zip")
}
