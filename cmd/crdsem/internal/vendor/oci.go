package vendor

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// maxManifest is the size of the largest manifest and token that is read.
const maxManifest = 4 << 20

const (
	manifestType       = "application/vnd.oci.image.manifest.v1+json"
	dockerManifestType = "application/vnd.docker.distribution.manifest.v2+json"
)

// artifact is a manifest of an OCI image or artifact, as far as it is used.
type artifact struct {
	MediaType string  `json:"mediaType"`
	Layers    []layer `json:"layers"`
}

type layer struct {
	MediaType string `json:"mediaType"`
	Digest    string `json:"digest"`
	Size      int64  `json:"size"`
}

// registry is a repository of a registry, which may ask for a token.
type registry struct {
	*Client
	host, repository string
	authorization    string // the header, after a challenge
}

// dockerRegistry is the host of the registry that is called docker.io.
const dockerRegistry = "registry-1.docker.io"

func (c *Client) registry(s source) *registry {
	host, repository, _ := strings.Cut(s.place, "/")
	if host == "docker.io" {
		host = dockerRegistry
	}
	return &registry{Client: c, host: host, repository: repository}
}

// send sends a request for a manifest or blob. It answers one challenge, with
// the login of Docker's configuration if there is one.
func (r *registry) send(ctx context.Context, what string) (io.ReadCloser, error) {
	address := fmt.Sprintf("https://%s/v2/%s/%s", r.host, r.repository, what)
	for {
		header := http.Header{
			"Accept": {manifestType, dockerManifestType, "application/octet-stream"},
		}
		if r.authorization != "" {
			header.Set("Authorization", r.authorization)
		}
		response, err := r.Client.send(ctx, address, header)
		if err != nil {
			return nil, err
		}
		if response.StatusCode != http.StatusUnauthorized || r.authorization != "" {
			return body(response)
		}
		response.Body.Close()
		if err := r.authorize(ctx, response.Header.Get("WWW-Authenticate")); err != nil {
			return nil, fmt.Errorf("%s: %w", r.host, err)
		}
	}
}

var challengeParameter = regexp.MustCompile(`(\w+)="([^"]*)"`)

// authorize answers a challenge.
func (r *registry) authorize(ctx context.Context, challenge string) error {
	found, err := dockerLogin(ctx, r.host)
	if err != nil {
		return fmt.Errorf("401 without a login: %w", err)
	}
	scheme, rest, _ := strings.Cut(challenge, " ")
	switch {
	case strings.EqualFold(scheme, "bearer"):
		return r.getToken(ctx, rest, found)
	case found == nil:
		return errors.New("401: log in by docker login, helm registry login or the like")
	case !strings.EqualFold(scheme, "basic"):
		return fmt.Errorf("401 with the challenge %q, which is not known", scheme)
	}
	if found.identityToken != "" {
		return errors.New("401: the login is an identity token, and the registry wants a password")
	}
	r.authorization = found.header()
	return nil
}

// askForToken sends a request for a token: with an identity token as OAuth 2.0
// refreshes it, otherwise with the password if there is one.
func (r *registry) askForToken(ctx context.Context, realm string, query url.Values, by *login) (
	*http.Response, error,
) {
	if by != nil && by.identityToken != "" {
		query.Set("grant_type", "refresh_token")
		query.Set("refresh_token", by.identityToken)
		query.Set("client_id", "crdsem")
		return r.post(ctx, realm, query)
	}
	header := http.Header{}
	if by != nil {
		header.Set("Authorization", by.header())
	}
	return r.Client.send(ctx, realm+"?"+query.Encode(), header)
}

// getToken gets the token that a challenge asks for, with a login or nil.
func (r *registry) getToken(ctx context.Context, rest string, by *login) error {
	realm, query := "", url.Values{"scope": {"repository:" + r.repository + ":pull"}}
	for _, m := range challengeParameter.FindAllStringSubmatch(rest, -1) {
		switch m[1] {
		case "realm":
			realm = m[2]
		case "service", "scope":
			query.Set(m[1], m[2])
		}
	}
	response, err := r.askForToken(ctx, realm, query, by)
	if err != nil {
		return err
	}
	in, err := body(response)
	if err != nil {
		return err
	}
	var answer struct {
		Token       string `json:"token"`
		AccessToken string `json:"access_token"`
	}
	text, err := readAll(in, maxManifest)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return fmt.Errorf("token: %w", err)
	}
	token := cmp.Or(answer.Token, answer.AccessToken)
	if token == "" {
		return errors.New("the registry gives no token")
	}
	r.authorization = "Bearer " + token
	return nil
}

// readAll reads and closes a body of a limited size.
func readAll(in io.ReadCloser, limit int64) ([]byte, error) {
	defer in.Close()
	text, err := io.ReadAll(io.LimitReader(in, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = fmt.Errorf("more than %d bytes", limit)
	}
	return text, err
}

// manifest returns a manifest and its digest.
func (r *registry) manifest(ctx context.Context, version string) (*artifact, string, error) {
	in, err := r.send(ctx, "manifests/"+version)
	if err != nil {
		return nil, "", err
	}
	text, err := readAll(in, maxManifest)
	if err != nil {
		return nil, "", fmt.Errorf("manifest: %w", err)
	}
	digest := "sha256:" + sum(text)
	if strings.HasPrefix(version, "sha256:") && version != digest {
		return nil, "", fmt.Errorf("the manifest has the digest %s", digest)
	}
	found := &artifact{}
	if err := json.Unmarshal(text, found); err != nil {
		return nil, "", fmt.Errorf("manifest: %w", err)
	}
	switch found.MediaType {
	case "", manifestType, dockerManifestType:
		return found, digest, nil
	}
	return nil, "", fmt.Errorf("the manifest is of type %q, which has no files of its own",
		found.MediaType)
}

// unpackOCI passes on the files of an artifact: of a chart, of what Flux
// pushes, or of an image.
func (c *Client) unpackOCI(ctx context.Context, s source, use func(string, []byte) error) error {
	r := c.registry(s)
	found, _, err := r.manifest(ctx, s.version)
	if err != nil {
		return err
	}
	// A signature of a chart is a layer, too.
	layers := slices.DeleteFunc(found.Layers, func(l layer) bool {
		return strings.HasSuffix(l.MediaType, "prov")
	})
	if len(layers) == 0 {
		return errors.New("the artifact has no files")
	}
	for _, l := range layers {
		in, err := r.send(ctx, "blobs/"+l.Digest)
		if err != nil {
			return err
		}
		if err := c.kept(in, func(in content) error {
			if err := checkDigest(in, l.Digest); err != nil {
				return err
			}
			return c.limits.unpack(ctx, s.String(), in, s.path, use)
		}); err != nil {
			return err
		}
	}
	return nil
}

// checkDigest compares the digest of a content with the one that it is to have.
func checkDigest(in content, want string) error {
	hash := sha256.New()
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if _, err := io.Copy(hash, in); err != nil {
		return err
	}
	digest, ok := strings.CutPrefix(want, "sha256:")
	wanted, err := hex.DecodeString(digest)
	if !ok || err != nil || !bytes.Equal(hash.Sum(nil), wanted) {
		return fmt.Errorf("a layer has not the digest %q", want)
	}
	return nil
}
