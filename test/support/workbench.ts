// A real workspace in a temp folder with everything wired, and a scripted human who answers approvals.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type {
  ApprovalRequest,
  Decision,
  DialectName,
  Limits,
  Outcome,
  PolicyMode,
  ToolCall,
} from '@codelab/protocol';
import { answerApproval, type Host, runCall } from '@codelab/runtime';
import { type Composed, compose, type SqliteLog } from '@codelab/server';
import { testLog } from './test-log.ts';

export type Human = (approval: ApprovalRequest) => Decision | undefined | Promise<Decision | undefined>;

export type Workbench = AsyncDisposable & {
  /** Has `work` (the workspace), `home`, and other folders of the test. */
  folder: string;
  root: string;
  home: string;
  host: Host;
  agents: Composed['agents'];
  log: SqliteLog;
  call(tool: string, args: Record<string, unknown>, options?: CallOptions): Promise<Outcome>;
  /** Answers every approval of the session from now on; `undefined` leaves it pending. */
  human(answer: Human, session?: string): void;
  /** Closes and opens everything again, as after a restart. */
  restart(): Promise<void>;
};

type CallOptions = Partial<Omit<ToolCall, 'tool' | 'args'>> & { signal?: AbortSignal };

type Options = {
  files?: Record<string, string | Uint8Array>;
  mode?: PolicyMode;
  limits?: Partial<Limits>;
  folder?: string;
};

export const approveAll: Human = () => ({ kind: 'approve' });

export async function workbench(options: Options = {}): Promise<Workbench> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'codelab-test-'));
  const root = join(folder, 'work');
  const home = join(folder, 'home');
  mkdirSync(root, { recursive: true });
  for (const [path, content] of Object.entries(options.files ?? {})) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const { mode, limits } = options;
  const open = (): Promise<Composed> =>
    compose({
      workspace: root,
      home,
      env: {},
      ...(mode && { mode }),
      ...(limits && { limits }),
      ...testLog(home),
    });
  let composed = await open();
  let stop = new AbortController();
  let calls = 0;
  const bench: Workbench = {
    folder,
    root,
    home,
    host: composed.host,
    agents: composed.agents,
    log: composed.log as SqliteLog,
    call(tool, args, { signal, ...callFields } = {}) {
      const dialect: DialectName = 'codelab';
      return runCall(
        bench.host,
        { id: `call_${++calls}`, session: 's1', dialect, ...callFields, tool, args },
        signal,
      );
    },
    human(answer, session = 's1') {
      void answerEach(bench, session, answer, stop.signal);
    },
    async restart() {
      stop.abort();
      stop = new AbortController();
      await composed[Symbol.asyncDispose]();
      composed = await open();
      bench.host = composed.host;
      bench.agents = composed.agents;
      bench.log = composed.log as SqliteLog;
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await composed[Symbol.asyncDispose]();
      if (options.folder === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
  return bench;
}

async function answerEach(
  bench: Workbench,
  session: string,
  answer: Human,
  signal: AbortSignal,
): Promise<void> {
  for await (const { body } of bench.log.subscribe(session, { since: 0, signal })) {
    if (body.type !== 'approval.requested') continue;
    const decision = await answer(body.approval);
    if (decision === undefined) continue;
    const by = { who: 'tester', via: 'test' };
    await answerApproval(bench.host, { session, approvalId: body.approval.id, decision, by }).catch(
      () => undefined,
    );
  }
}
