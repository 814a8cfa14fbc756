from certo.executors import SandboxOptions
from certo.testing import ExecutorContract
from noting_executor import build


class TestNoting(ExecutorContract):
    def executor(self):
        return build(SandboxOptions(slots=2))
