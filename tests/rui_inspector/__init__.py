"""Tests of the inspector. The folder is a package, so that one browser serves all of its tests."""
