// The state of the view: the chat from its log, the pending approvals, and the state of the extension.
import { emptySession, foldFrame, type SessionModel } from '@codelab/web';
import { create } from 'zustand';
import type { ApprovalView, EditorContext, HostMessage, ViewMessage, ViewState } from '../view/messages.ts';

type EditorApi = { postMessage(message: unknown): void; getState(): unknown; setState(state: unknown): void };
declare function acquireVsCodeApi(): EditorApi;

const editor = acquireVsCodeApi();

type State = {
  model: SessionModel;
  /** The model changes in place; a new number tells React that it did. */
  version: number;
  approvals: readonly ApprovalView[];
  state: ViewState;
  context: EditorContext | null;
  /** A message that could not be sent, or was typed when the view was last open. */
  draft: string;
  notice: string;
};

export const useStore = create<State>(() => ({
  model: emptySession(''),
  version: 0,
  approvals: [],
  state: {
    connection: 'starting',
    problem: '',
    agents: [],
    isTrusted: true,
    isStreaming: true,
    hasFolder: true,
  },
  context: null,
  draft: keptDraft(),
  notice: '',
}));

export function postToExtension(message: ViewMessage): void {
  editor.postMessage(message);
}

/** Kept while the view is hidden. */
export function setDraft(draft: string): void {
  editor.setState({ draft });
  useStore.setState({ draft });
}

export function listenToExtension(): void {
  window.addEventListener('message', ({ data }: MessageEvent<HostMessage>) => receive(data));
}

function receive(message: HostMessage): void {
  switch (message.type) {
    case 'frames': {
      const model = message.isReset ? emptySession('') : useStore.getState().model;
      for (const frame of message.frames) foldFrame(model, frame, Date.now());
      useStore.setState(({ version }) => ({ model, version: version + 1, notice: '' }));
      return;
    }
    case 'approvals':
      useStore.setState({ approvals: message.approvals });
      return;
    case 'state':
      useStore.setState({ state: message.state });
      return;
    case 'context':
      useStore.setState({ context: message.context });
      return;
    case 'draft':
      setDraft(message.text);
      return;
    case 'notice':
      useStore.setState({ notice: message.text });
      return;
  }
}

function keptDraft(): string {
  const saved = editor.getState();
  const isKept = typeof saved === 'object' && saved !== null && 'draft' in saved;
  return isKept && typeof saved.draft === 'string' ? saved.draft : '';
}
