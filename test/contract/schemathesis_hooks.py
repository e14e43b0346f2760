"""Lets schemathesis send bodies of lines of JSON, which the OpenAPI document has as one string."""

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def lines(_context, value):
    return str(value).encode("utf-8", "replace")
