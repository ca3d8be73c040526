// Where sandboxed programs keep temporary files and caches: in the session's /tmp, because their usual places below the home are
// read-only or end with the command.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Confinement } from '@codelab/protocol';
import { userHomes } from '../workspace/state-folder.ts';
import { askedName, type SessionTmp } from './session-tmp.ts';

type ScratchOptions = {
  confinement: Confinement;
  tmp: SessionTmp | undefined;
  /** Set for an unasked command; `reads`: the command only reads, and finds /tmp read-only. */
  unasked: 'reads' | 'works' | undefined;
};

export function scratchVariables(options: ScratchOptions): Record<string, string> {
  const { confinement } = options;
  const folder = folderIn(options);
  const moved = Object.entries(caches).map(([name, place]) => [name, join(folder, place)]);
  const stores = Object.entries(downloads).flatMap(([name, [usual, place]]) =>
    // Earlier downloads are read in their usual place; new downloads need another one.
    confinement.network || !isDownloaded(usual) ? [[name, join(folder, place)]] : [],
  );
  return { TMPDIR: folder, ...Object.fromEntries([...moved, ...stores]) };
}

const caches = {
  npm_config_cache: '.npm',
  YARN_CACHE_FOLDER: '.yarn',
  BUN_INSTALL_CACHE_DIR: '.bun',
  PIP_CACHE_DIR: '.pip',
  UV_CACHE_DIR: '.uv',
  GOCACHE: '.go-build',
  GRADLE_USER_HOME: '.gradle',
  COMPOSER_CACHE_DIR: '.composer',
  CCACHE_DIR: '.ccache',
  SCCACHE_DIR: '.sccache',
};

/** Where downloads usually are, relative to the home, and where they are kept instead. */
const downloads = {
  CARGO_HOME: ['.cargo/registry', '.cargo'],
  GOMODCACHE: ['go/pkg/mod', '.go-mod'],
  DENO_DIR: ['.cache/deno', '.deno'],
} as const;

function folderIn({ confinement, tmp, unasked }: ScratchOptions): string {
  // macOS cannot replace /tmp, so the variable names the session's folder itself.
  if (confinement.sandbox === 'seatbelt') return (unasked ? tmp?.shared : tmp?.asked) ?? '/tmp';
  if (tmp === undefined) return '/tmp';
  if (unasked === 'reads') return '/dev/shm';
  return unasked === 'works' ? '/tmp' : `/tmp/${askedName}`;
}

function isDownloaded(usual: string): boolean {
  const [gopath = ''] = (process.env.GOPATH ?? '').split(':');
  if (usual.startsWith('go/') && gopath !== '') return existsSync(join(gopath, usual.slice('go/'.length)));
  return userHomes().some((home) => existsSync(join(home, usual)));
}
