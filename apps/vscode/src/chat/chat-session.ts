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
  const { settings, api, session, tools, approvals, store, onNotice } = options;
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
  const { calls, events } = createStreams(options);
  handler.attach(calls);
  for (const type of frameTypes)
    events.on(type, (frame: NeutralMessage) => {
      frames.add(frame);
      options.onFrame(frame);
    });
  for (const stream of [calls, events]) stream.connect().catch(() => undefined);
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

function createStreams({ gateway, session, onState }: ChatSessionOptions) {
  const { url, token } = gateway;
  const shared = { url, token, session, backoff };
  const calls = new StreamingClient({ ...shared, wire: 'plugin', role: 'executor' });
  const events = new StreamingClient({ ...shared, wire: 'neutral', transport: 'sse', since: 0 });
  for (const stream of [calls, events])
    stream.onState((state) => {
      const isOpen = calls.state.name === 'open' && events.state.name === 'open';
      if (isOpen) onState({ name: 'live' });
      else if (state.name === 'waiting') onState({ name: 'lost', why: state.why });
      else if (state.name === 'closed' && state.error !== undefined) onState(endOf(state.error));
    });
  return { calls, events };
}

function endOf({ status, message }: ApiError): ChatState {
  return { name: 'ended', why: message, status };
}

type FrameLog = { add(frame: NeutralMessage): void; readonly all: readonly NeutralMessage[] };

const maxSignals = 5000;

/** The messages so far, for a view that opens later: the events, and only those transient messages that the events do not cover yet. */
function createFrameLog(): FrameLog {
  const events: NeutralMessage[] = [];
  let signals: NeutralMessage[] = [];
  return {
    add(frame) {
      if (frame.type !== 'event') {
        signals.push(frame);
        signals.splice(0, signals.length - maxSignals);
        return;
      }
      events.push(frame);
      const { type } = frame.event.body;
      // The log now has the complete reply.
      if (type === 'model.replied' || type === 'turn.ended')
        signals = signals.filter((signal) => signal.type !== 'signal');
    },
    get all() {
      return [...events, ...signals];
    },
  };
}
