"""Lets the names of banks lead to the simulator, as a hosts file would, and to its port. The clients are not touched."""

import json
import os
import socket

SETUP = json.loads(os.environ['INTEROP_SETUP'])
_getaddrinfo = socket.getaddrinfo


def _resolve(host, port, *args, **kwargs):
    if host in SETUP['hosts']:
        host, port = '127.0.0.1', SETUP['apiPort']
    return _getaddrinfo(host, port, *args, **kwargs)


socket.getaddrinfo = _resolve
