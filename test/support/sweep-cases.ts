// The interrupted calls: one of each changing tool, over a small tree that is a git repository.
import { appendFileSync, chmodSync, linkSync, mkdirSync, writeFileSync } from 'node:fs';
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
  forcedUndo,
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
  plantCall,
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
  /** The user's later change, on the branch `feature`. */
  afterwards?(root: string, git: RealGit): void;
  call: Call;
  /** The state folder is on another device, so that nothing can be moved or linked between them. */
  isApart?: boolean;
  /** A command is not all or nothing: its changes up to its end stay. */
  isCommand?: boolean;
};

type Rest = Partial<Omit<SweepCase, 'name' | 'call'>>;
const caseOf = (name: string, call: Call, rest: Rest = {}): SweepCase => ({
  name,
  files: small,
  history: [],
  call,
  ...rest,
});

const linked = caseOf('linked', write('d/b.txt'), {
  prepare: (root) => linkSync(join(root, 'd/b.txt'), join(root, 'twin.txt')),
});

const onOneDevice: readonly SweepCase[] = [
  caseOf('create', write('n/m/new.txt')),
  caseOf('overwrite', write('d/b.txt')),
  linked,
  caseOf('edit', editOnce),
  caseOf('multi-edit', editTwice),
  caseOf('notebook', editCell, { files: { ...small, 'd/n.ipynb': notebook } }),
  caseOf('patch-2', patchOf2),
  caseOf('patch-5', patchOf5),
  caseOf('patch-24', patchOf24, { files: many }),
  caseOf('delete-file', deleteFile),
  caseOf('delete-folder', deleteFolder),
  caseOf('move', move),
  caseOf('move-folder', moveFolder),
  caseOf('move-replacing', moveReplacing),
  caseOf('create-folder', createFolder),
  caseOf('command', command, { isCommand: true }),
  caseOf('undo-write', undo, { history: [write('d/b.txt')] }),
  caseOf('undo-patch', undo, { history: [patchOf5] }),
  caseOf('undo-patch-24', undo, { files: many, history: [patchOf24] }),
  caseOf('undo-delete', undo, { history: [deleteFolder] }),
  // The newest call of the turn can't be undone, the one before it can.
  caseOf('undo-part-refused', undo, {
    history: [inTurn(write('a.txt')), inTurn(write('d/b.txt'))],
    afterwards: (root) => appendFileSync(join(root, 'd/b.txt'), 'of the user\n'),
  }),
  // What the user has made in the place of the deleted folder is put aside.
  caseOf('undo-exchanged', forcedUndo, {
    history: [deleteFolder],
    afterwards(root) {
      mkdirSync(join(root, 'd'));
      writeFileSync(join(root, 'd', 'mine.txt'), 'of the user\n');
    },
  }),
  caseOf('redo-patch', redo, { history: [patchOf5, undo] }),
  caseOf('redo-patch-24', redo, { files: many, history: [patchOf24, undo] }),
  caseOf('undo-move-folder', undo, { history: [moveFolder] }),
  caseOf('undo-move-replacing', undo, { history: [moveReplacing] }),
  caseOf('undo-create-folder', undo, { history: [createFolder] }),
  caseOf('redo-delete', redo, { history: [deleteFolder, undo] }),
  caseOf('in-turn', inTurn(write('d/b.txt'))),
  caseOf('discard-all', discardAll, { history: [inTurn(patchOf5)] }),
  caseOf('discard-file', discard({ files: ['a.txt'] }), { history: [patchOf2] }),
  caseOf('discard-deletion', discardAll, {
    prepare: (root) => chmodSync(join(root, 'd/e'), 0o750),
    history: [inTurn(deleteFolder)],
  }),
  caseOf('undo-discard', undo, { history: [inTurn(patchOf5), discardAll] }),
  caseOf('redo-discard', redo, { history: [inTurn(patchOf5), discardAll, undo] }),
];

const gitBranch = (action: string, name: string): Call => ({ tool: 'git.branch', args: { action, name } });

/** Calls that run other programs. */
const byPrograms: readonly SweepCase[] = [
  caseOf(
    'execute',
    { tool: 'execute_command', args: { command: 'rm', args: ['a.txt', 'd/b.txt'] } },
    { isCommand: true },
  ),
  caseOf('persistent', persistent, { isCommand: true }),
  caseOf(
    'git-commit',
    { tool: 'git.commit', args: { message: 'x', files: ['a.txt', 'n/new.txt'] } },
    {
      isCommand: true,
      afterwards: changeByHand,
    },
  ),
  caseOf('git-switch', gitBranch('switch', 'main'), {
    isCommand: true,
    afterwards(root, git) {
      changeByHand(root);
      git('add', '--all');
      git('commit', '--quiet', '-m', 'feature');
    },
  }),
  caseOf('git-new-branch', gitBranch('create', 'x'), { isCommand: true }),
  ...(noSandbox === undefined ? inSandbox() : []),
];

/** Only the sandbox shows what a command wrote. */
function inSandbox(): SweepCase[] {
  const planted = { files: { ...small, 'plant.sh': plantScript } };
  return [
    caseOf('undo-command', undo, { history: [command] }),
    caseOf('redo-command', redo, { history: [command, undo] }),
    caseOf('restore-held', restoreHeld, { ...planted, history: [plantCall] }),
    caseOf('undo-restore-held', undo, { ...planted, history: [plantCall, restoreHeld] }),
  ];
}

const separateDisk = [
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
    .filter(({ name }) => hasDevices && separateDisk.includes(name))
    .map((sweepCase) => ({ ...sweepCase, name: `apart-${sweepCase.name}`, isApart: true })),
];

/** Thirty new files, in folders that are new as well. */
const created = numbers
  .concat(['24', '25', '26', '27', '28', '29'])
  .map((n) => `n${n.slice(0, 1)}/m${n}/f.txt`);

const changes: readonly SweepCase[] = [
  caseOf('write', write('d/b.txt')),
  linked,
  caseOf('patch-2', patch(create('p/d1/f1.txt'), create('q/d2/f2.txt'))),
  caseOf('patch-5', patchOf5),
  caseOf('patch-24', patchOf24, { files: many }),
  caseOf('patch-30', patch(...created.map(create))),
  caseOf('delete-file', deleteFile),
  caseOf('delete-folder', deleteFolder),
  caseOf('move', move),
  caseOf('move-folder', moveFolder),
  caseOf('move-replacing', moveReplacing),
];

/** For faults: each change, its undo and its redo. */
export const faultCases: readonly SweepCase[] = changes.flatMap((sweepCase) => [
  sweepCase,
  { ...sweepCase, name: `undo-${sweepCase.name}`, history: [sweepCase.call], call: undo },
  { ...sweepCase, name: `redo-${sweepCase.name}`, history: [sweepCase.call, undo], call: redo },
]);
