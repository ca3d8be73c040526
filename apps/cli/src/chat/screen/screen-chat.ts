// The chat on a terminal: keys come in, signals of the agent come in, and after each the frame is drawn anew.
import type { Key } from 'node:readline';
import {
  type AgentSignal,
  type AgentStatus,
  type ApprovalRequest,
  type Plan,
  visibleLine,
} from '@codelab/protocol';
import type { Terminal } from '../../terminal/open-terminal.ts';
import { carryOut } from '../carry-out.ts';
import type { Chat } from '../chat.ts';
import { chatCommands, findChatCommand, ownCommands } from '../commands/chat-commands.ts';
import type { History } from '../input/history.ts';
import { createInputLine } from '../input/input-line.ts';
import type { Known } from '../input/suggest.ts';
import { createApprovalLine } from './approval-line.ts';
import { chatStatus } from './chat-status.ts';
import { frameOf } from './frame-of.ts';
import type { Frame } from './screen.ts';
import { createSpinner } from './spinner.ts';
import { createStage } from './stage.ts';
import { createTodoWatch } from './todo-watch.ts';
import { createTranscript } from './transcript.ts';
import { userLines } from './user-lines.ts';
import { createWorkLine } from './work-line.ts';

export type ScreenChatOptions = {
  terminal: Terminal;
  history: History;
  /** Puts one approval to whoever decides. */
  answer(approval: ApprovalRequest, signal: AbortSignal, cancel: () => void): Promise<void>;
};

const twiceMs = 2000;
/** Goes on with the turn that was left open; typed by nobody. */
const goOn = '\0';

export class ScreenChat {
  readonly #terminal: Terminal;
  readonly #answer: ScreenChatOptions['answer'];
  readonly #stage;
  readonly #transcript;
  readonly #input;
  readonly #work;
  readonly #approvals;
  readonly #newTodos;
  readonly #spinner = createSpinner(() => this.#refresh());
  readonly #left = Promise.withResolvers<void>();
  #chat: Chat | undefined;
  #commands: Known['commands'] = chatCommands;
  #status: AgentStatus = 'idle';
  #notice = '';
  #pressedAt = 0;

