"""Frozen dataclasses and enums that every other layer passes around; no behaviour beyond their own fields."""
