// One question at a time: there is one terminal, and calls may come side by side.
import '../shared.ts';
import type { Answer } from '@codelab/runtime';

export function inTurn(answer: Answer): Answer {
  let last: Promise<unknown> = Promise.resolve();
  return (approval, signal) => {
    const asked = last.then(() => (signal.aborted ? undefined : answer(approval, signal)));
    last = asked.catch(() => undefined);
    return asked;
  };
}
