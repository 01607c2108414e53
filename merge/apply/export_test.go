package apply

// Merging is the function of the option [Server].
var Merging = merging
