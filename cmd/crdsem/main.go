// Command crdsem says what a Kubernetes API server does to custom resources, given their CustomResourceDefinition.
package main

func main() {}