  constructor({ terminal, history, answer }: ScreenChatOptions) {
    this.#terminal = terminal;
    this.#answer = answer;
    this.#stage = createStage({
      terminal,
      frame: () => this.#frame(),
      keys: {
        onKey: (key) => this.#onKey(key),
        onPaste: (text) => this.#input.paste(text),
        onEnd: () => this.leave(),
      },
    });
    this.#newTodos = createTodoWatch(terminal.paint);
    this.#transcript = createTranscript({
      columns: () => this.#columns,
      paint: terminal.paint,
      print: this.#stage.print,
    });
    this.#input = createInputLine({
      history,
      commands: () => this.#commands,
      root: () => this.#chat?.host.workspace.root.real,
      onChange: () => this.#refresh(),
    });
    this.#work = createWorkLine({
      carryOut: (text, signal) => this.#carryOut(text, signal),
      isAnytime: (text) => findChatCommand(text)?.command.isAnytime ?? false,
      onFail: (error) => this.#fail(error),
      onChange: () => this.#onWork(),
    });
    this.#approvals = createApprovalLine({
      isTyping: () => !this.#input.isEmpty,
      ask: (approval) => this.#ask(approval),
    });
  }

  /** Until the human leaves. */
  async run(chat: Chat, first: readonly string[]): Promise<void> {
    this.#chat = chat;
    this.#commands = [...chatCommands, ...ownCommands(chat)];
    this.#stage.print(first);
    this.#stage.open();
    if (chat.talk.isTurnOpen) this.#work.submit(goOn);
    await this.#left.promise;
    await this.#work.stop();
    this.#stage.close();
  }

  listen(signal: AgentSignal): void {
    if (signal.type === 'status') this.#status = signal.status;
    this.#transcript.show(signal);
    if (signal.type === 'approval') this.#approvals.add(signal.approval);
    if (signal.type === 'decided') this.#approvals.settle(signal.approvalId);
    if (signal.type === 'outcome' && signal.outcome.status === 'completed')
      this.#showTodos(signal.call.tool).catch((error: unknown) => this.#fail(error));
    this.#refresh();
  }

  plan(callId: string, plan: Plan): void {
    this.#transcript.plan(callId, plan);
  }

  problem(text: string): void {
    this.#stage.print([this.#terminal.paint('yellow', `  ${visibleLine(text)}`)]);
  }

  leave(): void {
    this.#left.resolve();
  }

  get #columns(): number {
    return Math.max(20, this.#terminal.size().columns - 1);
  }

  #onKey(key: Key): void {
    const { name = '', ctrl = false, shift = false } = key;
    this.#notice = '';
    if (ctrl && name === 'c') this.#interrupt();
    else if (ctrl && name === 'd' && this.#input.isEmpty) this.leave();
    else if (ctrl && name === 'z') void this.#stage.stepAside();
    else if (ctrl && name === 'l') this.#stage.clear();
    else if (name === 'tab' && shift) this.#switchRole();
    else if (name === 'tab' && this.#approvals.held !== undefined) this.#approvals.next({ isInsisted: true });
    else if (!this.#input.heed(key)) {
      if (name === 'return') this.#send();
      if (name === 'escape') this.#cancel();
    }
    this.#approvals.next();
    this.#refresh();
  }

  #interrupt(): void {
    const isAgain = Date.now() - this.#pressedAt < twiceMs;
    this.#pressedAt = Date.now();
    const { isEmpty } = this.#input;
    if (isEmpty && isAgain) this.leave();
    else if (isEmpty) this.#cancel();
    else this.#input.set('');
    this.#notice = '  Ctrl-C once more leaves.';
  }

  // What waited for its turn comes back to the line: it was meant for another course of things.
  #cancel(): void {
    const waited = this.#work.cancel();
    if (waited.length > 0 && this.#input.isEmpty) this.#input.set(waited.join('\n'));
  }

  #send(): void {
    const text = this.#input.send();
    if (text !== '') this.#work.submit(text);
  }

  #switchRole(): void {
    this.#work.submit(this.#chat?.agent.profile.name === 'plan' ? '/build' : '/plan');
  }

  #onWork(): void {
    if (this.#work.current === undefined) {
      this.#spinner.stop();
      this.#approvals.clear();
      this.#input.forgetPaths();
      this.#status = 'idle';
    } else this.#spinner.start();
    this.#refresh();
  }

  async #carryOut(text: string, signal: AbortSignal): Promise<void> {
    const chat = this.#chat;
    if (chat === undefined) return;
    if (text === goOn) {
      await chat.finish(signal);
      return;
    }
    const { paint } = this.#terminal;
    const columns = this.#columns;
    const { print } = this.#stage;
    // A card brings its own blank line.
    print(['', ...userLines(text, { paint, columns }), ...(text.startsWith('!') ? [] : [''])]);
    const tell = (one: AgentSignal): void => this.listen(one);
    const lend = (use: (terminal: Terminal) => Promise<void>): Promise<void> => this.#lend(use);
    const { isLeaving } = await carryOut(text, { chat, paint, columns, signal, print, tell, lend });
    if (isLeaving) this.leave();
  }

  async #lend(use: (terminal: Terminal) => Promise<void>): Promise<void> {
    this.#spinner.stop();
    await this.#stage.lend(() => use(this.#terminal));
    this.#onWork();
  }

  #fail(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.#stage.print([this.#terminal.paint('red', `  ${visibleLine(message)}`)]);
  }

  async #ask(approval: ApprovalRequest): Promise<void> {
    const signal = this.#work.current?.signal;
    if (signal === undefined) return;
    this.#spinner.stop();
    try {
      await this.#stage.lend(() => this.#answer(approval, signal, () => this.#cancel()));
    } catch (error) {
      this.#fail(error);
      this.#cancel();
    }
    this.#onWork();
  }

  async #showTodos(tool: string): Promise<void> {
    if (this.#chat !== undefined) this.#stage.print(await this.#newTodos(this.#chat, tool));
  }

  #refresh(): void {
    this.#stage.refresh();
  }

  #frame(): Frame {
    const { paint, size } = this.#terminal;
    const { current, queue } = this.#work;
    const { sign } = this.#spinner;
    const doing = current && { since: current.since, status: this.#status, sign };
    const status = this.#chat && chatStatus(this.#chat, doing);
    const live = this.#transcript.live(sign);
    const held = this.#approvals.held?.tool;
    const view = { ...this.#input.shown, live, queue, held, notice: this.#notice, status };
    return frameOf(view, size(), paint);
  }
}
