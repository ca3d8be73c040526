// The same record by the least code: the entries of a call, hashed, in SQLite, long texts beside it by their hash, and on the disk before
// the effect what ours has on the disk before it.
import { hash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventBody } from '@codelab/protocol';
import { openRecord } from '../agent/floor-record.mjs';

export type BareRecord = {
  /** Before the effect: nothing for a call that changes nothing. */
  begin(): void;
  /** After the effect. */
  end(): void;
};

const longChars = 32 * 1024;

type Entry = { body: object; long: readonly string[] };

export function openBareRecord(folder: string, bodies: readonly EventBody[]): BareRecord {
  const texts = join(folder, 'texts');
  mkdirSync(texts, { recursive: true });
  const record = openRecord(join(folder, 'record.db'));
  const entries = bodies.map(withoutLong);
  const started = bodies.findIndex(({ type }) => type === 'call.started') + 1;
  const append = (some: readonly Entry[], isSynced: boolean): void => {
    for (const text of some.flatMap(({ long }) => long))
      writeFileSync(join(texts, hash('sha256', text)), text, { flush: isSynced });
    record.append(
      some.map(({ body }) => body),
      { isSynced },
    );
  };
  return {
    begin() {
      if (started > 0) append(entries.slice(0, started), true);
    },
    end: () => append(entries.slice(started), false),
  };
}

function withoutLong(body: EventBody): Entry {
  const long: string[] = [];
  const json = JSON.stringify(body, (_key, value: unknown) => {
    if (typeof value !== 'string' || value.length <= longChars) return value;
    long.push(value);
    return `text ${long.length}`;
  });
  return { body: JSON.parse(json), long };
}
