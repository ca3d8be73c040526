// What is interrupted: one call of each changing tool, over a small tree that is a git repository.
import { appendFileSync, chmodSync, linkSync } from 'node:fs';
import { join } from 'node:path';
import type { RealGit } from './real-git.ts';
import { noSandbox } from './sandbox-bench.ts';
import {
  type Call,
  changeByHand,
  command,
  create,
  createFolder,
  deleteFile,
  deleteFolder,
  discard,
  discardAll,
  editCell,
  editOnce,
  editTwice,
  inTurn,
  many,
  move,
  moveFolder,
  moveReplacing,
  notebook,
  numbers,
  patch,
  patchOf2,
  patchOf5,
  patchOf24,
  persistent,
  plant,
  plantScript,
  redo,
  restoreHeld,
  small,
  undo,
  write,
} from './sweep-calls.ts';
import { canMount } from './tmpfs.ts';

export type SweepCase = {
  name: string;
  files: Record<string, string>;
  prepare?(root: string): void;
  /** Calls that have been made, and committed, before. */
  history: readonly Call[];
  /** What the user has done after that, on the branch `feature`. */
  afterwards?(root: string, git: RealGit): void;
  call: Call;
  /** The state folder is on another device, so that nothing can be moved or linked between them. */
  isApart?: boolean;
  /** A command is not all or nothing: what it did until it was ended stays. */
  isCommand?: boolean;
};

type Rest = Partial<Omit<SweepCase, 'name' | 'call'>>;
const one = (name: string, call: Call, rest: Rest = {}): SweepCase => ({
  name,
  files: small,
  history: [],
  call,
  ...rest,
});

const linked = one('linked', write('d/b.txt'), {
  prepare: (root) => linkSync(join(root, 'd/b.txt'), join(root, 'twin.txt')),
});

const onOneDevice: readonly SweepCase[] = [
  one('create', write('n/m/new.txt')),
  one('overwrite', write('d/b.txt')),
  linked,
  one('edit', editOnce),
  one('multi-edit', editTwice),
  one('notebook', editCell, { files: { ...small, 'd/n.ipynb': notebook } }),
  one('patch-2', patchOf2),
  one('patch-5', patchOf5),
  one('patch-24', patchOf24, { files: many }),
  one('delete-file', deleteFile),
  one('delete-folder', deleteFolder),
  one('move', move),
  one('move-folder', moveFolder),
  one('move-replacing', moveReplacing),
  one('create-folder', createFolder),
  one('command', command, { isCommand: true }),
  one('undo-write', undo, { history: [write('d/b.txt')] }),
  one('undo-patch', undo, { history: [patchOf5] }),
  one('undo-patch-24', undo, { files: many, history: [patchOf24] }),
  one('undo-delete', undo, { history: [deleteFolder] }),
  // The newest call of the turn can't be undone, the one before it can.
  one('undo-part-refused', undo, {
    history: [inTurn(write('a.txt')), inTurn(write('d/b.txt'))],
    afterwards: (root) => appendFileSync(join(root, 'd/b.txt'), 'of the user\n'),
  }),
  one('redo-patch', redo, { history: [patchOf5, undo] }),
  one('redo-patch-24', redo, { files: many, history: [patchOf24, undo] }),
  one('undo-move-folder', undo, { history: [moveFolder] }),
  one('undo-move-replacing', undo, { history: [moveReplacing] }),
  one('undo-create-folder', undo, { history: [createFolder] }),
  one('redo-delete', redo, { history: [deleteFolder, undo] }),
  one('in-turn', inTurn(write('d/b.txt'))),
  one('discard-all', discardAll, { history: [inTurn(patchOf5)] }),
  one('discard-file', discard({ files: ['a.txt'] }), { history: [patchOf2] }),
  one('discard-deletion', discardAll, {
    prepare: (root) => chmodSync(join(root, 'd/e'), 0o750),
    history: [inTurn(deleteFolder)],
  }),
  one('undo-discard', undo, { history: [inTurn(patchOf5), discardAll] }),
  one('redo-discard', redo, { history: [inTurn(patchOf5), discardAll, undo] }),
];

const gitBranch = (action: string, name: string): Call => ({ tool: 'git.branch', args: { action, name } });

/** What other programs do for us. */
const byPrograms: readonly SweepCase[] = [
  one(
    'execute',
    { tool: 'execute_command', args: { command: 'rm', args: ['a.txt', 'd/b.txt'] } },
    { isCommand: true },
  ),
  one('persistent', persistent, { isCommand: true }),
  one(
    'git-commit',
    { tool: 'git.commit', args: { message: 'x', files: ['a.txt', 'n/new.txt'] } },
    {
      isCommand: true,
      afterwards: changeByHand,
    },
  ),
  one('git-switch', gitBranch('switch', 'main'), {
    isCommand: true,
    afterwards(root, git) {
      changeByHand(root);
      git('add', '--all');
      git('commit', '--quiet', '-m', 'feature');
    },
  }),
  one('git-new-branch', gitBranch('create', 'x'), { isCommand: true }),
  ...(noSandbox === undefined ? inSandbox() : []),
];

/** Only where the sandbox holds is it known what a command wrote. */
function inSandbox(): SweepCase[] {
  const planted = { files: { ...small, 'plant.sh': plantScript } };
  return [
    one('undo-command', undo, { history: [command] }),
    one('redo-command', redo, { history: [command, undo] }),
    one('restore-held', restoreHeld, { ...planted, history: [plant] }),
    one('undo-restore-held', undo, { ...planted, history: [plant, restoreHeld] }),
  ];
}

const apart = [
  'overwrite',
  'patch-5',
  'delete-folder',
  'move-replacing',
  'undo-patch',
  'undo-delete',
  'redo-patch',
  'discard-all',
  'discard-deletion',
];

/** Devices are made by mounting. */
const hasDevices = canMount();
export const sweepCases: readonly SweepCase[] = [
  ...onOneDevice,
  ...byPrograms,
  ...onOneDevice
    .filter(({ name }) => hasDevices && apart.includes(name))
    .map((it) => ({ ...it, name: `apart-${it.name}`, isApart: true })),
];

/** Thirty new files, in folders that are new as well. */
const created = numbers
  .concat(['24', '25', '26', '27', '28', '29'])
  .map((n) => `n${n.slice(0, 1)}/m${n}/f.txt`);

const changes: readonly SweepCase[] = [
  one('write', write('d/b.txt')),
  linked,
  one('patch-2', patch(create('p/d1/f1.txt'), create('q/d2/f2.txt'))),
  one('patch-5', patchOf5),
  one('patch-24', patchOf24, { files: many }),
  one('patch-30', patch(...created.map(create))),
  one('delete-file', deleteFile),
  one('delete-folder', deleteFolder),
  one('move', move),
  one('move-folder', moveFolder),
  one('move-replacing', moveReplacing),
];

/** For faults: each change, its undo and its redo. */
export const faultCases: readonly SweepCase[] = changes.flatMap((it) => [
  it,
  { ...it, name: `undo-${it.name}`, history: [it.call], call: undo },
  { ...it, name: `redo-${it.name}`, history: [it.call, undo], call: redo },
]);
