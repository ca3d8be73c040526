// Holds back what an unasked supervised process leaves: checked at its end, and whenever somebody reads its output. A process may run for
// hours while its user works in the same folder, so only new files that git would execute and new CodeLab settings are taken. Files that
// existed before are read-only for such a process.

import type { ProcessWatch } from '../process/supervised/supervisor.ts';
import { type GitFiles, readGitFiles } from '../snapshot/git-deciding-files.ts';
import { openBeforeSlot } from '../snapshot/kept-before.ts';
import { scanForRepositories } from '../snapshot/repositories.ts';
import type { RunContext } from '../tool/define-tool.ts';
import { foldPath } from '../workspace/paths.ts';
import { reasons } from './hold-back.ts';
import { type HeldBackFile, type HoldBackResult, takeEach } from './take-each.ts';

const budget = { entries: 2_000_000, ms: 10_000 };
// A check may take a twentieth of the time.
const share = 20;
const pointsElsewhere =
  /\/(?:commondir|config\.worktree|objects\/info\/(?:http-)?alternates|(?:remotes|branches)\/[^/]+)$/;

export async function watchProcess(context: RunContext): Promise<ProcessWatch> {
  const { root } = context.workspace;
  const startedAt = Date.now();
  const keep = openBeforeSlot(context);
  const holding: HoldBackResult = { held: [], notes: [] };
  const before = await scanForRepositories({ root, folders: [''], known: new Map(), startedAt, budget });
  const gits = (): GitFiles => readGitFiles(root.real, before.found.keys());
  const knownGits = gits();
  let notBefore = 0;
  let last = Promise.resolve();

  async function lookNow(): Promise<void> {
    const began = performance.now();
    const isWanted = (path: string): boolean => foldPath(path) === '.codelab';
    const { created, matches: protectedPaths } = await scanForRepositories({
      root,
      folders: [''],
      known: before.found,
      isWanted,
      startedAt,
      budget,
    });
    const pointers = [...gits().keys()].filter((path) => pointsElsewhere.test(path) && !knownGits.has(path));
    const found = [
      ...created.map((path): HeldBackFile => ({ path, change: 'new', why: reasons.repository })),
      ...protectedPaths.map((path): HeldBackFile => ({ path, change: 'new', why: reasons.protected })),
      ...pointers.map((path): HeldBackFile => ({ path, change: 'new', why: reasons.git })),
    ];
    await takeEach(context, keep, found, holding);
    const now = performance.now();
    notBefore = now + share * (now - began);
  }

  const checkNow = (): Promise<void> => {
    last = last.then(lookNow).catch(() => undefined);
    return last;
  };
  return {
    callId: context.callId,
    get held() {
      return holding.held;
    },
    look: async () => {
      if (performance.now() >= notBefore) await checkNow();
    },
    async end() {
      await checkNow();
      keep[Symbol.dispose]();
    },
  };
}
