// The quarantine slot of one call, made when the first thing goes into it.
import type { RunContext } from '../tool/define-tool.ts';
import type { Directory } from '../workspace/directory.ts';
import { openSlot } from '../workspace/quarantine.ts';

// What a command may need to be undone is not pruned while it runs.
const runningMs = 24 * 60 * 60 * 1000;

export type Keep = Disposable & {
  slot(): Directory;
  item(): string;
  /** Resolves when the slot, if there is one, is entered among those that are kept. */
  entered(): Promise<void>;
};

export function openKeep({ home, slot, session, callId, workspace, lock }: RunContext): Keep {
  let opened: Directory | undefined;
  let entering: Promise<void> | undefined;
  let items = 0;
  return {
    slot() {
      if (opened !== undefined) return opened;
      const entry = { root: workspace.root.real, session, callId, at: new Date().toISOString() };
      opened = openSlot(home, slot, entry);
      // One that can't be entered now is entered when the slots are next looked through.
      entering = lock.hold((ledger) => ledger.enter(slot, runningMs)).catch(() => undefined);
      return opened;
    },
    item: () => String(items++),
    entered: async () => await entering,
    [Symbol.dispose]() {
      opened?.[Symbol.dispose]();
      opened = undefined;
    },
  };
}
