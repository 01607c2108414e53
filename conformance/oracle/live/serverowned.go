package live

// What the server decides by itself, from its clock, its random numbers, its counters and its store, and what only
// concurrent requests can show. None of it follows from the CRD and the object, so it is left out of the comparison.
// These are all the fields that are left out.
var serverOwned = []string{
	"metadata.uid",               // random
	"metadata.creationTimestamp", // the clock
	"metadata.resourceVersion",   // the store's counter
	"metadata.managedFields",     // the clock and the client's name; who set a field is server-side apply's affair
}

// What the run never asks, for the answer depends on what the server alone knows:
//
//   - conflicts: a stale resourceVersion, a name that exists already, a precondition on the uid;
//   - names that the server makes from metadata.generateName: the made name is left out (see withoutServerOwned);
//   - objects that are being deleted: deletionTimestamp, deletionGracePeriodSeconds and waiting for finalizers;
//   - a namespace or a name in the body that is not the URL's;
//   - admission plugins, webhooks and policies, quota, authentication and authorization: they are off.

// withoutServerOwned returns a copy of an object less the fields of the list. The name goes where it was generated.
func withoutServerOwned(object map[string]any) map[string]any {
	object = copyValue(object).(map[string]any)
	metadata := child(object, "metadata")
	for _, path := range serverOwned {
		delete(metadata, path[len("metadata."):])
	}
	if text(metadata, "generateName") != "" {
		delete(metadata, "name")
	}
	return object
}
