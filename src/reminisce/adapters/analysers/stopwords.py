"""
Words that say little about what a text is about. They are left out of texts and queries alike.

The lists are short on purpose: a word that is a name or a noun as well (may, us, well, mine) is kept, since scores make
little of frequent words anyway, and so are the words of time (before, after, during, since, until), which tell one
question from another. All are folded; contractions stand without their apostrophe.
"""

from collections.abc import Iterable
from typing import Final

__all__ = ["HANGUL_PARTICLES", "HAN_FUNCTION", "PAIRS", "of"]


def of(languages: Iterable[str]) -> frozenset[str]:
    """The stop words of the *languages* that have any."""
    return frozenset().union(*(_LISTS.get(language, frozenset()) for language in languages))


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ENGLISH: Final = _words(
    """
    a an the this that these those some any each every all both few many much more most other another such own same
    i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself
    it its itself they them their theirs themselves
    what which who whom whose when where why how
    am is are was were be been being have has had having do does did doing done
    can could will would shall should might must ought cannot
    of at by for with about against between into through above below to from up down in out on off over under onto upon
    within without toward towards among as than and but or nor if because while so though although whether
    then there here also too very just only again once not no eg ie etc
    aint arent cant couldnt didnt doesnt dont hadnt hasnt havent im isnt ive mightnt mustnt neednt oughtnt shouldnt
    thats theyre theyve wasnt werent whats wont wouldnt youre youve
    """
)

_RUSSIAN: Final = _words(
    """
    а без более бы был была были было быть в вам вами вас ведь весь во вот все всего всей всем всех всю вся вы где да
    даже для до его ее ей ему если есть еще же за здесь и из или им ими их к каждый как какая какие какой ко когда кто
    которая которого которой которые который которых ли либо меня мне мной мы на над нам нами нас наш не него нее ней
    нем нему нет ни ним ними них но ну о об один однако он она они оно от отчего очень по под после потом потому
    почему при про с сам свой себе себя со так также такая такие такой там те тебе тебя тем то тобой тогда того тоже
    той только том тому ту тут ты у уж уже чего чей чем чему через что чтобы эта эти этих это этого этой этом этому
    этот эту я из-за из-под кто-то что-то
    """
)

_LISTS: Final = {"english": _ENGLISH, "porter": _ENGLISH, "russian": _RUSSIAN}

HAN_FUNCTION: Final = frozenset(
    "的了吗呢吧嘛是在和与跟就也都很这那哪什么怎谁我你您他她它们没还被把让给对从到着过得地之有不一"
)
"""
Chinese characters that are particles, pronouns and the like wherever they stand alone. They are no term by themselves,
and a pair of two of them is a stop word (我们, 什么).
"""

HANGUL_PARTICLES: Final = _words(
    """
    은 는 이 가 을 를 에 의 도 로 와 과 만 야 께 랑
    에서 에게 한테 으로 까지 부터 처럼 보다 이나 이랑 하고 이다 이고 에는 에도 마다 밖에 조차 입니다 이에요 예요
    """
)
"""What Korean writes directly after a noun."""

PAIRS: Final = _words(
    """
    です ます した まし でし して てい いる いま ある あり こと から まで ない など これ それ あれ この その あの
    니다 습니 입니 합니 있습 에서 으로 에게 에요 예요 어요 아요 해요 하고 하는 있는
    """
)
"""
Pairs that are mostly endings and particles of Japanese or Korean. Two sentences that share only these have nothing to
do with each other.
"""
