package vendor

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/program"
)

// login is a name and a password of one host, or an identity token, i.e. a
// refresh token of OAuth 2.0. They are sent to this host and to where a
// registry gives tokens, and are never printed.
type login struct{ name, password, identityToken string }

// header returns the value of the header Authorization.
func (l login) header() string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(l.name+":"+l.password))
}

// userFile returns a file of the user: one that a variable names, otherwise one
// in the home folder. It is empty without one.
func userFile(variable string, inVariable, inHome []string) ([]byte, error) {
	path := os.Getenv(variable)
	if path != "" {
		path = filepath.Join(append([]string{path}, inVariable...)...)
	} else {
		home, err := os.UserHomeDir()
		if err != nil {
			return nil, nil
		}
		path = filepath.Join(append([]string{home}, inHome...)...)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > maxManifest:
		return nil, fmt.Errorf("%s is not a file of at most %d bytes", path, maxManifest)
	}
	return os.ReadFile(path)
}

// netrcLogin returns the login of a host in the user's netrc, as curl reads it,
// nil without one. The login of the entry default is used for no host.
func netrcLogin(host string) (*login, error) {
	text, err := userFile("NETRC", nil, []string{".netrc"})
	if err != nil {
		return nil, err
	}
	var found *login
	words := strings.Fields(withoutMacros(string(text)))
	for i := 0; i < len(words); i++ {
		word, value := words[i], ""
		if word != "default" && i+1 < len(words) {
			i++
			value = words[i]
		}
		switch {
		case (word == "machine" || word == "default") && found != nil:
			return found, nil
		case word == "machine" && strings.EqualFold(value, host):
			found = &login{}
		case word == "login" && found != nil:
			found.name = value
		case word == "password" && found != nil:
			found.password = value
		}
	}
	return found, nil
}

// withoutMacros removes comments, and macros, which end at an empty line.
func withoutMacros(text string) string {
	var out strings.Builder
	inMacro := false
	for line := range strings.Lines(text) {
		first, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case first == "macdef":
			inMacro = true
		case first == "":
			inMacro = false
		case !inMacro && first[0] != '#':
			out.WriteString(line)
		}
	}
	return out.String()
}

// dockerConfig is the part of Docker's configuration that is about logins.
type dockerConfig struct {
	Auths map[string]struct {
		Auth          string `json:"auth"`
		IdentityToken string `json:"identitytoken"`
	} `json:"auths"`
	CredHelpers map[string]string `json:"credHelpers"`
	CredsStore  string            `json:"credsStore"`
}

// dockerHub is the name of its registry in Docker's configuration.
const dockerHub = "https://index.docker.io/v1/"

// dockerLogin returns the login of a registry in Docker's configuration, nil
// without one.
func dockerLogin(ctx context.Context, host string) (*login, error) {
	text, err := userFile("DOCKER_CONFIG", []string{"config.json"},
		[]string{".docker", "config.json"})
	if err != nil || len(text) == 0 {
		return nil, err
	}
	var config dockerConfig
	if json.Unmarshal(text, &config) != nil { // its error may quote the text
		return nil, errors.New("the configuration of Docker is not readable")
	}
	if host == dockerRegistry {
		host = dockerHub
	}
	helper := config.CredHelpers[host]
	for name, entry := range config.Auths {
		switch {
		case helper != "" || registryName(name) != registryName(host):
		case entry.IdentityToken != "":
			return &login{identityToken: entry.IdentityToken}, nil
		case entry.Auth != "":
			return decodeLogin(entry.Auth)
		}
	}
	if helper == "" {
		helper = config.CredsStore
	}
	if helper == "" {
		return nil, nil
	}
	return helperLogin(ctx, helper, host)
}

// registryName returns the host of a registry in Docker's configuration.
func registryName(name string) string {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "https://"), "http://")
	name, _, _ = strings.Cut(name, "/")
	return strings.ToLower(name)
}

func decodeLogin(auth string) (*login, error) {
	text, err := base64.StdEncoding.DecodeString(auth)
	name, password, ok := strings.Cut(string(text), ":")
	if err != nil || !ok {
		return nil, errors.New("a login in the configuration of Docker is not readable")
	}
	return &login{name: name, password: strings.TrimRight(password, "\x00")}, nil
}

var helperName = regexp.MustCompile(`^[\w.-]+$`)

// helperLogin asks a program of Docker's for a login.
func helperLogin(ctx context.Context, helper, host string) (*login, error) {
	if !helperName.MatchString(helper) {
		return nil, errors.New("a name of a helper in the configuration of Docker is not readable")
	}
	limits := program.Limits{Time: time.Minute, Output: maxManifest, Input: host}
	text, err := limits.Run(ctx, "docker-credential-"+helper, "get")
	if err != nil {
		return nil, err
	}
	var answer struct{ Username, Secret string }
	switch err := json.Unmarshal(text, &answer); {
	case err != nil:
		return nil, fmt.Errorf("docker-credential-%s gives no readable login", helper)
	case answer.Username == "<token>":
		return &login{identityToken: answer.Secret}, nil
	}
	return &login{name: answer.Username, password: answer.Secret}, nil
}
