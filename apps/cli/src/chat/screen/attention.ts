// Alerts the user when a turn waits for them and they look elsewhere: the title of the terminal, a bell and a notification. Terminals
// that don't know one of these ignore it.
import { writeSync } from 'node:fs';
import type { Key } from 'node:readline';
import { type AgentSignal, visibleLine } from '@codelab/protocol';
import type { Tty } from '../../terminal/open-terminal.ts';
import { focusReport } from '../input/keyboard.ts';

export type Attention = Disposable & { hear(signal: AgentSignal): void };

type Options = {
  /** False turns bell and notification off. */
  isOn: boolean;
  /** The name of this chat in the title. */
  name: string;
};

/** A shorter turn needs no alert: the user is still there. */
const longTurnMs = 10_000;
const saveTitle = '\x1b[22;0t';
const restoreTitle = '\x1b[23;0t';

export function openAttention({ input, output, fds }: Tty, { isOn, name }: Options): Attention {
  let isFocused = false;
  let isOpen = true;
  const write = (text: string): void => void output.write(text);
  const entitle = (doing: string): void => write(`\x1b]2;${titleText(`CodeLab: ${name}${doing}`)}\x07`);
  const call = (text: string): void => {
    if (!isOn || isFocused) return;
    const notice = titleText(`CodeLab: ${text}`);
    write(`\x07\x1b]9;${notice}\x07\x1b]777;notify;CodeLab;${titleText(text)}\x07`);
  };
  // A pressed key shows that the user looks here.
  const onKey = (_text: string | undefined, key: Key): void => {
    isFocused = focusReport(key) !== 'out';
  };
  const restore = (): void => {
    if (!isOpen) return;
    isOpen = false;
    try {
      writeSync(fds.output, restoreTitle);
    } catch {
      // The terminal is gone.
    }
  };
  input.on('keypress', onKey);
  process.on('exit', restore);
  write(saveTitle);
  entitle('');
  return {
    hear: watchTurn(entitle, call),
    [Symbol.dispose]() {
      input.off('keypress', onKey);
      process.off('exit', restore);
      restore();
    },
  };
}

/** Shows the state of the turn in the title, and alerts the user when they are needed or a long turn has ended. */
function watchTurn(entitle: (doing: string) => void, call: (text: string) => void): Attention['hear'] {
  let since: number | undefined;
  return (signal) => {
    if (signal.type === 'status' && signal.status !== 'idle' && since === undefined) {
      since = Date.now();
      entitle(' · working');
    }
    if (signal.type === 'approval') {
      entitle(' · waiting for you');
      // The approvals of a group are one question.
      if ((signal.approval.group?.index ?? 1) === 1) call(`${signal.approval.tool} waits for your answer`);
    }
    if (signal.type === 'decided') entitle(' · working');
    if (signal.type !== 'ended') return;
    if (since !== undefined && Date.now() - since > longTurnMs) call('the turn has ended');
    since = undefined;
    entitle('');
  };
}

/** Removes characters that would end the escape sequence or begin another field. */
function titleText(text: string): string {
  return visibleLine(text).replaceAll(';', ',').slice(0, 120);
}
