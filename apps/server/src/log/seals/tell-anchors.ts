// Tells every anchor of a seal, each once and within bounded time, and notes beside the key how far each of them got.
import { setTimeout as wait } from 'node:timers/promises';
import { type Anchor, anchorName } from './anchor.ts';
import { fingerprintOf } from './audit-key.ts';
import { isInLog, type NotedLog } from './note-seal.ts';
import { publish } from './publish.ts';
import { type Anchored, readNote, writeNote } from './seal-note.ts';
import type { Written } from './write-seal.ts';

const mostMs = 5000;

type Options = { anchors: readonly Anchor[]; tell(error: unknown): void };

export async function tellAnchors(
  store: NotedLog,
  { seal, hash, signature }: Written,
  { anchors, tell }: Options,
): Promise<void> {
  if (anchors.length === 0) return;
  const { log, n, time, key } = seal;
  const line = { log, n, hash, time, key: fingerprintOf(key), signature };
  const results = await Promise.all(
    anchors.map(async (anchor): Promise<Anchored> => {
      try {
        // A file of a network that is gone would never answer.
        const late = wait(mostMs, undefined, { ref: false }).then(() => {
          throw new Error('it took too long');
        });
        await Promise.race([publish(anchor, line), late]);
        return { anchor, n, time: Date.now() };
      } catch (error) {
        const problem = reasonOf(error);
        tell(new Error(`the anchor ${anchorName(anchor)} could not be written: ${problem}`));
        return { anchor, problem };
      }
    }),
  );
  noteAnchors(store, results);
}

function noteAnchors(store: NotedLog, results: readonly Anchored[]): void {
  const note = readNote(store.keys, store.file);
  if (note === undefined || !isInLog(store, note)) return;
  const known = new Map(note.anchors.map((one) => [anchorName(one.anchor), one]));
  for (const one of results) {
    const name = anchorName(one.anchor);
    const { n, time } = known.get(name) ?? {};
    known.set(name, { ...(n !== undefined && { n }), ...(time !== undefined && { time }), ...one });
  }
  writeNote(store.keys, store.file, { ...note, anchors: [...known.values()] });
}

// `fetch` says only that it failed; why is in its cause.
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
