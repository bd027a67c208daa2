"""`python -m grader` is `grade`, for a checkout that is not installed."""

from grader.cli import main

main()
