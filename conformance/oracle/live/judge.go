package live

import "github.com/crdsem/crdsem/conversion"

// judge is an implementation whose verdicts are held against the server's answers.
type judge interface {
	// definition judges a request with a CRD object in its body; its version is v1.
	definition(w *write) (*verdict, error)
	// open prepares for the requests to a CRD that the server accepted. hook converts its objects if its strategy is Webhook.
	open(crd []byte, hook conversion.Webhook) (resourceJudge, error)
}

// resourceJudge judges requests to one CRD.
type resourceJudge interface {
	// write judges a create, an update or a patch, or an update or a patch of a subresource.
	write(w *write) (*verdict, error)
	// read says what a read in a version returns for the bytes that etcd holds.
	read(version string, stored []byte) (*verdict, error)
	// scale says what a read of the scale subresource returns for the bytes that etcd holds.
	scale(version string, stored []byte) (*verdict, error)
}

// write is a request that creates or updates an object.
type write struct {
	version         string
	subresource     string // "", "status" or "scale"
	fieldValidation string // "", "Strict", "Warn" or "Ignore"
	namespace       string // of the URL; empty for what has none
	media           string // mediaJSON or mediaYAML; of a patch, that of its language
	patch           bool   // the body is a patch of the object
	applier         applier
	body            []byte
	old             []byte // what is stored, with its resourceVersion; nil on create
}

// stage is how far a request came.
type stage string

const (
	stageDecode   stage = "decode"   // refused before validation: 400, and for a patch also 409, 413 and 415
	stageInvalid  stage = "invalid"  // refused with 422
	stageAdmitted stage = "admitted" // carried out
	stageFailed   stage = "failed"   // broken off with 500
)

// verdict is what an implementation, or the server, says to a write.
type verdict struct {
	stage    stage
	code     int       // of a refusal of an object; 0 if not told
	reason   string    // likewise
	message  string    // at stageDecode and stageFailed, and at stageInvalid where no more than one error is told
	errors   []finding // at stageInvalid
	warnings []string
	returned any      // the object in the answer at stageAdmitted; nil if not told
	listed   any      // the object in a list, where a get of it fails
	stored   []byte   // what etcd holds then; nil if not told
	faults   []string // errors of which the server tells any one, by the order of maps: the judge tells one of them
}

// finding is one error of an object.
type finding struct{ Type, Field, Message string }
