"""Verifies a pack of evidence, as docs/evidence.md describes it. Shares no code with Docket.

    python3 verify.py PACK --key FILE.pub [--key FILE.pub]

Needs Python 3.11 and the package cryptography. Exits with 0, 1 or 2 as that page says.
"""
import base64, decimal, hashlib, json, sys, zipfile
from datetime import datetime, timezone
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

MOST = {"items.ndjson": 2**32 - 1, "people.json": 2**28, "proof.json": 2**22,
        "report.html": 2**22, "manifest.json": 2**22, "signature.json": 2**12}

class Refuted(Exception): pass

def need(holds, text):
    if not holds: raise Refuted(text)

def sha256(data): return hashlib.sha256(data).digest()

def number(value):
    """A number as ECMAScript writes it (RFC 8785, section 3.2.2.3)."""
    need((value := float(value)) - value == 0, "a number is not finite")
    if value == 0: return "0"
    sign, digits, exponent = decimal.Decimal(repr(value)).normalize().as_tuple()
    text, point = "".join(map(str, digits)), len(digits) + exponent
    if len(text) <= point <= 21: text += "0" * (point - len(text))
    elif 0 < point <= 21: text = text[:point] + "." + text[point:]
    elif -6 < point <= 0: text = "0." + "0" * -point + text
    else: text = text[0] + ("." + text[1:]) * (len(text) > 1) + f"e{point - 1:+d}"
    return "-" * sign + text

def canonical(value):
    if isinstance(value, (int, float)) and not isinstance(value, bool): return number(value)
    if isinstance(value, list): return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(canonical(name) + ":" + canonical(value[name]) for name in names) + "}"
    return json.dumps(value, ensure_ascii=False)

def parse(data):
    value = json.loads(data.decode(), parse_int=float)
    need(canonical(value).encode() == data, "JSON is not in its canonical form")
    return value

def unbase64(text):
    data = base64.b64decode(text, validate=True)
    need(base64.b64encode(data).decode() == text, "a text is not base64")
    return data

def root(leaves):
    """The Merkle tree hash of RFC 6962, section 2.1, over hashes of leaves."""
    while len(leaves) > 1:  # level by level: a last one without a neighbour moves up
        leaves = [sha256(b"\1" + b"".join(leaves[at:at + 2])) if at + 1 < len(leaves) else leaves[at]
                  for at in range(0, len(leaves), 2)]
    return (leaves[0] if leaves else sha256(b"")).hex()

def lists_of(asked):
    if "body" not in asked: return [{"scheduleId": number} for number in asked["scheduleIds"]]
    body = asked["body"]
    sort = {"fieldSort": body["fieldSort"]} if body.get("fieldSort") else {}
    conditions = [(kind, c) for kind in ("filters", "dateFilters") for c in body.get(kind, [])]
    def search(some):
        kinds = {kind: [c for of, c in some if of == kind] for kind in ("filters", "dateFilters")}
        return {"body": sort | {kind: cs for kind, cs in kinds.items() if cs}}
    def turned(c): return {k: v for k, v in c.items() if k != "not"} | ({} if c.get("not") else {"not": True})
    parts = [search(conditions[:at] + [(kind, turned(c))]) for at, (kind, c) in enumerate(conditions)]
    return [search([]), search(conditions), *parts] if parts else [search([])]

def digests(value):
    if isinstance(value, dict) and set(value) == {"person"}: yield value["person"]
    elif isinstance(value, (dict, list)):
        for part in value.values() if isinstance(value, dict) else value: yield from digests(part)

