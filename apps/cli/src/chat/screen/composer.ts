// The input during a chat: sent text starts a turn or is queued, queued text can be taken back, and typed text is saved on disk.
import type { ApprovalLine } from '../../approval/approval-line.ts';
import { modeMeanings, unheldNote } from '../../mode/mode-words.ts';
import type { Tty } from '../../terminal/open-terminal.ts';
import type { TerminalChat } from '../chat.ts';
import type { InputLine } from '../input/input-line.ts';
import type { UnsentStore } from '../input/unsent.ts';
import { queuedIn, queueText, switchDelivery, unqueue } from '../queue.ts';
import { createKeyHandling, type KeyHandling } from './key-handling.ts';
import { hiddenPrefix, type LineRunner } from './line-runner.ts';
import type { LiveRegion } from './live-region.ts';
import type { WorkLine } from './work-line.ts';

export type PromptComposer = KeyHandling & {
  /** Called when text was typed, sent or queued. */
  keepTyped(): void;
};

type Options = {
  chat(): TerminalChat | undefined;
  stage: LiveRegion;
  input: InputLine;
  work: WorkLine;
  runner: LineRunner;
  approvals: ApprovalLine;
  unsent: UnsentStore;
  withTerminal(use: (terminal: Tty) => Promise<void>): Promise<void>;
  leave(): void;
  notify(text: string): void;
  onFail(error: unknown): void;
};

export function createComposer(options: Options): PromptComposer {
  const { stage, input, work, leave, notify, onFail } = options;
  const { keepTyped, ...does } = actionsOf(options);
  const now = (act: () => Promise<void>) => (): void => void act().catch(onFail);
  const isWaiting = (): boolean => {
    const chat = options.chat();
    return work.queue.length > 0 || (chat !== undefined && queuedIn(chat).length > 0);
  };
  const keys = createKeyHandling({
    ...{ input, work, approvals: options.approvals, leave, notify, isWaiting, send: does.send },
    takeBack: now(does.takeBackLast),
    stopEditing: () => options.runner.disarm(),
    actions: {
      suspend: now(() => stage.stepAside()),
      clear: () => stage.clear(),
      mode: now(does.switchMode),
      editor: now(does.editLine),
      delivery: now(does.switchLast),
      edit: () => work.submit('/edit'),
      show: () => work.submit(`${hiddenPrefix}/show`),
    },
  });
  return { ...keys, keepTyped };
}

function actionsOf({ chat: chatNow, input, work, runner, unsent, withTerminal, notify, onFail }: Options) {
  return {
    keepTyped(): void {
      unsent.keep([...work.queue.filter((text) => !text.startsWith(hiddenPrefix)), input.text].join('\n'));
    },
    send(): void {
      runner.arm();
      const text = runner.meaning(input.send());
      const chat = chatNow();
      if (text === '' || chat === undefined) return;
      const isForAgent = work.current !== undefined && chat.conversation.isTurnOpen && !/^[/!]/.test(text);
      if (!isForAgent) work.submit(text);
      else
        queueText(chat, text).catch((error: unknown) => {
          onFail(error);
          input.fill(text);
        });
    },
    async takeBackLast(): Promise<void> {
      const chat = chatNow();
      const last = chat && work.queue.length === 0 ? queuedIn(chat).at(-1) : undefined;
      const text = chat && last !== undefined ? await unqueue(chat, last) : work.takeBack();
      input.fill(text ?? '');
      unsent.flush();
    },
    async switchLast(): Promise<void> {
      const chat = chatNow();
      const last = chat && queuedIn(chat).at(-1);
      if (chat !== undefined && last !== undefined) await switchDelivery(chat, last);
    },
    async switchMode(): Promise<void> {
      const chat = chatNow();
      if (chat !== undefined) notify(`  ${await nextMode(chat, { isBusy: work.current !== undefined })}`);
    },
    async editLine(): Promise<void> {
      const { openEditorDraft } = await import('../../terminal/editor-draft.ts');
      await withTerminal(async (terminal) => {
        using draft = openEditorDraft(terminal, { name: 'message.md', text: input.text });
        input.set((await draft.edit()).trimEnd());
      });
    },
  };
}

// Shift-Tab: balanced → review → plan → balanced. Strict and trusted are chosen with /mode.

/** Returns the notice for the user. The role stays the same while a turn runs, so plan is skipped then. */
async function nextMode(chat: TerminalChat, { isBusy }: { isBusy: boolean }): Promise<string> {
  const isPlanning = chat.agent.profile.name === 'plan';
  if (isPlanning && isBusy) return 'Plan only until this turn ends: nothing is changed.';
  if (isPlanning) await chat.change({ profile: 'build', mode: 'balanced' });
  else if (chat.mode === 'balanced') await chat.changeMode('review');
  else if (chat.mode === 'review' && !isBusy) {
    await chat.change({ profile: 'plan' });
    return 'Plan only: the agent reads and plans, and changes nothing.';
  } else await chat.changeMode('balanced');
  const { mode, host } = chat;
  const [unheld] = await unheldNote(host, mode);
  const meaning = modeMeanings[mode];
  return unheld ?? `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`;
}
