// Makes the changes of a set durable after they were made: at once, or behind the journal beside other work.
import { closeSync, constants, openSync } from 'node:fs';
import type { Located } from './locate.ts';
import { flushDirectory, syncFd } from './make-durable.ts';
import { removeJournal } from './redo-journal.ts';
import type { Stage } from './stage-changes.ts';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

// A program that ends waits this long for the disk. What is left is still in the journal.
const closingMs = 300;

/** Ends the stage. */
export async function syncDirectories(stage: Stage): Promise<void> {
  using _ended = stage;
  await syncParents(stage);
}

/** Behind the journal this may take its time. When the program ends first, the journal stays, and the next start syncs the files. */
export async function syncLater(
  stage: Stage,
  { home, closing }: { home: string; closing: AbortSignal },
  journal: string,
): Promise<void> {
  using _ended = stage;
  let until: number | undefined;
  for (const { fd, place, isInPlace } of stage.staged) {
    if (closing.aborted) until ??= performance.now() + closingMs;
    if (until !== undefined && performance.now() > until) return;
    if (fd !== undefined) await syncFd(fd);
    else if (isInPlace) await syncFile(place);
  }
  await syncParents(stage);
  removeJournal(home, journal);
}

async function syncParents({ staged }: Stage): Promise<void> {
  const done = new Set<string>();
  for (const { change, place, from, above } of staged) {
    for (const directory of [place.parent, above, from?.parent]) {
      if (directory === undefined || done.has(directory.real)) continue;
      done.add(directory.real);
      await flushDirectory(directory.fd, change.intent.path);
    }
  }
}

async function syncFile(place: Located): Promise<void> {
  const fd = openSync(place.parent.at(place.name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    await syncFd(fd);
  } finally {
    closeSync(fd);
  }
}
