package live

import "github.com/crdsem/crdsem/conversion"

// judge is an implementation whose verdicts are compared with the server's
// answers.
type judge interface {
	// definition judges a request with a CRD object in its body, of version v1.
	definition(w *write) (*verdict, error)
	// open prepares for the requests to a CRD that the server accepted. hook
	// converts its objects if its strategy is Webhook.
	open(crd []byte, hook conversion.Webhook) (resourceJudge, error)
}

// resourceJudge judges requests to one CRD.
type resourceJudge interface {
	// write judges a create, an update or a patch of an object or of a
	// subresource.
	write(w *write) (*verdict, error)
	// read returns the answer to a read in a version, for the bytes that etcd
	// holds.
	read(version string, stored []byte) (*verdict, error)
	// scale returns the answer to a read of the scale subresource, for the
	// bytes that etcd holds.
	scale(version string, stored []byte) (*verdict, error)
}

// write is a request that creates or updates an object.
type write struct {
	version         string
	subresource     string // "", "status" or "scale"
	fieldValidation string // "", "Strict", "Warn" or "Ignore"
	namespace       string // of the URL; empty if cluster-scoped
	media           string // mediaJSON or mediaYAML; for a patch, its media type
	patch           bool   // the body is a patch of the object
	dryRun          bool   // the storage is not asked; set by session.write
	applier         applier
	body            []byte
	old             []byte // the stored object, with its resourceVersion; nil on create
}

// stage is the last stage that a request reached.
type stage string

const (
	// stageDecode: refused before validation with 400, a patch also with 409,
	// 413 or 415.
	stageDecode   stage = "decode"
	stageInvalid  stage = "invalid"  // refused with 422
	stageAdmitted stage = "admitted" // carried out
	stageFailed   stage = "failed"   // failed with 500
)

// verdict is the answer of an implementation, or of the server, to a write.
type verdict struct {
	stage  stage
	code   int    // for a refused object; 0 if unknown
	reason string // likewise
	// message is set at stageDecode and stageFailed, and at stageInvalid if
	// there is one error at most.
	message  string
	errors   []finding // at stageInvalid
	warnings []string
	returned any    // the object in the answer at stageAdmitted; nil if unknown
	listed   any    // the object in a list, if a get of it fails
	stored   []byte // what etcd holds afterwards; nil if unknown
	// faults holds the errors of which the server reports any one, by the order
	// of maps. The judge reports one of them.
	faults []string
}

// finding is one error of an object.
type finding struct{ Type, Field, Message string }
