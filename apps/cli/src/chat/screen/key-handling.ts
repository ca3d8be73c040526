// Handles a key in the chat: edits the input, sends it, takes a queued message back, cancels, or leaves.
import type { Key } from 'node:readline';
import type { ApprovalLine } from '../../approval/approval-line.ts';
import type { InputLine } from '../input/input-line.ts';
import type { WorkLine } from './work-line.ts';

export type KeyHandling = { onKey(key: Key): void; cancel(): void };

type Options = {
  input: InputLine;
  work: WorkLine;
  approvals: ApprovalLine;
  send(): void;
  leave(): void;
  /** Whether anything is queued. */
  isWaiting(): boolean;
  /** Puts the last queued message back into the input. */
  takeBack(): void;
  /** Stops editing an earlier message; returns whether one was edited. */
  stopEditing(): boolean;
  /** Shows a notice until the next key. */
  notify(text: string): void;
  actions: Record<Exclude<ChatAction, 'interrupt' | 'end'>, () => void>;
};

const withinMs = 2000;

export function createKeyHandling(options: Options): KeyHandling {
  const { input, work, approvals, leave, stopEditing, notify, actions } = options;
  const actionOf = createChatKeys();
  // Ctrl-C leaves when it is pressed twice in a row with nothing to clear or cancel.
  let pressedAt = Number.NEGATIVE_INFINITY;
  let escapedAt = Number.NEGATIVE_INFINITY;

  // Queued messages come back to the input: they were written for the turn that is cancelled.
  function cancel(): void {
    input.fill(work.cancel().join('\n'));
  }
  function interrupt(before: number): void {
    const { current } = work;
    const wasEditing = stopEditing();
    if (!input.isEmpty || wasEditing) {
      input.discard();
      notify(wasEditing ? '  The conversation stays as it is.' : '  Cleared. ↑ brings it back.');
    } else if (current !== undefined && !current.signal.aborted) cancel();
    else if (performance.now() - before < withinMs) leave();
    else {
      pressedAt = performance.now();
      notify('  Ctrl-C again to exit.');
    }
  }
  // Escape twice on an empty input, with nothing to cancel, edits an earlier message.
  function onEscape(): void {
    if (work.current !== undefined || !input.isEmpty) cancel();
    else if (performance.now() - escapedAt < withinMs) actions.edit();
    else {
      escapedAt = performance.now();
      notify('  Esc again: edit an earlier message.');
    }
  }
  return {
    cancel,
    onKey(key) {
      notify('');
      const before = pressedAt;
      pressedAt = Number.NEGATIVE_INFINITY;
      if (key.name !== 'escape') escapedAt = Number.NEGATIVE_INFINITY;
      const action = input.isSearching ? undefined : actionOf(key);
      if (action === 'interrupt') interrupt(before);
      else if (action === 'end' && input.isEmpty) leave();
      else if (action === undefined || action === 'end') toLine(options, key, onEscape);
      else if (action !== 'chord') actions[action]();
      approvals.next();
    },
  };
}

/** Keys that the chat does not use go to the input; keys that the input does not use send or cancel. */
function toLine({ input, approvals, ...options }: Options, key: Key, onEscape: () => void): void {
  const { name = '' } = key;
  if (name === 'tab' && approvals.held !== undefined) approvals.next({ isInsisted: true });
  else if (name === 'up' && input.isEmpty && options.isWaiting()) options.takeBack();
  else if (!input.handleKey(key)) {
    if (name === 'return') options.send();
    if (name === 'escape') onEscape();
  }
}

/** The keys of the chat, whatever the input holds. Ctrl-X begins a chord, as in shells. */
type ChatAction =
  | 'interrupt'
  | 'end'
  | 'suspend'
  | 'clear'
  | 'mode'
  | 'editor'
  | 'show'
  | 'delivery'
  | 'edit';

const actions: Record<string, ChatAction> = {
  'ctrl-c': 'interrupt',
  'ctrl-d': 'end',
  'ctrl-z': 'suspend',
  'ctrl-l': 'clear',
  'shift-tab': 'mode',
  'ctrl-g': 'editor',
  'ctrl-o': 'show',
  'ctrl-t': 'delivery',
};

const chords: Record<string, ChatAction> = { 'ctrl-e': 'editor' };

/** `'chord'` for the first key of a chord. Undefined for a key of the input. */
function createChatKeys(): (key: Key) => ChatAction | 'chord' | undefined {
  let isInChord = false;
  return ({ name = '', ctrl = false, shift = false }) => {
    const pressed = `${ctrl ? 'ctrl-' : shift ? 'shift-' : ''}${name}`;
    const wasInChord = isInChord;
    isInChord = !wasInChord && pressed === 'ctrl-x';
    if (isInChord) return 'chord';
    return (wasInChord ? chords : actions)[pressed];
  };
}
