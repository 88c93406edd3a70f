"""One module per log format; importing it registers its reader."""

from turnwise.corpus.readers import chat_messages

__all__ = ["chat_messages"]
