// All dialects, each made on first use: a short command needs one of them.
import { type DialectName, ToolError } from '@codelab/protocol';
import { agentWriter } from './agent/messages.ts';
import { agentTools } from './agent/tools.ts';
import { codelabWriter } from './codelab/messages.ts';
import { codelabTools } from './codelab/tools.ts';
import { coderWriter } from './coder/messages.ts';
import { coderTools } from './coder/tools.ts';
import type { Dialect } from './dialect.ts';
import { kodeWriter } from './kode/messages.ts';
import { kodeTools } from './kode/tools.ts';
import { pluginWriter } from './plugin/messages.ts';
import { pluginTools } from './plugin/tools.ts';
import { makeDialect } from './shared/make-dialect.ts';
import { pathsFrom, plainPaths, rootedPaths, rootedPathsAt, workspacePaths } from './shared/paths.ts';

/** `root` is the workspace whose absolute paths are understood; only seeds 001 and 004 have such paths. */
const makers: Record<DialectName, (root?: string, workingDir?: string) => Dialect> = {
  codelab: () =>
    makeDialect({
      name: 'codelab',
      tools: codelabTools,
      paths: plainPaths,
      writer: codelabWriter,
    }),
  agent(root) {
    const paths = root === undefined ? rootedPaths : rootedPathsAt(root);
    return makeDialect({ name: 'agent', tools: agentTools(), paths, writer: agentWriter });
  },
  plugin: () =>
    makeDialect({ name: 'plugin', tools: pluginTools(), paths: plainPaths, writer: pluginWriter }),
  coder: () => makeDialect({ name: 'coder', tools: coderTools(), paths: plainPaths, writer: coderWriter }),
  kode: (root, workingDir) =>
    makeKode({ ...(root !== undefined && { root }), ...(workingDir && { workingDir }) }),
};

/** Kode's messages each have a uuid. */
export function makeKode({
  root,
  workingDir = '.',
  newUuid = () => crypto.randomUUID(),
}: {
  root?: string;
  workingDir?: string;
  newUuid?: () => string;
} = {}): Dialect {
  const paths = pathsFrom(root === undefined ? plainPaths : workspacePaths(root), workingDir);
  return makeDialect({ name: 'kode', tools: kodeTools(paths), paths, writer: kodeWriter(newUuid) });
}

const withRoot: readonly string[] = ['agent', 'kode'];
const made = new Map<string, Dialect>();

export const dialectNames = Object.keys(makers) as DialectName[];

/**
 * A dialect by the name that a user or a peer gives; with a root, one that understands absolute paths below it. Kode can also work in a
 * folder of the workspace.
 */
export function findDialect(
  name: string,
  { root, workingDir }: { root?: string; workingDir?: string | undefined } = {},
): Dialect {
  if (!Object.hasOwn(makers, name)) {
    const message = `${JSON.stringify(name)} is not a dialect. Choose one of: ${dialectNames.join(', ')}.`;
    throw new ToolError('INVALID_ARGUMENTS', message, { field: 'dialect' });
  }
  const make = makers[name as DialectName];
  // A working folder comes with one request and is not cached; roots are few, and every connection asks for one.
  if (workingDir !== undefined && withRoot.includes(name)) return make(root, workingDir);
  const key = root !== undefined && withRoot.includes(name) ? `${name} ${root}` : name;
  const before = made.get(key);
  if (before !== undefined) return before;
  const dialect = key === name ? make() : make(root);
  made.set(key, dialect);
  return dialect;
}
