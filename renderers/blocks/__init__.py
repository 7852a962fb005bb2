"""Blocks, which pages are stacked from, each as wide as the page and as high as its content."""
