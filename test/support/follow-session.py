"""A session followed over a WebSocket with nothing but Python's standard library: follow-session.py HOST PORT TOKEN SESSION.

Prints every message it hears as a line of JSON, and sends every line of JSON it reads. A line that breaks is opened again after the last
entry of the log that was heard."""
import base64
import hashlib
import json
import os
import queue
import socket
import struct
import sys
import threading
import time

host, port, token, session = sys.argv[1:]
to_send = queue.Queue()
last_seq = 0


def connect():
    sock = socket.create_connection((host, int(port)), timeout=20)
    key = base64.b64encode(os.urandom(16)).decode()
    request = (
        f"GET /ws/{session}?role=approver&since={last_seq} HTTP/1.1\r\n"
        f"Host: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\nAuthorization: Bearer {token}\r\n\r\n"
    )
    sock.sendall(request.encode())
    head = b""
    while b"\r\n\r\n" not in head:
        head += exactly(sock, 1)
    accept = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest())
    if b" 101 " not in head.split(b"\r\n")[0] or accept not in head:
        raise ConnectionError(head.decode())
    sock.settimeout(None)
    return sock


def exactly(sock, count):
    data = b""
    while len(data) < count:
        part = sock.recv(count - len(data))
        if not part:
            raise ConnectionError("closed")
        data += part
    return data


def send_frame(sock, opcode, payload):
    size = len(payload)
    head = bytes([0x80 | opcode])
    if size < 126:
        head += bytes([0x80 | size])
    elif size < 65536:
        head += bytes([0x80 | 126]) + struct.pack(">H", size)
    else:
        head += bytes([0x80 | 127]) + struct.pack(">Q", size)
    mask = os.urandom(4)
    sock.sendall(head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload)))


def read_messages(sock):
    text = b""
    while True:
        first, second = exactly(sock, 2)
        size = second & 0x7F
        if size == 126:
            (size,) = struct.unpack(">H", exactly(sock, 2))
        elif size == 127:
            (size,) = struct.unpack(">Q", exactly(sock, 8))
        payload = exactly(sock, size)
        opcode = first & 0x0F
        if opcode == 8:
            raise ConnectionError("closed")
        if opcode == 9:
            send_frame(sock, 10, payload)
        elif opcode in (0, 1):
            text += payload
            if first & 0x80:
                yield json.loads(text)
                text = b""


def send_all(sock, closed):
    while not closed.is_set():
        try:
            message = to_send.get(timeout=0.05)
        except queue.Empty:
            continue
        send_frame(sock, 1, json.dumps(message).encode())


def read_input():
    for line in sys.stdin:
        to_send.put(json.loads(line))
    os._exit(0)


threading.Thread(target=read_input, daemon=True).start()
while True:
    try:
        sock = connect()
        closed = threading.Event()
        threading.Thread(target=send_all, args=(sock, closed), daemon=True).start()
        try:
            for message in read_messages(sock):
                last_seq = max(last_seq, message.get("seq") or 0)
                print(json.dumps(message), flush=True)
        finally:
            closed.set()
    except OSError:
        time.sleep(0.1)
