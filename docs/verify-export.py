#!/usr/bin/env python3
"""Verifies what `codelab audit export --seals` printed, without CodeLab. Needs nothing but Python 3.

    verify-export.py [--key SHA256:…] [--session ID] [FILE]

It proves that every entry's hash covers the entry and the one before it, that every seal follows the one before and
is signed, and that the entries lead to every head that was ever sealed, unless a signed deletion says that the session is
gone. --key is the fingerprint you expect, as `codelab doctor` shows it; give it more than once for several keys.
With --session only that one has to be in the export. Exit code 1 when anything does not fit.
The format is described in docs/audit.md.
"""
import argparse
import base64
import hashlib
import json
import re
import sys


class Broken(Exception):
    pass


# Ed25519 signatures, RFC 8032 section 5.1. Points are (X, Y, Z, T): x = X/Z, y = Y/Z, x*y = T/Z.
P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
SQRT_M1 = pow(2, (P - 1) // 4, P)


def add(a, b):
    e = (a[1] - a[0]) * (b[1] - b[0]) % P
    f = (a[1] + a[0]) * (b[1] + b[0]) % P
    g = 2 * a[3] * b[3] * D % P
    h = 2 * a[2] * b[2] % P
    w, x, y, z = f - e, h - g, h + g, f + e
    return (w * x % P, y * z % P, x * y % P, w * z % P)


def multiply(scalar, point):
    result = (0, 1, 1, 0)
    while scalar > 0:
        if scalar & 1:
            result = add(result, point)
        point = add(point, point)
        scalar >>= 1
    return result


def decode_point(data):
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & ((1 << 255) - 1)
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P != 0:
        x = x * SQRT_M1 % P
    if (x * x - square) % P != 0 or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return (x, y, 1, x * y % P)


BASE = decode_point((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


def is_signed(public, message, signature):
    if len(public) != 32 or len(signature) != 64:
        return False
    key, nonce = decode_point(public), decode_point(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if key is None or nonce is None or s >= L:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % L
    left, right = multiply(s, BASE), add(nonce, multiply(h, key))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 and (left[1] * right[2] - right[1] * left[2]) % P == 0


def sha256(text):
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def parse(text):
    """Of a member that is there twice, each reader takes another."""
    def members(pairs):
        found = dict(pairs)
        if len(found) != len(pairs):
            raise Broken("a member is there twice: " + ", ".join(name for name, _ in pairs)[:200])
        return found
    return json.loads(text, object_pairs_hook=members)


def check_members(value, names, where):
    """What stands beside the members that hashes cover was written by nobody knows whom."""
    if list(value) != names:
        raise Broken(f"{where}: has other members than {', '.join(names)}")


def check_texts(stored, body, where):
    """A stored string that begins with NUL stands for another: an address for a long text, or one with a second NUL."""
    if isinstance(stored, str) and stored.startswith("\0"):
        if stored.startswith("\0blob:"):
            fits = isinstance(body, str) and sha256(body) == stored[len("\0blob:"):]
        else:
            fits = body == stored[1:]
    elif isinstance(stored, dict) and isinstance(body, dict):
        fits = list(stored) == list(body)
        for key in stored if fits else []:
            check_texts(stored[key], body[key], where)
    elif isinstance(stored, list) and isinstance(body, list):
        fits = len(stored) == len(body)
        for one, other in zip(stored, body):
            check_texts(one, other, where)
    else:
        fits = type(stored) is type(body) and stored == body
    if not fits:
        raise Broken(f"{where}: a text was changed")


def read_entry(line, entry, heads):
    session, seq = entry["session"], entry["seq"]
    where = f"session {session}, entry {seq}"
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}", session):
        raise Broken(f"{where}: no such session can be")
    stored = ["stored"] if "stored" in entry else []
    check_members(entry, ["session", "seq", "time", "hash", *stored, "body"], where)
    # The body is the last member, exactly as it was hashed, unless `stored` is there.
    text = line[line.index('"body":') + len('"body":'):-1]
    if parse(text) != entry["body"]:
        raise Broken(f"{where}: was changed")
    if "stored" in entry:
        check_texts(parse(entry["stored"]), entry["body"], where)
        text = entry["stored"]
    known = heads.setdefault(session, [])
    if seq != len(known) + 1:
        raise Broken(f"{where}: entry {len(known) + 1} is missing")
    previous = known[-1] if known else ""
    if sha256(f"{previous}\n{session}\n{seq}\n{entry['time']}\n{text}") != entry["hash"]:
        raise Broken(f"{where}: was changed, its hash does not fit")
    known.append(entry["hash"])


def read_seal(line, last, keys):
    seal, n = parse(line["text"]), (last["n"] if last else 0) + 1
    check_members(line, ["seal", "hash", "signature", "text"], f"seal {n}")
    if line["seal"] != n or seal["n"] != n or seal["v"] != 1:
        raise Broken(f"seal {n} is missing")
    if sha256(line["text"]) != line["hash"]:
        raise Broken(f"seal {n} was changed")
    if seal["prev"] != (last["hash"] if last else "") or seal["log"] != (last["log"] if last else seal["log"]):
        raise Broken(f"seal {n} does not follow the one before it")
    public = base64.urlsafe_b64decode(seal["key"] + "=")
    message = b"codelab seal 1\n" + line["text"].encode("utf-8")
    if not is_signed(public, message, base64.b64decode(line["signature"])):
        raise Broken(f"the signature of seal {n} does not fit")
    name = "SHA256:" + base64.b64encode(hashlib.sha256(public).digest()).decode().rstrip("=")
    if keys and name not in keys:
        raise Broken(f"seal {n} was signed with another key: {name}")
    return {**seal, "hash": line["hash"], "name": name}


def check_heads(points, heads, only):
    """Returns how many entries of the export are sealed."""
    proven = 0
    for session, sealed in points.items():
        if only and session != only:
            continue
        known = heads.get(session, [])
        for head in sealed:
            where = f"session {session}, entry {head['seq']}"
            if head["seq"] > len(known):
                raise Broken(f"{where}: was sealed and is missing")
            if known[head["seq"] - 1] != head["hash"]:
                raise Broken(f"{where}: it, or one before it, was rewritten after it was sealed")
        proven += max(head["seq"] for head in sealed)
    return proven


def verify(lines, keys, only):
    heads, points, signers, last, deleted = {}, {}, set(), None, 0
    for line in lines:
        line = line.rstrip("\n")
        value = parse(line)
        if "seal" not in value:
            read_entry(line, value, heads)
            continue
        last = read_seal(value, last, keys)
        signers.add(last["name"])
        for tombstone in last["deleted"]:
            points.pop(tombstone["session"], None)
            deleted += 1
        for head in last["heads"]:
            points.setdefault(head["session"], []).append(head)
    if only and only not in heads:
        raise Broken(f"session {only} is missing")
    proven = check_heads(points, heads, only)
    entries = sum(len(known) for known in heads.values())
    print(f"complete: {entries} entries in {len(heads)} sessions, every hash matches")
    if last is None and keys:
        raise Broken("no seal is in this export, so nothing of it was signed with that key")
    if last is None:
        print("not proven: there are no seals in this export; make it with --seals")
        return
    if len(signers) > 1 and not keys:
        raise Broken(f"several keys have signed; say with --key which are yours: {', '.join(sorted(signers))}")
    print(f"sealed: {proven} entries, {last['n']} seals, {deleted} signed deletions, keys: {', '.join(sorted(signers))}")
    if entries > proven:
        print(f"not proven: {entries - proven} entries are newer than the last seal")
    if not keys:
        print("not proven: whose key it is; compare it with `codelab doctor`, or give it with --key")
    print(f"not proven: that there were no seals after seal {last['n']} with the hash {last['hash']}; compare it with an anchor")


def main():
    parser = argparse.ArgumentParser(description="Verifies an export of a CodeLab audit record.")
    parser.add_argument("--key", action="append", default=[], help="fingerprint that is expected: SHA256:…")
    parser.add_argument("--session", help="only this session has to be there")
    parser.add_argument("file", nargs="?", help="the export (default: standard input)")
    options = parser.parse_args()
    try:
        with open(options.file or sys.stdin.fileno(), encoding="utf-8", newline="\n") as stream:
            verify(stream, set(options.key), options.session)
    except Broken as error:
        sys.exit(f"broken: {error}")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        sys.exit(f"broken: this is no export of an audit record ({type(error).__name__}: {error})")


if __name__ == "__main__":
    main()
