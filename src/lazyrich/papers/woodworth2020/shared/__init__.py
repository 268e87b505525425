"""Panels and readings that several claims of woodworth2020 use."""
