"""Kernel Ladder's grader: runs a learner's GPU kernels, and says whether they are right, fast, and why not."""
