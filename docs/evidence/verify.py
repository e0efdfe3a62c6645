"""Verifies a pack of evidence, as docs/evidence.md describes it. It shares no code with Docket.

    python3 verify.py PACK --key FILE.pub [--key FILE.pub]

Needs Python 3.11 and the package cryptography. Exits with 0, 1 or 2 as that page says.
"""
import base64, decimal, hashlib, json, re, struct, sys, zipfile
from datetime import datetime, timezone
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

MOST = {"items.ndjson": 2**32 - 1, "people.json": 2**28, "proof.json": 2**22,
        "report.html": 2**22, "manifest.json": 2**22, "signature.json": 2**12}

def need(holds, text):
    if not holds: raise ValueError(text)

def sha256(data): return hashlib.sha256(data).digest()

def open_zip(file):
    """Opens a ZIP that every program reads in the same way: its files follow one another."""
    end, at = file.seek(-22, 2), {0}
    magic, length, start, comment = struct.unpack("<4s8xLLH", file.read())
    need((magic, start + length, comment) == (b"PK\5\6", end, 0) and length <= 10_000, "it is not a ZIP, or its end is missing")
    pack = zipfile.ZipFile(file)
    for i in pack.infolist():
        name, flags = i.orig_filename, i.flag_bits
        need(name in MOST and pack.getinfo(name) is i, f"no pack has the file {name!r}, or has it twice")
        is_usual = i.compress_type in (0, 8) and i.extract_version <= 20 and not (flags & ~0x80e or i.extra or i.comment)
        need(is_usual and i.file_size <= MOST[name], f"{name} is too large, or packed in an unknown way")
        file.seek(i.header_offset)
        local, sizes = file.read(30 + len(name)), struct.pack("<LLL", i.CRC, i.compress_size, i.file_size)
        expected = struct.pack("<HH", flags, i.compress_type), struct.pack("<HH", len(name), 0) + name.encode()
        is_same = (local[6:10], local[26:]) == expected and (flags & 8 or local[14:26] == sizes)
        need(local[:4] == b"PK\3\4" and is_same and i.header_offset in at, "the ZIP contradicts its directory")
        at = {i.header_offset + len(local) + i.compress_size + more for more in ((12, 16) if flags & 8 else (0,))}
    need(start in at, "the ZIP contradicts its directory")
    return pack

def number(value):
    """A number as ECMAScript writes it (RFC 8785, section 3.2.2.3)."""
    if (value := float(value)) == 0: return "0"
    if 1e-6 <= abs(value) < 1e21: return f"{decimal.Decimal(repr(value)):f}".removesuffix(".0")
    return re.sub("e([+-])0?", r"e\1", repr(value))

def canonical(value):
    if isinstance(value, (int, float)) and not isinstance(value, bool): return number(value)
    if isinstance(value, list): return "[" + ",".join(map(canonical, value)) + "]"
    if not isinstance(value, dict): return json.dumps(value, ensure_ascii=False)
    names = sorted(value, key=lambda name: name.encode("utf-16-be"))
    return "{" + ",".join(canonical(name) + ":" + canonical(value[name]) for name in names) + "}"

def parse(data):
    need(canonical(value := json.loads(data.decode(), parse_int=float)).encode() == data, "JSON is not canonical")
    return value

def unbase64(text):
    data = base64.b64decode(text, validate=True)
    need(base64.b64encode(data).decode() == text, "a text is not base64")
    return data

def root(leaves):
    """The Merkle tree hash of RFC 6962, section 2.1, over hashes of leaves."""
    if len(leaves) < 2: return leaves[0] if leaves else sha256(b"")
    left = 1 << (len(leaves) - 1).bit_length() - 1
    return sha256(b"\1" + root(leaves[:left]) + root(leaves[left:]))

def lists_of(asked):
    if asked.get("body") is None: return [{"scheduleId": number} for number in asked["scheduleIds"]]
    body = asked["body"]
    conditions = [(kind, c) for kind in ("filters", "dateFilters") for c in body.get(kind, [])]
    def search(some):
        kinds = {kind: [c for of, c in some if of == kind] for kind in ("filters", "dateFilters")}
        return {"body": {k: v for k, v in ({"fieldSort": body.get("fieldSort")} | kinds).items() if v}}
    def turned(c): return {k: v for k, v in c.items() if k != "not"} | ({} if c.get("not") else {"not": True})
    parts = [search(conditions[:at] + [(kind, turned(c))]) for at, (kind, c) in enumerate(conditions)]
    return [search([]), {"body": body}, *parts] if parts else [search([])]

def digests(value):
    if isinstance(value, dict) and set(value) == {"person"}: yield value["person"]
    elif isinstance(value, (dict, list)):
        for part in value.values() if isinstance(value, dict) else value: yield from digests(part)

