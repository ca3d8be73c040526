// The chat view: a webview that shows the given state and reports the user's actions.
import * as vscode from 'vscode';
import type { Approvals } from '../approvals/approvals.ts';
import { contextView, withContext } from '../chat/editor-context.ts';
import type { WindowChat } from '../chat/window-chat.ts';
import type { Commands } from '../commands.ts';
import { readEditorSettings } from '../settings.ts';
import { type EditorContext, type HostMessage, ViewMessage, type ViewState } from './messages.ts';
import { openInEditor } from './open-in-editor.ts';
import { distOf, pageOf } from './page-html.ts';

export type ChatView = vscode.Disposable & {
  readonly isVisible: boolean;
  show(panel: vscode.WebviewView): Promise<void>;
  post(message: HostMessage): void;
  showState(): void;
  showApprovals(): void;
  showContext(context: EditorContext | undefined): void;
  /** Shows the chat from its start. */
  showAll(): void;
  /** Sends the text in the chat, with the user's context. */
  say(text: string): Promise<void>;
};

type Options = {
  context: vscode.ExtensionContext;
  windowChat: WindowChat;
  approvals: Approvals;
  commands: Commands;
};

export function createChatView({ context, windowChat, approvals, commands }: Options): ChatView {
  let panel: vscode.WebviewView | undefined;
  const post = (message: HostMessage): void => void panel?.webview.postMessage(message);

  const view: ChatView = {
    get isVisible() {
      return panel?.visible === true;
    },
    async show(view) {
      panel = view;
      const { webview } = view;
      webview.options = { enableScripts: true, localResourceRoots: [distOf(context)] };
      webview.onDidReceiveMessage((message: unknown) => void hear(message));
      view.onDidDispose(() => {
        panel = undefined;
      });
      webview.html = pageOf(webview, distOf(context));
      await windowChat.open();
    },
    post,
    showState: () => post({ type: 'state', state: stateOf(windowChat) }),
    showApprovals: () => post({ type: 'approvals', approvals: approvals.views }),
    showContext: (about) => post({ type: 'context', context: about ?? null }),
    showAll() {
      view.showState();
      post({ type: 'frames', frames: windowChat.chat?.frames ?? [], isReset: true });
      view.showApprovals();
      view.showContext(contextView());
    },
    say: (text) => say(text, '', true),
    dispose() {
      panel = undefined;
    },
  };

  const hear = (raw: unknown): Promise<void> =>
    answer(ViewMessage().parse(raw), { windowChat, approvals, commands, view, say });

  async function say(text: string, agent: string, isAbout: boolean): Promise<void> {
    const chat = await windowChat.open();
    if (chat === undefined) return post({ type: 'draft', text });
    const whole = isAbout ? withContext(text, readEditorSettings().context) : text;
    try {
      await chat.say(whole, agent);
    } catch (error) {
      post({ type: 'draft', text });
      post({ type: 'notice', text: error instanceof Error ? error.message : String(error) });
    }
  }

  return view;
}

type Answering = Pick<Options, 'windowChat' | 'approvals' | 'commands'> & {
  view: ChatView;
  say(text: string, agent: string, isAbout: boolean): Promise<void>;
};

async function answer(
  message: ViewMessage,
  { windowChat, approvals, commands, view, say }: Answering,
): Promise<void> {
  switch (message.type) {
    case 'ready':
      return view.showAll();
    case 'send':
      return await say(message.text, message.agent, message.withContext);
    case 'cancel':
      return await windowChat.chat?.cancel();
    case 'approve':
      return void approvals.approve(message.key, message.hunks);
    case 'reject':
      return void approvals.reject(message.key, message.reason);
    case 'review':
      return await commands.review(message.key);
    case 'openFile':
      return await openInEditor(message.path);
    case 'remedy':
      return await commands.remedy();
    case 'run':
      if (message.command !== 'openFolder') return await commands.run(message.command);
      await vscode.commands.executeCommand('vscode.openFolder');
  }
}

function stateOf({ state }: WindowChat): ViewState {
  return {
    ...state,
    isTrusted: vscode.workspace.isTrusted,
    isStreaming: readEditorSettings().isStreaming,
    hasFolder: (vscode.workspace.workspaceFolders?.length ?? 0) > 0,
  };
}
