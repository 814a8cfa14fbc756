"""rlimits, Landlock, seccomp and mounts, and the self-test's attack on them."""
