"""The parts of a forecast: what is measured of a model, its early and late answers, a cheap run, the optimizer's pace."""
