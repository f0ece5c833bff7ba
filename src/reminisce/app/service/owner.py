"""One owner's memories, as one caller sees them."""

from reminisce.app.service.asking import Asking
from reminisce.app.service.believing import Believing
from reminisce.app.service.ending import Ending
from reminisce.app.service.erasing import Erasing
from reminisce.app.service.fading import Passing
from reminisce.app.service.moving import Moving
from reminisce.app.service.noting import Noting

__all__ = ["Owner"]


class Owner(Moving, Asking, Ending, Erasing, Believing, Passing, Noting):
    """
    The memories of one owner. Get one from `Memories.owner`.

    Every refusal is a `ReminisceError`; nothing is ever half done.
    """
