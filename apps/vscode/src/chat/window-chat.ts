// The chat of this window over time: opened with the view, reopened when the settings change or another chat is chosen, and ended with the
// window.
import type { CodeLabAPI } from '@codelab/client';
import type { ProposedChange } from '@codelab/client/node';
import { ToolError } from '@codelab/protocol';
import { waitAtMost } from '../wait-at-most.ts';
import type { ChatSession } from './chat-session.ts';
import { type OpenChatOptions, type OpenedChat, openChat, sessionKey, type WantedChat } from './open-chat.ts';
import { type ChatStatus, openFailureOf } from './problems.ts';

type WindowChatState = ChatStatus & { agents: readonly string[] };

export type WindowChat = AsyncDisposable & {
  readonly state: WindowChatState;
  readonly chat: ChatSession | undefined;
  /** The same chat until it is closed; opened on the first call. */
  open(): Promise<ChatSession | undefined>;
  /** Opens another chat: the one with this id, or a new one. */
  switchTo(session: string | undefined): Promise<void>;
  /** Reopens the chat with the present settings. */
  restart(): Promise<void>;
  propose(args: Record<string, unknown>): Promise<ProposedChange>;
};

type Options = OpenChatOptions & { onChange(): void; onReset(): void };

export function createWindowChat(options: Options): WindowChat {
  const { context, log } = options;
  const closing = new AbortController();
  let state: WindowChatState = { connection: 'starting', problem: '', agents: [] };
  const become = (next: Partial<WindowChatState>): void => {
    const { remedy: _, ...rest } = state;
    state = { ...rest, ...next };
    options.onChange();
  };
  const slot = createSlot({
    open: (chat) => openChat(options, { ...chat, become, closing: closing.signal }),
    async onOpened({ api }) {
      options.onReset();
      await loadAgents(api, become);
    },
    onFailed(error) {
      log.error(error instanceof Error ? error : String(error));
      become({ connection: 'failed', ...openFailureOf(error) });
    },
  });
  const lastChat = (): WantedChat => ({ session: context.workspaceState.get(sessionKey()), isNew: false });
  return {
    get state() {
      return state;
    },
    get chat() {
      return slot.opened?.chat;
    },
    async open() {
      if (closing.signal.aborted) return undefined;
      return (await slot.open(lastChat()))?.chat;
    },
    switchTo: (session) => slot.reopen({ session, isNew: session === undefined }),
    async restart() {
      if (slot.isUsed || state.connection !== 'starting') await slot.reopen(lastChat());
    },
    async propose(args) {
      if (slot.opened === undefined) throw new ToolError('SESSION_NOT_FOUND', 'No chat is open.');
      return await slot.opened.tools.propose(args);
    },
    async [Symbol.asyncDispose]() {
      const ended = slot.close();
      closing.abort();
      await waitAtMost(closeMs, ended);
    },
  };
}

/** Holds the one open chat of the window, which may still be opening. */
type Slot = {
  readonly opened: OpenedChat | undefined;
  /** A chat is open or opening. */
  readonly isUsed: boolean;
  open(chat: WantedChat): Promise<OpenedChat | undefined>;
  reopen(chat: WantedChat): Promise<void>;
  close(): Promise<void>;
};

type SlotOptions = {
  open(chat: WantedChat): Promise<OpenedChat>;
  onOpened(opened: OpenedChat): Promise<void>;
  onFailed(error: unknown): void;
};

function createSlot(options: SlotOptions): Slot {
  let opening: Promise<OpenedChat | undefined> | undefined;
  let opened: OpenedChat | undefined;
  async function open(request: WantedChat): Promise<OpenedChat | undefined> {
    try {
      const chat = await options.open(request);
      opened = chat;
      await options.onOpened(chat);
      return chat;
    } catch (error) {
      options.onFailed(error);
      opening = undefined;
      return undefined;
    }
  }
  async function close(): Promise<void> {
    // Open parts are closed at once, although others may still be loading.
    const last = opened ?? (await opening?.catch(() => undefined));
    opening = undefined;
    opened = undefined;
    await last?.[Symbol.asyncDispose]();
  }
  return {
    get opened() {
      return opened;
    },
    get isUsed() {
      return opening !== undefined;
    },
    open(request) {
      opening ??= open(request);
      return opening;
    },
    async reopen(request) {
      await close();
      opening = open(request);
      await opening;
    },
    close,
  };
}

/** The editor kills its extensions after five seconds. */
const closeMs = 4500;

async function loadAgents(api: CodeLabAPI, become: (next: Partial<WindowChatState>) => void): Promise<void> {
  try {
    const { agents } = await api.catalogue.agents();
    become({ agents: agents.map(({ type }) => type) });
  } catch {
    // The chat works without the list.
  }
}
