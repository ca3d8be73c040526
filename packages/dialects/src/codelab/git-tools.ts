// The tools of seed 000 for git.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';
import { sameArguments } from '../shared/spelling.ts';
import { listOf, present } from '../shared/values.ts';

export const gitDiffRow: WireTool = {
  name: 'git.diff',
  tool: 'git.diff',
  input: () => z.strictObject({ path: z.optional(z.string()), staged: z.optional(z.boolean()) }),
  toCore: sameArguments,
  toWire: ({ diff, lossy, left_out }) =>
    present({ diff, lossy: lossy === true ? lossy : undefined, left_out }),
  fromWire: (wireResult) => ({
    files: String(wireResult.diff ?? '').match(/^diff --git /gm)?.length ?? 0,
    lossy: false,
    ...wireResult,
  }),
};

export const gitStatusRow: WireTool = {
  name: 'git.status',
  tool: 'git.status',
  input: () => z.strictObject({ path: z.optional(z.string()) }),
  toCore: sameArguments,
  toWire: ({ branch, upstream, ahead, behind, clean, entries, total, truncated }) =>
    present({
      branch: branch ?? undefined,
      upstream,
      ahead,
      behind,
      clean,
      entries,
      ...(truncated === true ? { total, truncated } : {}),
    }),
  fromWire(wireResult) {
    const entries = listOf(wireResult.entries);
    const counts = { total: entries.length, truncated: false, clean: entries.length === 0 };
    return { branch: null, ahead: 0, behind: 0, ...counts, ...wireResult };
  },
};

export const gitLogRow: WireTool = {
  name: 'git.log',
  tool: 'git.log',
  input: () => z.strictObject({ limit: z.optional(z.int()), path: z.optional(z.string()) }),
  toCore: sameArguments,
  toWire: ({ commits }) => ({ commits }),
};

/** `from` is a branch or a commit here, not a path. */
export const gitBranchRow: WireTool = {
  name: 'git.branch',
  tool: 'git.branch',
  input: () =>
    z.strictObject({
      action: z.optional(z.string()),
      name: z.optional(z.string()),
      from: z.optional(z.string()),
    }),
  isPathless: true,
  toCore: (args) => args,
  toWire: ({ current, ...data }) => present({ current: current ?? undefined, ...data }),
  fromWire: (wireResult) => ({ current: null, ...wireResult }),
};

export const gitCommitRow: WireTool = {
  name: 'git.commit',
  tool: 'git.commit',
  input: () => z.strictObject({ message: z.string(), files: z.optional(z.array(z.string())) }),
  toCore: sameArguments,
  // No field is written as null: without a branch the field is left out.
  toWire: ({ branch, ...data }) => present({ ...data, branch: branch ?? undefined }),
  fromWire: (wireResult) => ({
    branch: null,
    files_committed: 0,
    insertions: 0,
    deletions: 0,
    ...wireResult,
  }),
};
