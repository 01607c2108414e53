package vendor

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// limits bound what is read of one source.
type limits struct {
	download int64 // bytes that are loaded
	unpacked int64 // bytes of an archive, whether they are used or not
	file     int64 // bytes of one file
	entries  int   // files of an archive
}

var defaultLimits = limits{
	download: 256 << 20, unpacked: 2 << 30, file: 64 << 20, entries: 200_000,
}

// content is a file, or an archive of files.
type content interface {
	io.Reader
	io.ReaderAt
	io.Seeker
}

// unpack passes on the manifests of a tar.gz or zip archive that are at or
// below a path, or the content itself if it is no archive. Nothing is written,
// and links are not followed. The path may leave out the folder that holds
// all of an archive.
func (l limits) unpack(
	ctx context.Context, name string, in content, below string, use func(string, []byte) error,
) error {
	var head [4]byte
	n, err := in.ReadAt(head[:], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return err
	}
	u := &unpacking{limits: l, ctx: ctx, below: below, use: use}
	switch {
	case bytes.HasPrefix(head[:n], []byte{0x1f, 0x8b}):
		err = u.tar(in)
	case bytes.HasPrefix(head[:n], []byte("PK\x03\x04")):
		err = u.zip(in)
	case below != "":
		return fmt.Errorf("%s is no tar.gz or zip archive, but a path within it is given", name)
	default:
		return u.file(name, in)
	}
	if err == nil && u.matched == 0 && below != "" {
		err = fmt.Errorf("the archive has no YAML or JSON file at %s", below)
	}
	return err
}

// unpacking is the reading of one archive.
type unpacking struct {
	limits
	ctx     context.Context
	below   string
	use     func(string, []byte) error
	seen    int // files of the archive
	matched int // files that were used
}

func (u *unpacking) tar(in io.Reader) error {
	plain, err := gzip.NewReader(in)
	if err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	archive := tar.NewReader(&bounded{ctx: u.ctx, in: plain, left: u.unpacked})
	for {
		header, err := archive.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("archive: %w", err)
		}
		if err := u.entry(header.Name, header.Typeflag == tar.TypeReg, archive); err != nil {
			return err
		}
	}
}

func (u *unpacking) zip(in content) error {
	size, err := in.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	archive, err := zip.NewReader(in, size)
	if err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	whole := &bounded{ctx: u.ctx, left: u.unpacked}
	for _, file := range archive.File {
		if err := u.entry(file.Name, file.Mode().IsRegular(), &lazy{file, whole}); err != nil {
			return err
		}
	}
	return nil
}

// lazy reads a file of a zip archive, which is opened by the first Read.
type lazy struct {
	file  *zip.File
	whole *bounded
}

func (l *lazy) Read(p []byte) (int, error) {
	if l.file != nil {
		in, err := l.file.Open()
		if err != nil {
			return 0, err
		}
		l.file, l.whole.in = nil, in // closing it does nothing of worth
	}
	return l.whole.Read(p)
}

// extensions are those of manifests.
var extensions = []string{".yaml", ".yml", ".json"}

// entry uses a file of an archive, if it is a manifest below the path.
func (u *unpacking) entry(name string, isFile bool, in io.Reader) error {
	if u.seen++; u.seen > u.entries {
		return fmt.Errorf("the archive has more than %d files", u.entries)
	}
	name = strings.TrimSuffix(strings.TrimPrefix(name, "./"), "/")
	switch {
	case name != "" && !fs.ValidPath(name):
		return fmt.Errorf("the archive has a file outside of it: %q", name)
	case !isFile, !slices.Contains(extensions, strings.ToLower(path.Ext(name))), !u.isBelow(name):
		return nil
	}
	u.matched++
	return u.file(name, in)
}

// isBelow reports whether a file is at or below the path.
func (u *unpacking) isBelow(name string) bool {
	_, inner, _ := strings.Cut(name, "/")
	return u.below == "" || u.below == "." || within(name, u.below) || within(inner, u.below)
}

func within(name, folder string) bool {
	return name == folder || strings.HasPrefix(name, folder+"/")
}

// file uses one file.
func (u *unpacking) file(name string, in io.Reader) error {
	text, err := io.ReadAll(io.LimitReader(in, u.limits.file+1))
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", name, err)
	case int64(len(text)) > u.limits.file:
		return fmt.Errorf("%s has more than %d bytes", name, u.limits.file)
	}
	return u.use(name, text)
}

// bounded is a reader of so many bytes, and of no more: then it fails.
type bounded struct {
	ctx  context.Context
	in   io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := b.in.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, errors.New("it has more bytes than are read")
	}
	return n, err
}
