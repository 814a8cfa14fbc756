"""Entry point of a worker: python -B <home>/certo_worker, then an order file and two pipes, or `probe` alone.

In place of the pipes, `direct` means that the standard streams are used.
"""

import os
import sys

# Python put this package's own directory first, where `channel` or `overlay` could shadow a module of the project.
# The shell replaces this entry by the project's root as soon as our own modules are imported.
sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

if __name__ == "__main__":
    if sys.argv[1:] == ["probe"]:
        from certo_worker.confinement import probe  # only this needs none of the rest

        probe.main()
        sys.exit()
    from certo_worker.process.launch import run, run_directly  # it can be found only after the path is set

    if sys.argv[2:] == ["direct"]:
        run_directly(sys.argv[1])
    run(sys.argv[1], said=int(sys.argv[2]), ended=int(sys.argv[3]))
