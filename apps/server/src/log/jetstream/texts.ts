// Long texts beside the entries, by their hash: in pieces, under the session they belong to, so that deleting a session removes all of
// them with one request.
import { hash } from 'node:crypto';
import { ToolError } from '@codelab/protocol';
import { headers } from '@nats-io/transport-node';
import type { Broker } from './broker.ts';

export type Texts = {
  /** Returns the key. What was put before is not sent again. */
  put(owner: TextOwner, text: string): Promise<string>;
  get(owner: TextOwner, key: string): Promise<string>;
  /** Undefined when it is missing or was changed. */
  find(owner: TextOwner, key: string): Promise<string | undefined>;
  remove(owner: TextOwner): Promise<void>;
};

type TextOwner = { session: string; generation: number };

const piecesHeader = 'Codelab-Pieces';
const maxKnown = 2000;

export function keyOf(text: string): string {
  return hash('sha256', text, 'hex');
}

export function openTexts(broker: Broker): Texts {
  const { js, jsm, names, pieceBytes, patiently } = broker;
  /** Stored for sure, the oldest first. */
  const known = new Set<string>();
  const subjectOf = ({ session, generation }: TextOwner, key: string): string =>
    `${names.textSubjects}.${tokenOf(session)}.${generation}.${key}`;

  function note(subject: string): void {
    if (known.size >= maxKnown) known.delete(known.values().next().value ?? '');
    known.add(subject);
  }

  async function piece(subject: string, n: number): Promise<{ data: Uint8Array; count: number } | undefined> {
    const found = await patiently(() =>
      jsm.streams.getMessage(names.texts, { last_by_subj: `${subject}.${n}` }),
    );
    if (found === null) return undefined;
    return { data: found.data, count: Number(found.header.get(piecesHeader)) };
  }

  async function find(owner: TextOwner, key: string): Promise<string | undefined> {
    const subject = subjectOf(owner, key);
    const first = await piece(subject, 0);
    if (first === undefined) return undefined;
    const others = Array.from({ length: Math.max(0, first.count - 1) }, (_, i) => piece(subject, i + 1));
    const pieces = [first, ...(await Promise.all(others))];
    const text = Buffer.concat(pieces.flatMap((one) => (one ? [one.data] : []))).toString('utf8');
    return keyOf(text) === key ? text : undefined;
  }

  return {
    find,
    async put(owner, text) {
      const key = keyOf(text);
      const subject = subjectOf(owner, key);
      if (known.has(subject)) return key;
      const bytes = Buffer.from(text, 'utf8');
      const count = Math.max(1, Math.ceil(bytes.length / pieceBytes));
      for (let n = 0; n < count; n++) {
        const of = headers();
        of.set(piecesHeader, String(count));
        const data = bytes.subarray(n * pieceBytes, (n + 1) * pieceBytes);
        await patiently(() => js.publish(`${subject}.${n}`, data, { headers: of }));
      }
      note(subject);
      return key;
    },
    async get(owner, key) {
      const text = await find(owner, key);
      if (text !== undefined) return text;
      throw new ToolError('LOG_DAMAGED', `A text of the session log is missing or was changed (${key}).`);
    },
    async remove({ session, generation }) {
      const filter = `${names.textSubjects}.${tokenOf(session)}.${generation}.*.*`;
      await patiently(() => jsm.streams.purge(names.texts, { filter }));
      const start = filter.slice(0, -'*.*'.length);
      for (const subject of known) if (subject.startsWith(start)) known.delete(subject);
    },
  };
}

/** A session as one token of a subject, where a dot separates tokens. No session id has `=`. */
export function tokenOf(session: string): string {
  return session.replaceAll('.', '=');
}

export function sessionOf(token: string): string {
  return token.replaceAll('=', '.');
}
