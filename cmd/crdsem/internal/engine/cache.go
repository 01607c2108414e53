package engine

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/kit/manifest"
)

// cache knows definitions that were checked and accepted before, by the SHA-256
// of their files. They are not checked again, and decoded only if there is an
// object of their kind. The nil cache knows none.
//
// The file is in the cache folder of the user. What it says holds for one build
// of the program and for the same minors, which its name and its content say;
// a sum tells whether it was damaged.
type cache struct {
	path, key string
	known     map[string]knownFile

	mu   sync.Mutex
	used map[string]knownFile // in this run
}

// knownFile is a file with one document, which is a definition: where it is
// within the text, and what is known of it.
type knownFile struct {
	Line   int `json:"line"`
	Offset int `json:"offset"`
	Length int `json:"length"`
	judge.Known
}

// Bounds of the cache.
const (
	maxCache      = 8 << 20 // bytes of the file
	maxKnown      = 10_000  // definitions
	maxFile       = 16 << 20
	maxUnusedTime = 30 * 24 * time.Hour
)

// cached is the content of the file, after its sum.
type cached struct {
	Key         string               `json:"key"`
	Definitions map[string]knownFile `json:"definitions"`
}

// openCache returns the cache, nil if the run asks for more of a definition
// than its names, or if there is no folder for it.
func (e *Engine) openCache() *cache {
	if e.NoCache || e.Verbose || e.DefinitionsOnly || e.Judge.Lint != nil || e.types != nil ||
		e.Judge.Writing.Manager != "" || e.Judge.Writing.Patch != nil ||
		len(e.Old)+len(e.OldDefinitions) > 0 {
		return nil
	}
	folder, err := os.UserCacheDir()
	program, isKnown := build()
	if err != nil || !isKnown {
		return nil
	}
	key := fmt.Sprint(program, e.Summary.Kubernetes, e.FieldValidation)
	sum := sha256.Sum256([]byte(key))
	c := &cache{
		path: filepath.Join(folder, "crdsem", "definitions-"+hex.EncodeToString(sum[:8])+".json"),
		key:  key, used: map[string]knownFile{},
	}
	c.known = c.read()
	return c
}

// build identifies the program: its version and commit, its size and its time.
func build() (id string, ok bool) {
	info, ok := debug.ReadBuildInfo()
	path, err := os.Executable()
	if !ok || err != nil {
		return "", false
	}
	file, err := os.Stat(path)
	if err != nil {
		return "", false
	}
	id = fmt.Sprint(info.Main.Version, " ", info.GoVersion, " ", file.Size(), " ",
		file.ModTime().UnixNano(), " ")
	for _, s := range info.Settings {
		if strings.HasPrefix(s.Key, "vcs.") {
			id += s.Value + " "
		}
	}
	return id, true
}

// read returns the content of the file, nothing if it is not what it says.
func (c *cache) read() map[string]knownFile {
	info, err := os.Stat(c.path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxCache {
		return nil
	}
	text, err := os.ReadFile(c.path)
	if err != nil {
		return nil
	}
	sum, rest, _ := bytes.Cut(text, []byte("\n"))
	var content cached
	if string(sum) != sumOf(rest) || json.Unmarshal(rest, &content) != nil || content.Key != c.key {
		return nil
	}
	return content.Definitions
}

func sumOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// file returns the text of a source that is a file, with its sum.
func (c *cache) file(of *manifest.Source) (text []byte, sum string) {
	if c == nil || of.Err != nil || of.IsStream() {
		return nil, ""
	}
	info, err := os.Stat(of.Path())
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil, ""
	}
	if text, err = os.ReadFile(of.Path()); err != nil {
		return nil, ""
	}
	return text, sumOf(text)
}

// find returns the definition in a file that is known.
func (c *cache) find(name string, text []byte, sum string) (*manifest.Document, judge.Known, bool) {
	if sum == "" {
		return nil, judge.Known{}, false
	}
	of, ok := c.known[sum]
	if !ok || of.Offset < 0 || of.Length <= 0 || of.Offset+of.Length > len(text) {
		return nil, judge.Known{}, false
	}
	c.add(sum, of)
	data := text[of.Offset : of.Offset+of.Length : of.Offset+of.Length]
	return &manifest.Document{File: name, Line: of.Line, Data: data}, of.Known, true
}

// remember adds a file that has one document, which is a definition.
func (c *cache) remember(
	text []byte, sum string, doc *manifest.Document, checked []*judge.Definition,
) {
	if sum == "" {
		return
	}
	of, ok := judge.Remember(checked)
	if at := bytes.Index(text, doc.Data); ok && at >= 0 {
		c.add(sum, knownFile{doc.Line, at, len(doc.Data), of})
	}
}

func (c *cache) add(sum string, of knownFile) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.used[sum] = of
}

// write writes what is known now, if it is more than before. Errors mean that
// the next run is slower.
func (c *cache) write() {
	if c == nil {
		return
	}
	all := maps.Clone(c.known)
	if all == nil {
		all = map[string]knownFile{}
	}
	maps.Copy(all, c.used)
	if len(all) == len(c.known) {
		return
	}
	if len(all) > maxKnown {
		all = c.used
	}
	text, err := json.Marshal(cached{c.key, all})
	folder := filepath.Dir(c.path)
	if err != nil || os.MkdirAll(folder, 0o700) != nil {
		return
	}
	file, err := os.CreateTemp(folder, ".new-")
	if err != nil {
		return
	}
	defer func() { _ = os.Remove(file.Name()) }() // gone after it was renamed
	_, err = fmt.Fprintf(file, "%s\n%s", sumOf(text), text)
	if closed := file.Close(); err == nil && closed == nil {
		_ = os.Rename(file.Name(), c.path)
	}
	c.clean(folder)
}

// clean removes the files of other builds that were not written for long.
func (c *cache) clean(folder string) {
	entries, _ := os.ReadDir(folder)
	for _, entry := range entries {
		info, err := entry.Info()
		if err == nil && strings.HasPrefix(entry.Name(), "definitions-") &&
			time.Since(info.ModTime()) > maxUnusedTime {
			_ = os.Remove(filepath.Join(folder, entry.Name()))
		}
	}
}
