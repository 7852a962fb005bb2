"""A reviewed game in words."""

from __future__ import annotations

from renderers.review_scene import ReviewScene
from renderers.sentences import cut, sentence


def review_alt_text(scene: ReviewScene) -> str:
    """Describe a review in at most 1,024 characters; a longer text ends after a whole sentence."""
    sides = [f"{name}: {how}" for name, how in zip(scene.names, scene.accuracies, strict=True)]
    items = [scene.title, scene.subtitle, *sides, *scene.told]
    return cut(sentence(item) for item in items)
