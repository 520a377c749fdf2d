from ._block import Block


class Gate(Block):
    pass
