"""A client for the API of a Labelwright server, with the verbs of the command line.

It needs httpx, which `labelwright[client]` installs, and no Django:

    from labelwright.client import Client

    with Client("https://labelwright.example.org", token="lw_...") as client:
        study = client.load("study.yaml")
        client.export(study.id, "answers.parquet")
"""

from labelwright.client import models
from labelwright.client.calls import CallFailed, Client, NoAnswer
from labelwright.client.webhooks import BadSignature, verify_webhook

__all__ = ["BadSignature", "CallFailed", "Client", "NoAnswer", "models", "verify_webhook"]
