// A program that rewrites the session log like an attacker who can write to the state folder and knows the format: it recomputes every
// unkeyed hash. Run as a separate process: attacker.ts FILE ATTACK.
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

const [, , file = '', attack = ''] = process.argv;
const db = new DatabaseSync(file);

const attacks: Record<string, () => void> = {
  rewrite() {
    db.exec("UPDATE events SET json = replace(json, 'first', 'FIRST') WHERE session = 's1' AND seq = 2");
    rechain('s1');
  },
  'delete-session'() {
    for (const table of ['heads', 'events']) db.exec(`DELETE FROM ${table} WHERE session = 's1'`);
  },
  truncate() {
    db.exec("DELETE FROM events WHERE session = 's1' AND seq > 2");
    rechain('s1');
  },
  'truncate-with-seals'() {
    attacks.truncate?.();
    db.exec('DELETE FROM seals WHERE n > 1');
  },
  'without-seals'() {
    attacks.rewrite?.();
    db.exec('DELETE FROM seals');
  },
  'own-key'() {
    attacks.rewrite?.();
    const heads = db.prepare('SELECT session, seq, hash FROM heads').all();
    const texts = db.prepare('SELECT text FROM seals ORDER BY n').all();
    reseal(texts.map(({ text }) => ({ ...JSON.parse(String(text)), heads, deleted: [] })));
  },
  'own-tombstone'() {
    const { hash } = db.prepare("SELECT hash FROM heads WHERE session = 's1'").get() ?? {};
    attacks['delete-session']?.();
    const { n, text, hash: prev } = db.prepare('SELECT * FROM seals ORDER BY n DESC LIMIT 1').get() ?? {};
    const deleted = [{ session: 's1', entries: 3, hash, who: 'root', via: 'codelab', time: 1 }];
    const last = JSON.parse(String(text));
    reseal([{ ...last, n: Number(n) + 1, heads: [], deleted }], String(prev));
  },
  'change-seal'() {
    db.exec(`UPDATE seals SET text = replace(text, '"seq":3', '"seq":2') WHERE n = 1`);
    const text = String(db.prepare('SELECT text FROM seals WHERE n = 1').get()?.text);
    db.prepare('UPDATE seals SET hash = ? WHERE n = 1').run(sha256(text));
  },
  'drop-table'() {
    db.exec('DROP TABLE seals');
  },
  'remove-seal'() {
    db.exec('DELETE FROM seals WHERE n = 1');
  },
};

attacks[attack]?.();
db.close();

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function rechain(session: string): void {
  let [hash, seq] = ['', 0];
  for (const row of db.prepare('SELECT * FROM events WHERE session = ? ORDER BY seq').all(session)) {
    hash = sha256(`${hash}\n${session}\n${row.seq}\n${row.time}\n${row.json}`);
    seq = Number(row.seq);
    db.prepare('UPDATE events SET hash = ? WHERE session = ? AND seq = ?').run(hash, session, seq);
  }
  db.prepare('UPDATE heads SET seq = ?, hash = ? WHERE session = ?').run(seq, hash, session);
  db.prepare(
    'UPDATE heads SET last_at = (SELECT time FROM events WHERE session = ?1 AND seq = ?2) WHERE session = ?1',
  ).run(session, seq);
}

function reseal(seals: readonly Record<string, unknown>[], before = ''): void {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  let prev = before;
  for (const seal of seals) {
    const text = JSON.stringify({ ...seal, prev, key: publicKey.export({ format: 'jwk' }).x });
    const signature = sign(null, Buffer.from(`codelab seal 1\n${text}`), privateKey).toString('base64');
    prev = sha256(text);
    const insert = 'INSERT OR REPLACE INTO seals (n, at, text, hash, signature) VALUES (?, ?, ?, ?, ?)';
    db.prepare(insert).run(Number(seal.n), Number(seal.at), text, prev, signature);
  }
}
