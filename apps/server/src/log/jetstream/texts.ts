// Long texts beside the entries, by their hash: in pieces, under the session they belong to, so that deleting a session removes all of
// them with one request.
import { hash } from 'node:crypto';
import { ToolError } from '@codelab/protocol';
import { headers } from '@nats-io/transport-node';
import type { Broker } from './broker.ts';

export type Texts = {
  /** Returns the key of the text. A text that this process has put before is not sent again. */
  put(owner: TextOwner, text: string): Promise<string>;
  get(owner: TextOwner, key: string): Promise<string>;
  /** Undefined when the text is missing or was changed. */
  find(owner: TextOwner, key: string): Promise<string | undefined>;
  remove(owner: TextOwner): Promise<void>;
};

type TextOwner = { session: string; generation: number };

const piecesHeader = 'Codelab-Pieces';
const maxStored = 2000;

export function keyOf(text: string): string {
  return hash('sha256', text, 'hex');
}

export function openTexts(broker: Broker): Texts {
  const { jsm, names, withRetries } = broker;
  /** Subjects of texts that the server has confirmed, the oldest first. */
  const stored = new Set<string>();
  const subjectOf = ({ session, generation }: TextOwner, key: string): string =>
    `${names.textSubjects}.${tokenOf(session)}.${generation}.${key}`;
  return {
    find: (owner, key) => findText(broker, subjectOf(owner, key), key),
    async put(owner, text) {
      const key = keyOf(text);
      const subject = subjectOf(owner, key);
      if (stored.has(subject)) return key;
      await publishPieces(broker, subject, text);
      if (stored.size >= maxStored) stored.delete(stored.values().next().value ?? '');
      stored.add(subject);
      return key;
    },
    async get(owner, key) {
      const text = await findText(broker, subjectOf(owner, key), key);
      if (text !== undefined) return text;
      throw new ToolError('LOG_DAMAGED', `A text of the session log is missing or was changed (${key}).`);
    },
    async remove({ session, generation }) {
      const filter = `${names.textSubjects}.${tokenOf(session)}.${generation}.*.*`;
      await withRetries(() => jsm.streams.purge(names.texts, { filter }));
      const start = filter.slice(0, -'*.*'.length);
      for (const subject of stored) if (subject.startsWith(start)) stored.delete(subject);
    },
  };
}

/** Every piece says how many there are, so that a reader knows from the first one what to ask for. */
async function publishPieces(
  { js, pieceBytes, withRetries }: Broker,
  subject: string,
  text: string,
): Promise<void> {
  const bytes = Buffer.from(text, 'utf8');
  const count = Math.max(1, Math.ceil(bytes.length / pieceBytes));
  for (let n = 0; n < count; n++) {
    const header = headers();
    header.set(piecesHeader, String(count));
    const data = bytes.subarray(n * pieceBytes, (n + 1) * pieceBytes);
    await withRetries(() => js.publish(`${subject}.${n}`, data, { headers: header }));
  }
}

async function findText(broker: Broker, subject: string, key: string): Promise<string | undefined> {
  const first = await findPiece(broker, subject, 0);
  if (first === undefined) return undefined;
  const others = Array.from({ length: Math.max(0, first.count - 1) }, (_, i) =>
    findPiece(broker, subject, i + 1),
  );
  const pieces = [first, ...(await Promise.all(others))];
  const text = Buffer.concat(pieces.flatMap((piece) => (piece ? [piece.data] : []))).toString('utf8');
  return keyOf(text) === key ? text : undefined;
}

async function findPiece(
  { jsm, names, withRetries }: Broker,
  subject: string,
  n: number,
): Promise<{ data: Uint8Array; count: number } | undefined> {
  const found = await withRetries(() =>
    jsm.streams.getMessage(names.texts, { last_by_subj: `${subject}.${n}` }),
  );
  if (found === null) return undefined;
  return { data: found.data, count: Number(found.header.get(piecesHeader)) };
}

/** A session as one token of a subject, where a dot separates tokens. No session id has `=`. */
export function tokenOf(session: string): string {
  return session.replaceAll('.', '=');
}

export function sessionOf(token: string): string {
  return token.replaceAll('=', '.');
}
