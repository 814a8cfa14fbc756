"""Assertions broken on purpose: a run in which one of them passes shows what no honest run can."""
