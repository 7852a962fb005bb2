"""The courses of Connect 4."""

from __future__ import annotations

from engine.core.problem import LessonCourse
from engine.games.connect4.lessons.basics import BASICS
from engine.games.connect4.lessons.plans import PLANS

COURSES = (LessonCourse("basics", BASICS), LessonCourse("plans", PLANS))
