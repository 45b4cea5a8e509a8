"""The simulator's own operations, as far as the walks need them."""

import json
import time
import urllib.request

from resolve_to_simulator import SETUP


def control(method, path, body=None):
    request = urllib.request.Request(SETUP['controlUrl'] + '/control' + path, method=method)
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header('content-type', 'application/json')
    with urllib.request.urlopen(request) as response:
        text = response.read()
        return json.loads(text) if text else None


def until(what, check):
    for _ in range(400):
        value = check()
        if value:
            return value
        time.sleep(0.025)
    raise AssertionError(f'never happened: {what}')


def told():
    """How many callbacks the merchant has taken."""
    return len([one for one in control('GET', '/callbacks')['callbacks'] if one['state'] == 'delivered'])
