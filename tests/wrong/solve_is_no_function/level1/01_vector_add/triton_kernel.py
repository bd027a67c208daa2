"""solve is a number."""

solve = 42
