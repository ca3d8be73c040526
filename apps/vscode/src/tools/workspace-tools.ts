// The parts of a ToolHandler that run calls in the open folders: one host per folder, opened for its first call.
import type {
  AskUser,
  ToolApprovalRequest,
  ToolExecution,
  ToolExecutionSignal,
  ToolResult,
} from '@codelab/client';
import {
  type EditorFiles,
  executeHere,
  openLocalHost,
  type ProposedChange,
  proposeChange,
  throughEditor,
  undoCall,
  validateHere,
} from '@codelab/client/node';
import { type Decision, ToolError } from '@codelab/protocol';
import { waitAtMost } from '../wait-at-most.ts';
import { type Folder, type RoutedPath, routePath, spelledIn } from './workspace-folders.ts';

type Host = Awaited<ReturnType<typeof openLocalHost>>;
type Json = Record<string, unknown>;

export type WorkspaceTools = AsyncDisposable & {
  /** Throws a ToolError for a call that must not be asked about. */
  validate(tool: string, args: Json): Promise<void>;
  execute(signal: ToolExecutionSignal, execution: ToolExecution): Promise<ToolResult>;
  /** The change that a `write_file` would make. */
  propose(args: Json): Promise<ProposedChange>;
  /** Undoes the changes of a command; false when there are none. */
  undoCommand(callId: string, cwd: unknown): Promise<boolean>;
};

export type WorkspaceToolsOptions = {
  folders(): readonly Folder[];
  isTrusted(): boolean;
  editor: EditorFiles;
  /** The extension's own state folder. */
  home: string;
  /** The local session that calls are run in. */
  session: string;
  /** An approval at the gateway is this user's own. */
  trustsGateway: boolean;
  /** For a call that was approved elsewhere and that this machine's rules ask about: its user is asked too. */
  ask: AskUser;
  onNotice(text: string): void;
};

const closeMs = 2000;
const readers: readonly string[] = ['read_file', 'list_directory'];

export function openWorkspaceTools(options: WorkspaceToolsOptions): WorkspaceTools {
  const { folders, editor, session } = options;
  const hosts = createHosts(options);
  const checkTrust = (tool: string): void => {
    if (options.isTrusted() || readers.includes(tool)) return;
    throw new ToolError(
      'PERMISSION_DENIED',
      'This workspace is not trusted, so nothing is changed or run in it. Trust it in the editor, then try again.',
    );
  };
  return {
    async validate(tool, args) {
      checkTrust(tool);
      const routed = routeCall(folders(), tool, args);
      if (routed === 'top') return;
      await validateHere({ host: await hosts.in(routed.folder), session })(tool, routed.args);
    },
    async execute(signal, execution) {
      checkTrust(signal.tool_type);
      const openFolders = folders();
      const routed = routeCall(openFolders, signal.tool_type, signal.args);
      if (routed === 'top') return listFolders(signal, openFolders);
      const host = await hosts.in(routed.folder);
      const { trustsGateway } = options;
      const decide = async (_: unknown, ending: AbortSignal): Promise<Decision> => {
        const decided = await options.ask(requestOf(signal), ending);
        return decided.approved ? { kind: 'approve' } : { kind: 'reject', feedback: decided.reason };
      };
      const here = executeHere({ host, session, trustsGateway, decide });
      const result = await here({ ...signal, args: routed.args }, execution);
      return { ...result, output: spelledIn(routed.folder, openFolders, result.output) };
    },
    async propose(args) {
      const path = String(args.path);
      const routed = routePath(folders(), path);
      if (routed === 'top') throw new ToolError('NOT_REGULAR_FILE', `${path} is a directory.`);
      const host = await hosts.in(routed.folder);
      const content = String(args.content ?? '');
      return { ...(await proposeChange({ host, editor }, { path: routed.path, content })), path };
    },
    async undoCommand(callId, cwd) {
      const routed = routeCall(folders(), 'execute_command', { cwd });
      return routed !== 'top' && (await undoCall(await hosts.in(routed.folder), { session, callId }));
    },
    [Symbol.asyncDispose]: () => hosts[Symbol.asyncDispose](),
  };
}

function createHosts({ home, editor, onNotice }: WorkspaceToolsOptions) {
  const hosts = new Map<string, Promise<Host>>();
  return {
    in({ root }: Folder): Promise<Host> {
      const decorate = throughEditor(editor);
      const host = hosts.get(root) ?? openLocalHost({ root, home, decorate, onNotice });
      hosts.set(root, host);
      host.catch(() => hosts.delete(root));
      return host;
    },
    async [Symbol.asyncDispose](): Promise<void> {
      const closed = [...hosts.values()].map(async (host) => (await host)[Symbol.asyncDispose]());
      await waitAtMost(closeMs, Promise.allSettled(closed));
    },
  };
}

function requestOf({ tool_id, tool_type: tool_name, args }: ToolExecutionSignal): ToolApprovalRequest {
  return { tool_id, tool_name, args, risk_level: 'high' };
}

type RoutedCall = { folder: Folder; args: Json } | 'top';

/** A command without a folder runs in the first one. */
function routeCall(folders: readonly Folder[], tool: string, args: Json): RoutedCall {
  if (tool === 'execute_command') {
    const [first] = folders;
    const cwd = typeof args.cwd === 'string' ? routePath(folders, args.cwd) : 'top';
    if (cwd !== 'top') return { folder: cwd.folder, args: { ...args, cwd: cwd.path } };
    const { cwd: _, ...rest } = args;
    return first === undefined ? within(routePath(folders, '.'), args) : { folder: first, args: rest };
  }
  const routed = routePath(folders, String(args.path ?? '.'));
  if (routed === 'top' && tool !== 'list_directory')
    throw new ToolError('NOT_REGULAR_FILE', `${String(args.path)} is a directory.`);
  return within(routed, args);
}

function within(routed: RoutedPath, args: Json): RoutedCall {
  return routed === 'top' ? 'top' : { folder: routed.folder, args: { ...args, path: routed.path } };
}

function listFolders(signal: ToolExecutionSignal, folders: readonly Folder[]): ToolResult {
  const { args, execution_context: _, session_id: __, ...ids } = signal;
  const entries = folders.map(({ name }) => ({ name, type: 'directory', path: name }));
  const total_count = entries.length;
  return {
    ...ids,
    status: 'success',
    output: { path: String(args.path ?? '.'), entries, total_count },
    metadata: { total_count, recursive: false },
    duration_ms: 0,
    timestamp: new Date().toISOString(),
  };
}
