// Opens the session log: in SQLite, or on NATS, whose code is loaded only then.
import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { type SessionLog, ToolError } from '@codelab/protocol';
import { removeOutputs, removeReview, removeSessionTmp } from '@codelab/runtime';
import type { ClusterPorts } from './cluster-ports.ts';
import type { NatsAuth } from './jetstream/address.ts';
import type { AnchorCheck } from './seals/compare-anchors.ts';
import type { Verified } from './seals/proof.ts';
import type { Sealing } from './seals/sealer.ts';
import { openSqliteLog } from './sqlite/sqlite-log.ts';

export type StoredLog = SessionLog & {
  /** The first damage of one session, or of any, and what seals prove. */
  audit(session?: string): Verified | Promise<Verified>;
  anchors(): Promise<AnchorCheck[]>;
  exportLines(
    sessions: readonly string[],
    options: { seals: boolean },
  ): Iterable<string> | AsyncIterable<string>;
  /** Ends the log for a process that is about to exit. */
  leave(): Promise<void>;
  /** The parts for a gateway that shares the log with others, where servers keep it. */
  cluster?(): Promise<ClusterPorts>;
};

type Place = {
  home: string;
  /** As the user writes it: `sqlite:PATH` or `nats://…`; default: a file in the home. */
  words: string | undefined;
  /** The workspace, where a file of the log must not be. */
  root?: string;
  nats?: NatsAuth | undefined;
  env?: NodeJS.ProcessEnv;
  sealing?: Sealing;
};

export async function openStoredLog({
  home,
  words = '',
  root,
  nats = {},
  env = {},
  sealing,
}: Place): Promise<StoredLog> {
  if (!isOnNats(words)) {
    if (Object.values(nats).some((file) => file !== undefined)) throw natsOnly();
    return openSqliteLog(home, logFile(words, root), sealing);
  }
  const { openJetStreamLog } = await import('./jetstream/jetstream-log.ts');
  const log = await openJetStreamLog(words, { ...authIn(env), ...nats }, { home, sealing });
  return {
    ...log,
    async delete(session, by) {
      await log.delete(session, by);
      await removeOutputs(home, session);
      await removeReview(home, session);
      await removeSessionTmp(home, session);
    },
  };
}

export function isOnNats(words: string | undefined): boolean {
  return words !== undefined && /^(nats|tls):/.test(words);
}

function authIn(env: NodeJS.ProcessEnv): NatsAuth {
  const { CODELAB_NATS_CREDS: creds, CODELAB_NATS_CA: ca } = env;
  const { CODELAB_NATS_CERT: cert, CODELAB_NATS_KEY: key } = env;
  return {
    ...(creds && { creds }),
    ...(ca && { ca }),
    ...(cert && { cert }),
    ...(key && { key }),
  };
}

function natsOnly(): ToolError {
  return new ToolError(
    'INVALID_ARGUMENTS',
    'The --nats- options belong to a session log on NATS: give --log nats://HOST:PORT.',
    { field: 'log' },
  );
}

/** The file of the session log, from the words a user gives for it. Undefined means the home's own. `root` is the workspace, where it must not be: the tools could change their own record. */
export function logFile(words: string | undefined, root?: string): string | undefined {
  if (words === undefined || words === '') return undefined;
  const path = /^sqlite:(.+)$/s.exec(words)?.[1];
  if (path === undefined)
    throw invalid(
      `A session log is given as sqlite:PATH or nats://HOST:PORT, not as ${JSON.stringify(words)}.`,
    );
  const file = realPathOf(resolve(path));
  if (root !== undefined && isInside(root, file))
    throw invalid('The session log can not be inside the workspace: there its own tools could change it.');
  return file;
}

// The file, and folders above it, may not be there yet.
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(realPathOf(above), basename(path));
  }
}

function isInside(root: string, file: string): boolean {
  const way = relative(root, file);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function invalid(message: string): ToolError {
  return new ToolError('INVALID_ARGUMENTS', message, { field: 'log' });
}
