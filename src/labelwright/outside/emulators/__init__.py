"""Recruitment platforms emulated on this machine, over HTTP: for tests, for demos, and for writing against their APIs.

An emulator has a virtual clock, participants, a ledger of its own and faults on demand. All of them are controlled
under `/_emu/`. Nothing is stored: an emulator that ends forgets everything.
"""
