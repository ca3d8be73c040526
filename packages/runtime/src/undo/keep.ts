// The quarantine slot of one call, made when the first thing goes into it.
import type { RunContext } from '../define-tool.ts';
import type { Directory } from '../workspace/directory.ts';
import { openSlot } from '../workspace/quarantine.ts';

// What a command may need to be undone is not pruned while it runs.
const runningMs = 24 * 60 * 60 * 1000;

export type Keep = Disposable & { slot(): Directory; item(): string };

export function openKeep({ home, slot, session, callId, workspace, lock }: RunContext): Keep {
  let opened: Directory | undefined;
  let items = 0;
  return {
    slot() {
      if (opened !== undefined) return opened;
      const entry = { root: workspace.root.real, session, callId, at: new Date().toISOString() };
      opened = openSlot(home, slot, entry);
      lock.hold((ledger) => ledger.enter(slot, runningMs));
      return opened;
    },
    item: () => String(items++),
    [Symbol.dispose]() {
      opened?.[Symbol.dispose]();
      opened = undefined;
    },
  };
}
