import { expect, test } from 'vitest';
import { countPieces, runInTurns, runNow, type Steps } from './steps.ts';

function* counting(to: number, ended: () => void): Steps<string, number> {
  try {
    for (let n = 1; n <= to; n++) yield n;
    return 'done';
  } finally {
    ended();
  }
}

test('work runs to its end at once, or with a turn for others at each pause', async () => {
  let ends = 0;
  const ended = (): number => ends++;
  expect(runNow(counting(3, ended))).toBe('done');
  const order: string[] = [];
  const work = runInTurns(counting(2, ended), {
    onProgress(n) {
      order.push(`step ${n}`);
      setImmediate(() => order.push('others'));
    },
  });
  expect(await work).toBe('done');
  expect(order).toEqual(['step 1', 'others', 'step 2', 'others']);
  expect(ends).toBe(2);
});

test('an abort ends the work where it is, and what it holds is let go', async () => {
  let hasEnded = false;
  const stop = new AbortController();
  const seen: number[] = [];
  const work = runInTurns(
    counting(10, () => {
      hasEnded = true;
    }),
    {
      signal: stop.signal,
      onProgress(n) {
        seen.push(n);
        if (n === 2) stop.abort();
      },
    },
  );
  await expect(work).rejects.toThrow('aborted');
  expect(seen).toEqual([1, 2]);
  expect(hasEnded).toBe(true);
});

test('a listener that throws ends the work as well', async () => {
  let hasEnded = false;
  const work = runInTurns(
    counting(10, () => {
      hasEnded = true;
    }),
    {
      onProgress() {
        throw new Error('no more');
      },
    },
  );
  await expect(work).rejects.toThrow('no more');
  expect(hasEnded).toBe(true);
});

test('a piece ends by entries or by bytes', () => {
  function* work(entries: number, bytes: number): Steps<void> {
    const pieces = countPieces();
    for (let n = 0; n < 1024; n++) {
      pieces.done.files++;
      yield* pieces.pause(entries, bytes);
    }
  }
  expect([...work(1, 0)].length).toBeGreaterThanOrEqual(16);
  expect([...work(0, 64 * 1024)].length).toBeGreaterThanOrEqual(32);
  expect([...work(1, 0)].at(-1)).toEqual({ files: 1024, bytes: 0 });
});
