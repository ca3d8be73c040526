// Who listens to a session. Each has a queue of its own with a bound, so that nobody waits for one that does not keep up.
import type { SessionMessage } from '@codelab/protocol';
import { charsOf } from '../log/stored-events.ts';
import { createEar, type Ear } from './ear.ts';
import { weigh } from './weigh.ts';

export type Listeners = Disposable & {
  tell(heard: SessionMessage): void;
  open(): Ear;
  readonly count: number;
};

export function createListeners(): Listeners {
  const ears = new Set<Ear>();
  return {
    get count() {
      return ears.size;
    },
    tell(heard) {
      let known: number | undefined;
      const weight = (): number => {
        known ??= (heard.type === 'event' ? charsOf(heard.event) : undefined) ?? weigh(heard);
        return known;
      };
      for (const ear of ears) ear.push(heard, weight);
    },
    open() {
      const ear = createEar(() => ears.delete(ear));
      ears.add(ear);
      return ear;
    },
    [Symbol.dispose]() {
      for (const ear of [...ears]) ear.close();
    },
  };
}
