// Reads the settings of a repository without obeying them, and disarms those that name programs.
import { isUtf8 } from 'node:buffer';
import { type BigIntStats, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { identity } from '../workspace/directory.ts';
import type { Repository } from './find-repository.ts';
import { gitFailure } from './git-failure.ts';
import type { ProgramRun } from './run-program.ts';

// Every setting git would use here, as git itself lists them (listing runs nothing). Read again only when one of the files changed.

/** One setting; the last one of a name counts. `isExact`: the name is text, so it can be passed to git again. */
type Setting = { origin: string; key: string; value: string; isExact: boolean };
export type GitSettings = readonly Setting[];

type CachedSettings = { files: ReadonlyMap<string, string>; settings: GitSettings };

const maxSettingBytes = 4 * 1024 * 1024;
// A file that changed twice within one tick of the disk's clock looks unchanged, so settings younger than this are not cached.
const settledMs = 100;
const cache = new Map<string, CachedSettings>();

type List = (maxBytes: number) => Promise<ProgramRun>;

/** `list` runs `git config --list -z --show-origin` with only the fixed settings. */
export async function readGitSettings(repository: Repository, list: List): Promise<GitSettings> {
  const cached = cache.get(repository.gitDirectory);
  if (cached !== undefined && [...cached.files].every(([path, print]) => printOf(path) === print))
    return cached.settings;
  cache.delete(repository.gitDirectory);
  const before = new Map(settingFiles(repository).map((path) => [path, printOf(path)]));
  const startedAt = Date.now();
  const ran = await list(maxSettingBytes);
  if (ran.exitCode !== 0 || ran.isCut) throw gitFailure(ran);
  const settings = parse(ran.stdout);
  if (isKeepable(settings, before, repository, startedAt))
    cache.set(repository.gitDirectory, { files: before, settings });
  return settings;
}

function settingFiles({ gitDirectory, commonDirectory }: Repository): string[] {
  const home = process.env.HOME ?? homedir();
  const user = process.env.XDG_CONFIG_HOME || join(home, '.config');
  return [
    join(commonDirectory, 'config'),
    join(gitDirectory, 'config.worktree'),
    join(home, '.gitconfig'),
    join(user, 'git', 'config'),
    '/etc/gitconfig',
  ];
}

function isKeepable(
  settings: GitSettings,
  files: ReadonlyMap<string, string>,
  { top, commonDirectory }: Repository,
  startedAt: number,
): boolean {
  const origins = new Set(settings.map(({ origin }) => origin));
  const read = [...origins]
    .filter((origin) => origin.startsWith('file:'))
    .map((origin) => resolve(top, origin.slice(5)));
  // Included files are not watched, so settings with an include are not cached.
  const includes = settings.some(({ key }) => /^include(if)?\./.test(key));
  // git leaves out the settings of a repository whose owner it does not trust, and may read them on the next run.
  const hasOwn = read.includes(join(commonDirectory, 'config'));
  return (
    hasOwn &&
    !includes &&
    read.every((path) => files.has(path)) &&
    [...files.keys()].every(
      (path) => startedAt - Number((statOf(path)?.ctimeNs ?? 0n) / 1_000_000n) > settledMs,
    )
  );
}

function printOf(path: string): string {
  const stat = statOf(path);
  return stat === undefined ? 'absent' : identity(stat);
}

function statOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

// Pairs of origin and `key\nvalue`, each followed by a NUL; a key without a value has no `\n`.
function parse(bytes: Buffer): GitSettings {
  const fields = bytes.toString('latin1').split('\0');
  const list: Setting[] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [key = '', ...value] = (fields[i + 1] ?? '').split('\n');
    const name = Buffer.from(key, 'latin1');
    list.push({
      origin: utf8(fields[i] ?? ''),
      key: name.toString(),
      value: utf8(value.join('\n')),
      isExact: isUtf8(name),
    });
  }
  return list;
}

function utf8(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString();
}

// Settings that keep git from running anything that a repository names. They are passed in the environment, where they override every
// file and where a name may contain any character.

/** Switched off in every repository. */
export const neutralSettings: readonly (readonly [string, string])[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.pager', 'cat'],
  ['core.editor', ':'],
  ['core.askPass', ''],
  ['core.sshCommand', 'false'],
  ['core.gitProxy', ''],
  ['core.alternateRefsCommand', 'false'],
  ['credential.helper', ''],
  ['protocol.allow', 'never'],
  ['safe.bareRepository', 'explicit'],
  ['submodule.recurse', 'false'],
  ['diff.ignoreSubmodules', 'dirty'],
  ['diff.submodule', 'short'],
  ['status.submoduleSummary', 'false'],
  ['commit.gpgSign', 'false'],
  ['tag.gpgSign', 'false'],
  ['log.showSignature', 'false'],
  ['merge.verifySignatures', 'false'],
  ['merge.autoStash', 'false'],
  ['rerere.enabled', 'false'],
  ['commit.verbose', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  // Names that other systems treat as `.git` are not checked out here either.
  ['core.protectNTFS', 'true'],
  ['core.protectHFS', 'true'],
  // Output that is parsed must look the same in every repository.
  ['core.quotePath', 'false'],
  ['color.ui', 'false'],
  ['diff.suppressBlankEmpty', 'false'],
  ['diff.interHunkContext', '0'],
  ['log.follow', 'false'],
  ['i18n.commitEncoding', 'UTF-8'],
  ['i18n.logOutputEncoding', 'UTF-8'],
];

const filterKey = /^filter\.(.+)\.(clean|smudge|process|required)$/s;
const mergeKey = /^merge\.(.+)\.driver$/s;
const mergeOptionsKey = /^branch\.(.+)\.mergeoptions$/s;
const hookKey = /^hook\.(.+)\.(command|event|enabled)$/s;

/** The setting that disarms a repository's setting; undefined when the repository's setting runs nothing by itself. */
export function disarm(key: string): [string, string] | undefined {
  const filter = filterKey.exec(key);
  // git would stop at a required filter that does nothing.
  if (filter) return [key, filter[2] === 'required' ? 'false' : ''];
  // A merge driver that is not run must not pass for one that merged: `false` leaves the file in conflict.
  if (mergeKey.test(key)) return [key, 'false'];
  if (mergeOptionsKey.test(key)) return [key, ''];
  const hook = hookKey.exec(key);
  if (hook) return [key, hook[2] === 'enabled' ? 'false' : ''];
  return undefined;
}
