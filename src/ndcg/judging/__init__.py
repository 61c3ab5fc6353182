"""Unjudged documents as uncertainty: what they could change, which to judge next, and how far judges agree."""