def check_items(pack, asked, proof, people):
    lists, rows = proof["lists"], {}
    named = [{k: v for k, v in a.items() if k not in ("size", "root")} for a in lists]
    need(canonical(named) == canonical(lists_of(asked)), "the lists do not answer what was asked")
    with pack.open("items.ndjson") as lines:
        while line := lines.readline(2**22):
            units = len(line.decode().encode("utf-16-le")) // 2
            need(line.endswith(b"\n") and units <= 2**20, "a line is too long or cut off")
            item = parse(line[:-1])
            at, row = int(item["list"]), item["row"]
            need(set(item) == {"list", "row"} and 0 <= at < len(lists), "a line is not a row")
            need(isinstance(row["id"], str if "body" in asked else float), "an id is missing")
            key = row["id"] if "body" in asked else (at, row["id"])
            need(key not in rows, "an id comes once more")
            need(people is None or people.issuperset(digests(row)), "people.json lacks somebody")
            rows[key] = (at, sha256(b"\0" + canonical(row).encode()))
    ordered = [rows[key] for key in sorted(rows)]
    for at, proved in enumerate(lists):
        leaves = [leaf for of, leaf in ordered if of == at or (at == 0 and "body" in asked)]
        need([proved["size"], proved["root"]] == [len(leaves), root(leaves)], f"list {at} has another root")
    none = sum(at == 0 for at, _ in ordered) if "body" in asked and len(lists) > 1 else 0
    need(proof["inNone"] == none and proof["tree"] == "RFC 6962, SHA-256", "proof.json counts otherwise")
    return len(rows)

def is_complete(readings, proof):
    for at, proved in enumerate(proof["lists"]):
        own = [r for r in readings if r["list"] == at]
        if sorted(r["round"] for r in own) != [1, 2]: return False
        if any(r["drift"] or (r["size"], r["root"]) != (proved["size"], proved["root"]) for r in own): return False
    return proof["inNone"] == 0

def verify(path, trusted, say=print):
    """Returns the exit code. `trusted` are public keys of 32 bytes."""
    manifest = None
    try:
        pack = zipfile.ZipFile(path)
        names = pack.namelist()
        need(len(set(names)) == len(names) and set(names) <= set(MOST), "files that no pack has")
        need(all(i.file_size <= MOST[i.filename] for i in pack.infolist()), "a file is too large")
        data = pack.read("manifest.json")
        need(parse(data)["format"] == "docket-evidence/1", "it is of another format")
        manifest, key = parse(data), None
        if "signature.json" in names:
            signature = parse(pack.read("signature.json"))
            key = unbase64(signature["publicKey"])
            need(signature["algorithm"] == "Ed25519" and sha256(key).hex() == signature["keyId"], "the key's id is another")
            Ed25519PublicKey.from_public_bytes(key).verify(unbase64(signature["signature"]), data)
        need(set(manifest["files"]) == set(MOST) - {"manifest.json", "signature.json"}, "other files are listed")
        for name, file in manifest["files"].items():
            if name == "people.json" and name not in names: continue
            with pack.open(name) as stream: digest = hashlib.file_digest(stream, "sha256").hexdigest()
            is_same = [pack.getinfo(name).file_size, digest] == [file["size"], file["sha256"]]
            need(is_same, f"{name} is another file")
        people = parse(pack.read("people.json")) if "people.json" in names else None
        for person, opening in (people or {}).items():
            opened = sha256(unbase64(opening["salt"]) + canonical(opening["value"]).encode()).hex()
            need(opened == person, "people.json names somebody else")
        proof = parse(pack.read("proof.json"))
        count = check_items(pack, manifest["asked"], proof, None if people is None else set(people))
        made = datetime.fromisoformat(manifest["made"])
        need(manifest["complete"] is is_complete(manifest["readings"], proof), "the readings say otherwise")
    except Exception as error:  # whatever a forged file causes
        say(f"{'Does not hold' if manifest else 'Not a pack'}: {str(error) or type(error).__name__}")
        return 1 if manifest else 2
    say(f"Intact: {manifest['asked']['words']}, {count} rows")
    if made > datetime.now(timezone.utc): say(f"Says it was made in the future: {manifest['made']}")
    if key not in trusted: say("Not signed, or by a key that you did not give"); return 1
    say("complete" if manifest["complete"] else "Incomplete: " + " ".join(manifest["incomplete"]))
    return 0

if __name__ == "__main__":
    pack, *words = sys.argv[1:] or sys.exit(__doc__)
    keys = [serialization.load_pem_public_key(open(name, "rb").read()).public_bytes_raw()
            for option, name in zip(words[::2], words[1::2], strict=True) if option == "--key"]
    sys.exit(verify(pack, keys))
