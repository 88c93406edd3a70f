"""SQL of flagging."""
