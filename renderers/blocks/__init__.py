"""Blocks, from which pages are stacked: each as wide as the page and as high as its content."""
