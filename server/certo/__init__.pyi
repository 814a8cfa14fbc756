"""What `from certo import …` offers, for those who check types; the module itself loads each when it is wanted."""

from certo.api.built import Built as Built
from certo.api.cache import CodeCache as CodeCache
from certo.api.calling import Code as Code
from certo.api.calling import CodeExecutor as CodeExecutor
from certo.api.calling import Executed as Executed
from certo.api.calling import SandboxedCode as SandboxedCode
from certo.api.context_log import ContextLog as ContextLog
from certo.api.generated import Generated as Generated
from certo.api.language_model import LLM as LLM
from certo.api.plugged import Failed as Failed
from certo.api.runtime import Runtime as Runtime
from certo.api.specification import Example as Example
from certo.api.specification import Specification as Specification
from certo.api.strategy import RetryStrategy as RetryStrategy
from certo.api.strategy import Strategy as Strategy
from certo.api.tools import Tool as Tool
from certo.api.tools import tool as tool
from certo.api.tracing import Trace as Trace
from certo.api.ways import build as build
from certo.api.ways import generate as generate
from certo.api.ways import run as run
from certo.api.ways import wait as wait
from certo.costs.control_flow import ControlFlow as ControlFlow
from certo.criteria.combination import AllOf as AllOf
from certo.criteria.combination import AnyOf as AnyOf
from certo.criteria.combination import WeightedSum as WeightedSum
from certo.criteria.qualitative import QualitativeCriteria as QualitativeCriteria
from certo.criteria.quantitative import QuantitativeCriteria as QuantitativeCriteria
from certo.generation.generator import Declined as Declined
from certo.llm.compaction import SlidingWindow as SlidingWindow
from certo.llm.compaction import Summary as Summary
from certo.llm.prompt import Message as Message
from certo.llm.prompt import Sampling as Sampling
from certo.llm.structured import Answered as Answered
from certo.verification.constants import ConstantArguments as ConstantArguments
from certo.verification.is_function import IsFunction as IsFunction
from certo.verification.is_loop import IsLoop as IsLoop
from certo.verification.ordering import CheckOrdering as CheckOrdering
from certo.vocabulary.errors import AttemptsFailed as AttemptsFailed
from certo.vocabulary.errors import CallFailed as CallFailed
from certo.vocabulary.errors import CertoError as CertoError

__version__: str
