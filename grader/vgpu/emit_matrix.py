"""stub"""
HANDLERS: dict = {}
