// The calls that are interrupted, and the small tree that they change.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** `turn` is the turn of a conversation that it belongs to. */
export type Call = { tool: string; args: Record<string, unknown>; turn?: number };

/** Every text is unique, so that it can be found wherever it is stored. */
const old = (path: string): string => `what ${path} was before, line one\nline two of ${path}\n`;
const now = (path: string): string => `what ${path} is now\nline two of ${path}\n`;

const names = ['a.txt', 'd/b.txt', 'd/e/c.txt', 'keep.txt', 'x/gone.txt'];
export const small = Object.fromEntries(names.map((path) => [path, old(path)]));

export const numbers = Array.from({ length: 24 }, (_, i) => String(i).padStart(2, '0'));
export const many = Object.fromEntries(numbers.map((n) => [`d/f${n}.txt`, old(`f${n}`)]));

const change = (path: string, name = path): string =>
  `--- a/${path}\n+++ b/${path}\n@@ -1,2 +1,2 @@\n-what ${name} was before, line one\n+what ${name} is now\n line two of ${name}\n`;
export const create = (path: string): string => `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+new ${path}\n`;
const remove = (path: string, name = path): string =>
  `--- a/${path}\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-what ${name} was before, line one\n-line two of ${name}\n`;
const rename = (from: string, to: string): string =>
  `diff --git a/${from} b/${to}\nsimilarity index 100%\nrename from ${from}\nrename to ${to}\n`;

export const patch = (...parts: string[]): Call => ({ tool: 'apply_patch', args: { diff: parts.join('') } });

export const patchOf2 = patch(change('a.txt'), change('d/b.txt'));
export const patchOf5 = patch(
  change('a.txt'),
  change('d/b.txt'),
  create('n/m/new.txt'),
  remove('d/e/c.txt'),
  rename('x/gone.txt', 'x/y/here.txt'),
);
/** A patch of enough files that they are overwritten in place. */
export const patchOf24 = patch(
  ...numbers.slice(0, 18).map((n) => change(`d/f${n}.txt`, `f${n}`)),
  ...numbers.slice(18, 21).map((n) => remove(`d/f${n}.txt`, `f${n}`)),
  ...['n/one.txt', 'n/m/two.txt'].map(create),
  rename('d/f21.txt', 'd/g21.txt'),
);
export const deleteFolder: Call = { tool: 'delete_file', args: { path: 'd', recursive: true } };
/** In this session: a companion may be at work as well. */
export const undo: Call = { tool: 'undo', args: { session: 's1' } };
export const forcedUndo: Call = { tool: 'undo', args: { session: 's1', force: true } };
export const redo: Call = { tool: 'redo', args: { session: 's1' } };

const cell = (source: string): string => `{
   "cell_type": "code",
   "execution_count": null,
   "id": "c1",
   "metadata": {},
   "outputs": [],
   "source": ["${source}"]
  }`;
export const notebook = `{
 "cells": [
  ${cell('print(1)')}
 ],
 "metadata": {},
 "nbformat": 4,
 "nbformat_minor": 5
}
`;

export const write = (path: string): Call => ({ tool: 'write_file', args: { path, content: now(path) } });
const edit = { old_string: 'before, line one', new_string: 'now' };
export const editOnce: Call = { tool: 'edit_file', args: { path: 'd/b.txt', ...edit } };
export const editTwice: Call = {
  tool: 'multi_edit',
  args: { path: 'd/b.txt', edits: [edit, { old_string: 'line two', new_string: 'the second line' }] },
};
export const editCell: Call = {
  tool: 'notebook_edit',
  args: { path: 'd/n.ipynb', cell_number: 0, new_source: 'print(2)' },
};
export const deleteFile: Call = { tool: 'delete_file', args: { path: 'd/b.txt' } };
export const move: Call = { tool: 'move_file', args: { from: 'd/b.txt', to: 'n/m/b.txt' } };
export const moveFolder: Call = { tool: 'move_file', args: { from: 'd', to: 'n/d' } };
export const moveReplacing: Call = {
  tool: 'move_file',
  args: { from: 'a.txt', to: 'd/b.txt', overwrite: true },
};
export const createFolder: Call = { tool: 'create_directory', args: { path: 'd/n/m' } };

export const inTurn = (call: Call): Call => ({ ...call, turn: 1 });
export const discard = (args: Record<string, unknown>): Call => ({ tool: 'discard_changes', args });
export const discardAll = discard({ turn: 1, all: true });

const changing = 'echo new > a.txt; mkdir -p n; echo new > n/new.txt; rm d/b.txt';
export const command: Call = { tool: 'run_command', args: { command: changing } };
export const persistent: Call = {
  tool: 'run_persistent',
  args: { command: `${changing}; echo ready; sleep 60`, process_id: 'p', ready_pattern: 'ready' },
};
/** The script makes files that need an approval, so they are held back. */
export const plantCall: Call = { tool: 'run_command', args: { command: 'sh plant.sh' } };
export const plantScript = 'echo use flake > .envrc; mkdir .vscode; echo "{}" > .vscode/tasks.json\n';
/** For the second call of the history. */
export const restoreHeld: Call = { tool: 'restore_held_back', args: { call_id: 'before_1' } };

/** The same by the user's hand. */
export function changeByHand(root: string): void {
  mkdirSync(join(root, 'n'));
  for (const path of ['a.txt', 'n/new.txt']) writeFileSync(join(root, path), `new ${path}\n`);
  rmSync(join(root, 'd/b.txt'));
}
