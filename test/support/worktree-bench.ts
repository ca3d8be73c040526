// A gateway over a real git repository with one commit, and a person's worktree actions over REST.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GatewayBench, gatewayBench } from './gateway-bench.ts';
import { newRepository, type RealGit, realGit } from './real-git.ts';
import { type Json, json } from './web-api.ts';

type BenchOptions = NonNullable<Parameters<typeof gatewayBench>[0]>;

export type WorktreeBench = AsyncDisposable & {
  bench: GatewayBench;
  /** Git in the workspace. */
  git: RealGit;
  ask(path: string, method?: string, body?: unknown): Promise<[number, Json]>;
  /** A new session, in a worktree when a name is given. */
  session(name?: string): Promise<{ id: string; path: string; git: RealGit }>;
  /** The outcome of a call that its person agrees to. */
  call(session: string, tool: string, args: Json): Promise<Json>;
  /** Entries of a session's log. */
  log(session: string): Promise<Json[]>;
  /** The text of a file in the workspace. */
  text(path: string): string;
};

export async function worktreeBench(options: BenchOptions = {}): Promise<WorktreeBench> {
  const files = { 'a.txt': 'one\n', 'b.txt': 'two\n', ...options.files };
  let git: RealGit | undefined;
  const bench = await gatewayBench({
    mode: 'trusted',
    ...options,
    files,
    prepare(root) {
      git = newRepository(root);
      options.prepare?.(root);
      git('add', '--all');
      git('commit', '--quiet', '-m', 'First');
    },
  });
  const ask: WorktreeBench['ask'] = (path, method, body) => json(bench, path, method, body);
  return {
    bench,
    git: git ?? realGit(bench.root),
    ask,
    async session(name) {
      const [status, session] = await ask(
        '/sessions',
        'POST',
        name === undefined ? {} : { worktree: { name } },
      );
      if (status !== 201) throw new Error(JSON.stringify(session));
      const { path } = (session.worktree ?? { path: bench.root }) as { path: string };
      return { id: String(session.id), path, git: realGit(path) };
    },
    async call(session, tool, args) {
      const [, { outcome }] = await ask(`/sessions/${session}/calls`, 'POST', { tool, args, approve: true });
      return outcome as Json;
    },
    async log(session) {
      const [, { events }] = await ask(`/sessions/${session}/log`);
      return (events as { body: Json }[]).map(({ body }) => body);
    },
    text: (path) => readFileSync(join(bench.root, path), 'utf8'),
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  };
}
