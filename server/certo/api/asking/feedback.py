"""What was said of an answer, put into the question for the next one: as one more turn, or in place."""

from __future__ import annotations

from dataclasses import replace

from certo.api.asking.samples import Sample, SampleNode
from certo.api.asking.turns import Turns, gone_on
from certo.generation.named import PromptTemplate, feedback_template
from certo.llm.prompt import Message
from certo.search.tree import SEPARATOR
from certo.vocabulary.errors import BadRequest


def add_feedback(node: SampleNode[Sample], text: str) -> None:
    """Say something of an answer, besides what was said already; the same is not said twice."""
    said = text.strip()
    if said and said not in node.feedback.split("\n\n"):
        node.feedback = "\n\n".join(filter(None, (node.feedback, said)))


def collected(node: SampleNode[Sample]) -> str:
    """What was said of an answer and of those before it to the same question, the oldest first."""
    same = (each for each in node.path if each.data.question == node.data.question)
    return SEPARATOR.join(each.feedback for each in same if each.feedback.strip())


def next_turns(
    node: SampleNode[Sample], *, inplace: bool, template: str | PromptTemplate
) -> tuple[Turns, Turns | None]:
    """The conversation to go on with from an answer, and the question without what is put into it in place, if any is.

    Appended, the feedback of this answer alone is the next turn. In place, that of this answer and of those before it
    is put to the end of the question, and the answers are left out. Without any feedback the question is asked again.
    What is stored with the answer is not changed.

    Raises:
        BadRequest: feedback is to be put into a question where the user has said nothing.
        BadSetting: there is no such template, or it has no place for feedback.
    """
    question = node.data.question
    said = collected(node) if inplace else node.feedback
    if not said.strip():
        return question, None
    text = feedback_template(template).text(0, feedback=said)
    if not inplace:
        return gone_on(node.data.conversation, Message(role="user", text=text)), None
    last = next((number for number in reversed(range(len(question))) if question[number].role == "user"), None)
    if last is None:
        raise BadRequest("there is no user's turn to put feedback into; begin the call with one")
    asked = replace(question[last], text=f"{question[last].text}\n\n{text}")
    return (*question[:last], asked, *question[last + 1 :]), question
