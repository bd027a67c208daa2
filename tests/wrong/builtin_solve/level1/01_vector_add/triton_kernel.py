"""solve is a builtin whose signature Python cannot tell."""

solve = max
