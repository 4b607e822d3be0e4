"""The tests. A package, so that a package of tests is not imported under the name of the product it tests."""
