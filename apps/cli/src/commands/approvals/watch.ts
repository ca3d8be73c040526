// `codelab approvals watch`: shows each approval in full when it is asked, until it is interrupted.
import '../../shared.ts';
import type { FSWatcher } from 'node:fs';
import { ensureFolder, watchFolder } from '@codelab/runtime';
import { defaultHome } from '@codelab/server';
import { approvalText } from '../../approval/approval-text.ts';
import { findPendingApprovals, type PendingApproval } from '../../approval/pending-approvals.ts';
import { openLog } from '../../audit/open-log.ts';
import { commonOptions, defineCommand, realRoot } from '../../command-line/define-command.ts';
import { createInterruption, writeText } from '../../command-line/process.ts';
import { paintFor } from '../../output/paint.ts';
import { screenWidth } from '../../output/text-width.ts';
import { timeOfDay } from '../../output/units.ts';

const { workspace, json } = commonOptions;
const pollMs = 250;

export const approvalsWatch = defineCommand({
  words: '',
  takes: { min: 0, max: 0 },
  about: 'Shows approvals of this workspace as they arrive, and how to answer them. Ctrl-C stops it.',
  options: { all: { type: 'boolean', summary: 'include all workspaces' }, workspace, json },
  async run({ options }) {
    using interruption = createInterruption();
    await using log = await openLog();
    const root = options.all ? undefined : realRoot(options.workspace);
    const shownIds = new Set<string>();
    let after = 0;
    for await (const _change of changes(defaultHome(), interruption.signal)) {
      const looked = Date.now();
      for (const pending of await findPendingApprovals(log, { root, after })) {
        if (shownIds.has(pending.approval.id)) continue;
        shownIds.add(pending.approval.id);
        writeText(1, options.json ? `${JSON.stringify(pending.approval)}\n` : textOf(pending));
      }
      // An event that is appended during this look may have the same millisecond.
      after = looked - 1000;
    }
    return 130;
  },
});

function textOf({ session, approval }: PendingApproval): string {
  const paint = paintFor(1);
  const until = approval.deadline === undefined ? 'In' : `Until ${timeOfDay(approval.deadline)}, in`;
  const hint = `${until} session ${session.id}: codelab approvals approve ${approval.id} (or reject)`;
  return `${[...approvalText(approval, { columns: screenWidth(), paint }), paint('dim', hint), ''].join('\n')}\n`;
}

/** Once at the beginning, then whenever the log has changed. */
async function* changes(folder: string, signal: AbortSignal): AsyncGenerator<void> {
  ensureFolder(folder);
  let wake = (): void => undefined;
  let hasChanged = true;
  const onChange = (): void => {
    hasChanged = true;
    wake();
  };
  using stack = new DisposableStack();
  stack.use(watchOrPoll(folder, onChange));
  signal.addEventListener('abort', () => wake(), { once: true });
  while (!signal.aborted) {
    if (hasChanged) {
      hasChanged = false;
      yield;
    } else
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }
}

function watchOrPoll(folder: string, onChange: () => void): Disposable {
  let timer: NodeJS.Timeout | undefined;
  const poll = (): void => {
    timer ??= setInterval(onChange, pollMs);
  };
  const stop = (watcher?: FSWatcher): Disposable => ({
    [Symbol.dispose]() {
      watcher?.close();
      clearInterval(timer);
    },
  });
  try {
    return stop(watchFolder(folder, onChange).on('error', poll));
  } catch {
    poll();
    return stop();
  }
}
