"""Tests of the editors. The folder is a package, so that the browser ends with its last test."""
