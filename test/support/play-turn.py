"""A whole turn with an approval, played by Python's websockets: play-turn.py URL TOKEN. Prints what was heard, as JSON."""
import asyncio
import json
import sys

import websockets

url, token = sys.argv[1:]
headers = {"Authorization": "Bearer " + token}


async def until(socket, heard, fits):
    while True:
        message = json.loads(await asyncio.wait_for(socket.recv(), 20))
        heard.append(message)
        if fits(message):
            return message


def is_done(message):
    return message.get("type") == "done"


async def play():
    first, second, again = [], [], []
    async with websockets.connect(url, extra_headers=headers) as worker, websockets.connect(
        url, extra_headers=headers
    ) as watcher:
        await until(watcher, second, lambda one: one.get("type") == "agent_status")
        await worker.send(json.dumps({"type": "user_message", "content": "Проанализируй big.txt", "message_id": "m1"}))
        asked = await until(worker, first, lambda one: one.get("requires_approval") is True)
        await worker.ping()
        await worker.send(
            json.dumps({"type": "hitl_decision", "call_id": asked["call_id"], "decision": "approve"})
        )
        await until(worker, first, is_done)
        await until(watcher, second, is_done)
        extensions = [one.name for one in worker.extensions]
    async with websockets.connect(url + "?since=0", extra_headers=headers) as later:
        await until(later, again, is_done)
    print(json.dumps({"first": first, "second": second, "again": again, "extensions": extensions}))


asyncio.run(play())
