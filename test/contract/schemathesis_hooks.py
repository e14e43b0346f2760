"""Lets schemathesis send bodies of JSON lines, which the OpenAPI document describes as one string."""

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def lines(_context, value):
    return str(value).encode("utf-8", "replace")
