"""Simulations that another machine makes: the job file, and the program that runs it there."""
