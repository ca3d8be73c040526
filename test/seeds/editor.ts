// An editor as seed 002 draws it: StreamingClient, ToolHandler and executors of the client library over files of its own, at a chat of the
// stage's gateway whose calls it carries out.
import {
  type AskUser,
  CodeLabAPI,
  StreamingClient,
  ToolHandler,
  type ToolHandlerOptions,
} from '@codelab/client';
import { CommandExecutor, executeHere, FileSystemExecutor, PathValidator } from '@codelab/client/node';
import { type Workbench, workbench } from '../support/workbench.ts';
import type { Stage } from './stage.ts';

const backoff = { firstMs: 10, mostMs: 50 };
const approve: AskUser = () => Promise.resolve({ approved: true });

/** The executors over a workspace whose user agrees to everything. */
export async function executors(options: NonNullable<Parameters<typeof workbench>[0]> = {}) {
  const local = await workbench(options);
  const executorOptions = {
    host: local.host,
    session: 'editor',
    decide: () => Promise.resolve({ kind: 'approve' as const }),
  };
  return {
    local,
    files: new FileSystemExecutor(executorOptions),
    commands: new CommandExecutor(executorOptions),
    paths: new PathValidator(local.host),
    [Symbol.asyncDispose]: () => local[Symbol.asyncDispose](),
  };
}

type Editor = AsyncDisposable & {
  api: CodeLabAPI;
  handler: ToolHandler;
  stream: StreamingClient<'plugin'>;
  local: Workbench;
  session: string;
  /** The tools whose dialog was shown. */
  shown: string[];
  notices: string[];
};

export async function openEditor(stage: Stage, options: Partial<ToolHandlerOptions> = {}): Promise<Editor> {
  const { url, token } = stage.gateway.running;
  const local = await workbench({ files: { 'a.txt': 'of the editor\n' } });
  const api = new CodeLabAPI({ url, token, backoff });
  const { session_id: session } = await api.chats.open({ executor: 'client' });
  const shownTools: string[] = [];
  const notices: string[] = [];
  const ask = options.ask ?? approve;
  const handler = new ToolHandler({
    api,
    execute: executeHere({ host: local.host, session: 'editor' }),
    onNotice: (text) => notices.push(text),
    ...options,
    ask(request, signal) {
      shownTools.push(request.tool_name);
      return ask(request, signal);
    },
  });
  const stream = new StreamingClient({ url, session, wire: 'plugin', token, backoff });
  handler.attach(stream);
  await stream.connect();
  return {
    api,
    handler,
    stream,
    local,
    session,
    shown: shownTools,
    notices,
    async [Symbol.asyncDispose]() {
      await handler.dispose();
      stream.close();
      await local[Symbol.asyncDispose]();
    },
  };
}
