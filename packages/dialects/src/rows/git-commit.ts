// Commits what is staged or the named files, in codelab and agent alike.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';
import type { PathSpelling } from '../path-spelling.ts';
import { present } from '../write/present.ts';

export function gitCommit(paths: PathSpelling): WireTool {
  return {
    name: 'git.commit',
    tool: 'git.commit',
    input: () => z.strictObject({ message: z.string(), files: z.optional(z.array(z.string())) }),
    toCore: ({ message, files }) =>
      present({ message, files: (files as string[] | undefined)?.map((path) => paths.toCore(path)) }),
    // Nothing is written as null: without a branch there is none to name.
    toWire: ({ branch, ...data }) => present({ ...data, branch: branch ?? undefined }),
  };
}
