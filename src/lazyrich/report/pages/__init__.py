"""A report: a folder of pages that opens from disk, made of stored runs. It reads records and computes nothing.

`contents` says what is in it, `build` writes it, and each kind of page has a file of its own.
"""
