// One chat of this window with its gateway: its messages, its events, and the tools that it runs here.

import {
  type ApiError,
  CodeLabAPI,
  type ExecutionStore,
  StreamingClient,
  ToolHandler,
} from '@codelab/client';
import type { NeutralMessage } from '@codelab/protocol';
import type { Approvals } from '../approvals/approvals.ts';
import type { GatewayConnection } from '../gateway/gateway.ts';
import type { EditorSettings } from '../settings.ts';
import type { WorkspaceTools } from '../tools/workspace-tools.ts';
import { waitAtMost } from '../wait-at-most.ts';
import { createFrameLog } from './frame-log.ts';

export type ChatState =
  | { name: 'connecting' }
  | { name: 'live' }
  | { name: 'lost'; why: string }
  | { name: 'ended'; why: string; status: number };

export type ChatSession = AsyncDisposable & {
  readonly session: string;
  readonly api: CodeLabAPI;
  readonly handler: ToolHandler;
  /** Everything that the view needs to show the chat from its start. */
  readonly frames: readonly NeutralMessage[];
  say(text: string, agent: string): Promise<void>;
  cancel(): Promise<void>;
};

export type ChatSessionOptions = {
  gateway: GatewayConnection;
  settings: Pick<EditorSettings, 'approvalMs'>;
  api: CodeLabAPI;
  session: string;
  tools: WorkspaceTools;
  approvals: Approvals;
  store: ExecutionStore;
  onFrame(frame: NeutralMessage): void;
  onState(state: ChatState): void;
  onNotice(text: string): void;
};

/** Quick at first, because the window's own gateway is back within a second. */
const backoff = { firstMs: 300, mostMs: 10_000 };
/** The longest wait for a gateway that does not answer. */
const tellMs = 2000;
const frameTypes = ['event', 'signal', 'switched', 'notice', 'session_info'] as const;

export function createApi(
  { url, token }: GatewayConnection,
  { timeoutMs, retryAttempts }: EditorSettings,
): CodeLabAPI {
  return new CodeLabAPI({ url, token, timeoutMs, retries: retryAttempts });
}

export function openChatSession(options: ChatSessionOptions): ChatSession {
  const { gateway, settings, api, session, tools, approvals, store, onNotice } = options;
  const { url, token } = gateway;
  const frames = createFrameLog();
  const handler = new ToolHandler({
    api,
    ask: approvals.ask,
    validate: tools.validate,
    execute: tools.execute,
    approvalMs: settings.approvalMs,
    store,
    onNotice,
  });
  const calls = new StreamingClient({ url, token, session, wire: 'plugin', role: 'executor', backoff });
  const events = new StreamingClient({
    url,
    token,
    session,
    wire: 'neutral',
    transport: 'sse',
    since: 0,
    backoff,
  });
  handler.attach(calls);
  for (const type of frameTypes)
    events.on(type, (frame: NeutralMessage) => {
      frames.add(frame);
      options.onFrame(frame);
    });
  for (const stream of [calls, events]) {
    stream.onState((state) => {
      const isOpen = calls.state.name === 'open' && events.state.name === 'open';
      if (isOpen) options.onState({ name: 'live' });
      else if (state.name === 'waiting') options.onState({ name: 'lost', why: state.why });
      else if (state.name === 'closed' && state.error !== undefined) options.onState(endOf(state.error));
    });
    stream.connect().catch(() => undefined);
  }
  return {
    session,
    api,
    handler,
    get frames() {
      return frames.all;
    },
    async say(text, agent) {
      // A user is at the editor, so approvals end by this window's own timeout.
      await api.sendMessage(session, text, { attended: true, ...(agent !== '' && { agent_type: agent }) });
    },
    async cancel() {
      await api.cancel(session);
    },
    async [Symbol.asyncDispose]() {
      await waitAtMost(tellMs, handler.dispose());
      calls.close();
      events.close();
    },
  };
}

function endOf({ status, message }: ApiError): ChatState {
  return { name: 'ended', why: message, status };
}
