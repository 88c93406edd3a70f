"""The shapes in which chat products export their messages, brought to `[{role, content}]`."""

from __future__ import annotations

from typing import Any


def messages_of(record: dict[str, Any]) -> Any:
    """The messages of an exported record of any shape; None if it has none.

    Known: `messages`; a request with its response; `conversations: [{from, value}]`;
    `chat_messages: [{sender, text}]`; a tree of nodes under `mapping` with its `current_node`.

    >>> messages_of({"conversations": [{"from": "human", "value": "Hi"}]})
    [{'role': 'human', 'content': 'Hi'}]
    """
    if "messages" in record:
        return record["messages"]
    for name, shape in _SHAPES.items():
        if name in record:
            return shape(record)
    return None


def _request(record: dict[str, Any]) -> Any:
    asked = record["request"].get("messages") if isinstance(record["request"], dict) else None
    response = record.get("response")
    choices = response.get("choices") if isinstance(response, dict) else None
    if not isinstance(asked, list) or not isinstance(choices, list) or not choices:
        return asked
    # Only the first choice was shown to the user.
    reply = choices[0].get("message") if isinstance(choices[0], dict) else None
    model = response.get("model") if isinstance(response, dict) else None
    return [*asked, {"model": model, **reply}] if isinstance(reply, dict) else asked


def _pairs(record: dict[str, Any]) -> Any:
    return _renamed(record["conversations"], "from", "value")


def _senders(record: dict[str, Any]) -> Any:
    return _renamed(record["chat_messages"], "sender", "text")


def _renamed(messages: Any, role: str, content: str) -> Any:
    if not isinstance(messages, list):
        return None
    return [
        {"role": message.get(role), "content": message.get(content)} if isinstance(message, dict) else message
        for message in messages
    ]


def _tree(record: dict[str, Any]) -> Any:
    """The path from the root to the current node: the messages that the user sees."""
    nodes = record["mapping"]
    if not isinstance(nodes, dict):
        return None
    here = record.get("current_node") or _last_leaf(nodes)
    path: list[dict[str, Any]] = []
    seen: set[Any] = set()
    while isinstance(here, str) and here in nodes and here not in seen and isinstance(nodes[here], dict):
        seen.add(here)
        message = nodes[here].get("message")
        if isinstance(message, dict) and not _is_hidden(message):
            path.append(_node_message(message))
        here = nodes[here].get("parent")
    return path[::-1]


def _last_leaf(nodes: dict[str, Any]) -> str | None:
    leaves = [key for key, node in nodes.items() if isinstance(node, dict) and not node.get("children")]
    return leaves[-1] if leaves else None


def _is_hidden(message: dict[str, Any]) -> bool:
    meta = message.get("metadata")
    hidden = isinstance(meta, dict) and meta.get("is_visually_hidden_from_conversation")
    return bool(hidden) or not _parts(message)


def _parts(message: dict[str, Any]) -> list[Any]:
    content = message.get("content")
    parts = content.get("parts") if isinstance(content, dict) else content
    parts = parts if isinstance(parts, list) else [parts]
    return [part for part in parts if part]


def _node_message(message: dict[str, Any]) -> dict[str, Any]:
    author, meta = message.get("author"), message.get("metadata")
    return {
        "role": author.get("role") if isinstance(author, dict) else None,
        "content": _parts(message),
        "model": meta.get("model_slug") if isinstance(meta, dict) else None,
    }


_SHAPES = {
    "request": _request,
    "conversations": _pairs,
    "chat_messages": _senders,
    "mapping": _tree,
}
