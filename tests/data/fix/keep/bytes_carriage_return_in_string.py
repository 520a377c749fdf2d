TEXT = """a
bc
"""
class Net: pass
