// The quarantine slot of one call, made when the first thing goes into it.
import type { RunContext } from '../define-tool.ts';
import type { Directory } from '../workspace/directory.ts';
import { openSlot } from '../workspace/quarantine.ts';

export type Keep = Disposable & { slot(): Directory; item(): string };

export function openKeep({ home, slot, session, callId, workspace }: RunContext): Keep {
  let opened: Directory | undefined;
  let items = 0;
  return {
    slot() {
      opened ??= openSlot(home, slot, {
        root: workspace.root.real,
        session,
        callId,
        at: new Date().toISOString(),
      });
      return opened;
    },
    item: () => String(items++),
    [Symbol.dispose]() {
      opened?.[Symbol.dispose]();
      opened = undefined;
    },
  };
}
