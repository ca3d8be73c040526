// What is interrupted: one call of each changing tool, over a small tree that is a git repository.
import { linkSync } from 'node:fs';
import { join } from 'node:path';
import { canMount } from './tmpfs.ts';

type Call = { tool: string; args: Record<string, unknown> };

export type SweepCase = {
  name: string;
  files: Record<string, string>;
  prepare?(root: string): void;
  /** Calls that have been made, and committed, before. */
  history: readonly Call[];
  call: Call;
  /** The state folder is on another device, so that nothing can be moved or linked between them. */
  isApart?: boolean;
  /** A command is not all or nothing: what it did until it was ended stays. */
  isCommand?: boolean;
};

/** Every text is unlike any other, so that it can be looked for wherever it may be kept. */
const old = (path: string): string => `what ${path} was before, line one\nline two of ${path}\n`;
const now = (path: string): string => `what ${path} is now\nline two of ${path}\n`;

const names = ['a.txt', 'd/b.txt', 'd/e/c.txt', 'keep.txt', 'x/gone.txt'];
const small = Object.fromEntries(names.map((path) => [path, old(path)]));

const numbers = Array.from({ length: 24 }, (_, i) => String(i).padStart(2, '0'));
const many = Object.fromEntries(numbers.map((n) => [`d/f${n}.txt`, old(`f${n}`)]));

const change = (path: string, name = path): string =>
  `--- a/${path}\n+++ b/${path}\n@@ -1,2 +1,2 @@\n-what ${name} was before, line one\n+what ${name} is now\n line two of ${name}\n`;
const create = (path: string): string => `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+new ${path}\n`;
const remove = (path: string, name = path): string =>
  `--- a/${path}\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-what ${name} was before, line one\n-line two of ${name}\n`;
const rename = (from: string, to: string): string =>
  `diff --git a/${from} b/${to}\nsimilarity index 100%\nrename from ${from}\nrename to ${to}\n`;

const patch = (...parts: string[]): Call => ({ tool: 'apply_patch', args: { diff: parts.join('') } });

const patchOf2 = patch(change('a.txt'), change('d/b.txt'));
const patchOf5 = patch(
  change('a.txt'),
  change('d/b.txt'),
  create('n/m/new.txt'),
  remove('d/e/c.txt'),
  rename('x/gone.txt', 'x/y/here.txt'),
);
/** So many that they are written over in place. */
const patchOf24 = patch(
  ...numbers.slice(0, 18).map((n) => change(`d/f${n}.txt`, `f${n}`)),
  ...numbers.slice(18, 21).map((n) => remove(`d/f${n}.txt`, `f${n}`)),
  ...['n/one.txt', 'n/m/two.txt'].map(create),
  rename('d/f21.txt', 'd/g21.txt'),
);
const deleteFolder: Call = { tool: 'delete_file', args: { path: 'd', recursive: true } };
/** Of this session: somebody else may be at work as well. */
const undo: Call = { tool: 'undo', args: { session: 's1' } };
const redo: Call = { tool: 'redo', args: { session: 's1' } };

const cell = (source: string): string => `{
   "cell_type": "code",
   "execution_count": null,
   "id": "c1",
   "metadata": {},
   "outputs": [],
   "source": ["${source}"]
  }`;
const notebook = `{
 "cells": [
  ${cell('print(1)')}
 ],
 "metadata": {},
 "nbformat": 4,
 "nbformat_minor": 5
}
`;

type Rest = Partial<Omit<SweepCase, 'name' | 'call'>>;
const one = (name: string, call: Call, rest: Rest = {}): SweepCase => ({
  name,
  files: small,
  history: [],
  call,
  ...rest,
});
const write = (path: string): Call => ({ tool: 'write_file', args: { path, content: now(path) } });
const edit = { old_string: 'before, line one', new_string: 'now' };

const onOneDevice: readonly SweepCase[] = [
  one('create', write('n/m/new.txt')),
  one('overwrite', write('d/b.txt')),
  one('linked', write('d/b.txt'), {
    prepare: (root) => linkSync(join(root, 'd/b.txt'), join(root, 'twin.txt')),
  }),
  one('edit', { tool: 'edit_file', args: { path: 'd/b.txt', ...edit } }),
  one('multi-edit', {
    tool: 'multi_edit',
    args: { path: 'd/b.txt', edits: [edit, { old_string: 'line two', new_string: 'the second line' }] },
  }),
  one(
    'notebook',
    { tool: 'notebook_edit', args: { path: 'd/n.ipynb', cell_number: 0, new_source: 'print(2)' } },
    { files: { ...small, 'd/n.ipynb': notebook } },
  ),
  one('patch-2', patchOf2),
  one('patch-5', patchOf5),
  one('patch-24', patchOf24, { files: many }),
  one('delete-file', { tool: 'delete_file', args: { path: 'd/b.txt' } }),
  one('delete-folder', deleteFolder),
  one('move', { tool: 'move_file', args: { from: 'd/b.txt', to: 'n/m/b.txt' } }),
  one('move-folder', { tool: 'move_file', args: { from: 'd', to: 'n/d' } }),
  one('move-replacing', { tool: 'move_file', args: { from: 'a.txt', to: 'd/b.txt', overwrite: true } }),
  one('create-folder', { tool: 'create_directory', args: { path: 'd/n/m' } }),
  one(
    'command',
    {
      tool: 'run_command',
      args: { command: 'echo new > a.txt; mkdir -p n; echo new > n/new.txt; rm d/b.txt' },
    },
    { isCommand: true },
  ),
  one('undo-write', undo, { history: [write('d/b.txt')] }),
  one('undo-patch', undo, { history: [patchOf5] }),
  one('undo-patch-24', undo, { files: many, history: [patchOf24] }),
  one('undo-delete', undo, { history: [deleteFolder] }),
  one('redo-patch', redo, { history: [patchOf5, undo] }),
  one('redo-patch-24', redo, { files: many, history: [patchOf24, undo] }),
];

const apart = [
  'overwrite',
  'patch-5',
  'delete-folder',
  'move-replacing',
  'undo-patch',
  'undo-delete',
  'redo-patch',
];

/** Devices are made by mounting. */
const hasDevices = canMount();
export const sweepCases: readonly SweepCase[] = [
  ...onOneDevice,
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
  one('linked', write('d/b.txt'), {
    prepare: (root) => linkSync(join(root, 'd/b.txt'), join(root, 'twin.txt')),
  }),
  one('patch-2', patch(create('p/d1/f1.txt'), create('q/d2/f2.txt'))),
  one('patch-5', patchOf5),
  one('patch-24', patchOf24, { files: many }),
  one('patch-30', patch(...created.map(create))),
  one('delete-file', { tool: 'delete_file', args: { path: 'd/b.txt' } }),
  one('delete-folder', deleteFolder),
  one('move', { tool: 'move_file', args: { from: 'd/b.txt', to: 'n/m/b.txt' } }),
  one('move-folder', { tool: 'move_file', args: { from: 'd', to: 'n/d' } }),
  one('move-replacing', { tool: 'move_file', args: { from: 'a.txt', to: 'd/b.txt', overwrite: true } }),
];

/** For faults: each change, its undo and its redo. */
export const faultCases: readonly SweepCase[] = changes.flatMap((it) => [
  it,
  { ...it, name: `undo-${it.name}`, history: [it.call], call: undo },
  { ...it, name: `redo-${it.name}`, history: [it.call, undo], call: redo },
]);