def check_items(lines, asked, proof, people):
    lists, rows, is_search = lists_of(asked), {}, asked.get("body") is not None
    while line := lines.readline(2**22):
        need(line[-1:] == b"\n" and len(line.decode().encode("utf-16-le")) <= 2**21, "a line is too long or cut off")
        at, row = (item := parse(line[:-1]))["list"], item["row"]
        need(len(item) == 2 and isinstance(at, float) and at in range(len(lists)), "a line is not a row")
        is_id = isinstance(row["id"], str) if is_search else row["id"].is_integer() and abs(row["id"]) < 2**53
        need(is_id and (key := (not is_search and at, row["id"])) not in rows, "an id is missing or comes again")
        need(people is None or all(one in people for one in digests(row)), "people.json lacks a person in the rows")
        rows[key] = (at, sha256(b"\0" + canonical(row).encode()))
    ordered = [rows[key] for key in sorted(rows)]
    for at, one in enumerate(lists):
        leaves = [leaf for of, leaf in ordered if of == at or (at == 0 and is_search)]
        one |= {"size": len(leaves), "root": root(leaves).hex()}
    none = sum(at == 0 for at, _ in ordered) if is_search and len(lists) > 1 else 0
    need(canonical(proof) == canonical({"inNone": none, "lists": lists, "tree": "RFC 6962, SHA-256"}), "the rows do not match the proof")
    return len(rows)

def is_complete(readings, proof):
    names = ("list", "round", "size", "root", "drift")
    read = sorted([reading[name] for name in names] for reading in readings)
    proved = [[at, turn, one["size"], one["root"], {}] for at, one in enumerate(proof["lists"]) for turn in (1, 2)]
    return canonical([read, proof["inNone"]]) == canonical([proved, 0])

def verify(path, trusted, say=print):
    """Returns the exit code. `trusted` are public keys of 32 bytes."""
    manifest = None
    try:
        pack = open_zip(open(path, "rb") if isinstance(path, str) else path)
        data = pack.read("manifest.json")
        need((claims := parse(data))["format"] == "docket-evidence/1", "it is of another format")
        manifest, key, names = claims, None, pack.namelist()
        if "signature.json" in names:
            signature = parse(pack.read("signature.json"))
            key, signed = unbase64(signature["publicKey"]), unbase64(signature["signature"])
            need(signature["algorithm"] == "Ed25519" and sha256(key).hex() == signature["keyId"], "the key's id is another")
            Ed25519PublicKey.from_public_bytes(key).verify(signed, data)
        need(set(manifest["files"]) == set(MOST) - {"manifest.json", "signature.json"}, "other files are listed")
        for name, file in manifest["files"].items():
            if name == "people.json" and name not in names: continue
            digest = hashlib.file_digest(pack.open(name), "sha256").hexdigest()
            need((pack.getinfo(name).file_size, digest) == (file["size"], file["sha256"]), f"{name} is another file")
        people = parse(pack.read("people.json")) if "people.json" in names else None
        for person, one in (people or {}).items():
            opened = sha256(unbase64(one["salt"]) + canonical(one["value"]).encode()).hex()
            need(opened == person, "people.json names somebody else")
        proof = parse(pack.read("proof.json"))
        count = check_items(pack.open("items.ndjson"), manifest["asked"], proof, people)
        need(manifest["complete"] is is_complete(manifest["readings"], proof), "the readings say otherwise")
        texts = [words := manifest["asked"]["words"], *manifest["incomplete"], *(manifest["by"] or {}).values()]
        texts += [manifest[name] for name in ("service", "docket", "proves", "doesNotProve")]
        need(all(isinstance(text, str) for text in texts), "a text is missing")
        need(re.fullmatch(r"[0-9-]{10}T[0-9:]{8}(\.(?!000)[0-9]{3})?Z", made := manifest["made"]), "the time is in another form")
        is_future = datetime.fromisoformat(made) > datetime.now(timezone.utc)
    except Exception as error:  # whatever a forged file causes
        say(f"{'Does not hold' if manifest else 'Not a pack'}: {error if type(error) is ValueError else repr(error)}")
        return 1 if manifest else 2
    say(f"Intact: {words!a}, {count} rows" + f"; says it was made in the future: {made}" * is_future)
    if key not in trusted: say("Not signed, or by a key that you did not give"); return 1
    say("complete" if manifest["complete"] else f"Incomplete: {' '.join(manifest['incomplete'])!a}")
    return 0

if __name__ == "__main__":
    pack, *words = sys.argv[1:] or sys.exit(__doc__)
    keys = [serialization.load_pem_public_key(open(name, "rb").read()).public_bytes_raw()
            for option, name in zip(words[::2], words[1::2], strict=True) if option == "--key"]
    sys.exit(verify(pack, keys))
