// The chat on a terminal: keys and signals of the agent come in, and the frame is redrawn after each.
import { type AgentSignal, type AgentStatus, type ApprovalRequest, visibleLine } from '@codelab/protocol';
import { createApprovalLine } from '../../approval/approval-line.ts';
import type { ChatPromptContext } from '../../approval/approval-prompt.ts';
import type { Tty } from '../../terminal/open-terminal.ts';
import type { TerminalChat } from '../chat.ts';
import { chatCommands, isAnytime, ownCommands } from '../commands/chat-commands.ts';
import type { History } from '../input/history.ts';
import { createInputLine } from '../input/input-line.ts';
import type { SuggestionSources } from '../input/suggest.ts';
import type { UnsentStore } from '../input/unsent.ts';
import type { LinkOf } from '../markdown/path-links.ts';
import { unqueueAll, waitingLines } from '../queue.ts';
import { chatStatus, createWorktreeStatus } from './chat-status.ts';
import { createComposer } from './composer.ts';
import { createLineRunner, hiddenPrefix, type LineRunner } from './line-runner.ts';
import { createLiveRegion } from './live-region.ts';
import { renderFrame } from './render-frame.ts';
import { userLines } from './reply-printer.ts';
import type { ScreenFrame } from './screen.ts';
import { createTodoWatch } from './todos.ts';
import { createTranscript, type ScreenTranscript } from './transcript.ts';
import { createTickTimer, createWorkLine } from './work-line.ts';

export type ScreenChatOptions = {
  terminal: Tty;
  history: History;
  unsent: UnsentStore;
  linkOf?: LinkOf | undefined;
  /** Asks about one approval, or several together, and returns when they are decided. */
  answer(approvals: readonly ApprovalRequest[], place: ChatPromptContext): Promise<void>;
};

export class ScreenChat {
  readonly #terminal: Tty;
  readonly #answer: ScreenChatOptions['answer'];
  readonly #unsent: UnsentStore;
  readonly #stage;
  readonly #transcript;
  readonly #input;
  readonly #work;
  readonly #approvals;
  readonly #newTodos;
  readonly #composer;
  readonly #spinner = createTickTimer(() => this.refresh());
  readonly #runner;
  readonly #tree = createWorktreeStatus(() => this.refresh());
  readonly closed = Promise.withResolvers<void>();
  #chat: TerminalChat | undefined;
  #commands: SuggestionSources['commands'] = chatCommands;
  #status: AgentStatus = 'idle';
  #notice = '';
  /** A pager or an editor uses the terminal: no approval may appear in it. */
  #isLent = false;

  constructor({ terminal, history, unsent, linkOf, answer }: ScreenChatOptions) {
    this.#unsent = unsent;
    this.#terminal = terminal;
    this.#answer = answer;
    this.#stage = createLiveRegion({
      terminal,
      frame: () => this.#frame(),
      keys: {
        onKey: (key) => this.#composer.onKey(key),
        onPaste: (text) => this.#input.paste(text),
        onEnd: () => this.leave(),
      },
    });
    this.#newTodos = createTodoWatch(terminal.paint);
    this.#transcript = createTranscript({
      columns: () => this.#columns,
      paint: terminal.paint,
      print: this.#stage.print,
      linkOf,
      kindOf: (tool) => this.#chat?.host.tools.get(tool)?.kind,
      root: () => this.#chat?.host.workspace.root.real,
    });
    this.#input = createInputLine({
      history,
      commands: () => this.#commands,
      skills: () => this.#tree.skills,
      root: () => this.#chat?.host.workspace.root.real,
      onChange: () => this.#onTyped(),
    });
    this.#runner = this.#createRunner();
    this.#work = createWorkLine({
      carryOut: (text, signal, options) => this.#runner.run(text, signal, options),
      isAnytime: (text) => isAnytime(text.replace(hiddenPrefix, '')),
      onFail: (error) => this.#fail(error),
      onChange: () => this.#onWork(),
    });
    this.#approvals = createApprovalLine({
      isTyping: () => !this.#input.isEmpty || this.#isLent,
      ask: (approvals) => this.#ask(approvals),
    });
    this.#composer = createComposer({
      ...{ stage: this.#stage, input: this.#input, work: this.#work, runner: this.#runner },
      ...{ approvals: this.#approvals, unsent },
      chat: () => this.#chat,
      withTerminal: (use) => this.withTerminal(use),
      leave: () => this.leave(),
      notify: (text) => this.#notify(text),
      onFail: (error) => this.#fail(error),
    });
  }

  #createRunner(): LineRunner {
    return createLineRunner({
      chat: () => this.#chat,
      terminal: this.#terminal,
      columns: () => this.#columns,
      print: this.#transcript.print,
      showSignal: (signal) => this.listen(signal),
      ...{ withTerminal: (use) => this.withTerminal(use), leave: () => this.leave() },
      ...{ setLine: (text) => this.#input.set(text), keepText: (text) => this.#bringBack(text) },
    });
  }

  /** Runs until the user leaves. */
  async run(chat: TerminalChat, first: readonly string[]): Promise<void> {
    this.#chat = chat;
    this.#commands = [...chatCommands, ...ownCommands(chat)];
    this.#stage.print(first);
    this.#stage.open();
    this.#input.fill(this.#unsent.take());
    // Messages that a killed chat had queued, unless its turn continues.
    if (!chat.conversation.isTurnOpen) this.#bringBack(await unqueueAll(chat));
    if (chat.conversation.isTurnOpen) this.#work.submit(hiddenPrefix);
    void this.#tree.refresh(chat).catch(() => undefined);
    await this.closed.promise;
    await this.#work.stop();
    this.#unsent.flush();
    this.#stage.close();
  }

  listen(signal: AgentSignal): void {
    if (signal.type === 'status') this.#status = signal.status;
    this.#transcript.show(signal);
    if (signal.type === 'approval') this.#approvals.add(signal.approval);
    if (signal.type === 'decided') this.#approvals.settle(signal.approvalId);
    if (signal.type === 'outcome' && signal.outcome.status === 'completed')
      this.#showTodos(signal.call.tool).catch((error: unknown) => this.#fail(error));
    this.refresh();
  }

  plan: ScreenTranscript['plan'] = (callId, plan) => this.#transcript.plan(callId, plan);
  summarize: ScreenTranscript['summarize'] = (readChanges) => this.#transcript.summarize(readChanges);

  /** The model receives the queued messages within the turn. */
  steered(text: string): void {
    this.#transcript.interject(userLines(text, { paint: this.#terminal.paint, columns: this.#columns }));
  }

  problem(text: string): void {
    this.#transcript.print([this.#terminal.paint('yellow', `  ${visibleLine(text)}`)]);
  }

  leave(): void {
    this.closed.resolve();
  }

  get #columns(): number {
    return Math.max(20, this.#terminal.size().columns - 1);
  }

  #notify(text: string): void {
    this.#notice = text;
    this.refresh();
  }

  #onWork(): void {
    if (this.#work.current === undefined) {
      this.#spinner.stop();
      this.#approvals.clear();
      this.#input.forgetPaths();
      this.#status = 'idle';
      // Errors are ignored: a tree that can't be read shows no branch.
      if (this.#chat !== undefined) void this.#tree.refresh(this.#chat).catch(() => undefined);
    } else this.#spinner.start();
    this.#onTyped();
  }

  /** Messages that are no longer in the session's log are saved on disk immediately. */
  #bringBack(text: string): void {
    if (text === '') return;
    this.#input.fill(text);
    this.#unsent.flush();
  }

  #onTyped(): void {
    this.#composer.keepTyped();
    this.refresh();
  }

  async withTerminal(use: (terminal: Tty) => Promise<void>): Promise<void> {
    this.#spinner.stop();
    this.#isLent = true;
    await this.#stage
      .withTerminal(() => use(this.#terminal))
      .finally(() => {
        this.#isLent = false;
        this.#onWork();
        this.#approvals.next();
      });
  }

  #fail(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.#transcript.print([this.#terminal.paint('red', `  ${visibleLine(message)}`)]);
  }

  async #ask(approvals: readonly ApprovalRequest[]): Promise<void> {
    const signal = this.#work.current?.signal;
    if (signal === undefined) return;
    const { fill: keepText } = this.#input;
    const place = { signal, keepText, later: this.#work.submit, interrupt: () => this.#composer.cancel() };
    await this.withTerminal(() => this.#answer(approvals, place)).catch((error: unknown) => {
      this.#fail(error);
      this.#composer.cancel();
    });
  }

  async #showTodos(tool: string): Promise<void> {
    if (this.#chat !== undefined) this.#transcript.print(await this.#newTodos(this.#chat, tool));
  }

  refresh(): void {
    this.#stage.refresh();
  }

  #frame(): ScreenFrame {
    const { paint, size } = this.#terminal;
    const { current } = this.#work;
    const { sign } = this.#spinner;
    const doing = current && { since: current.since, status: this.#status, sign };
    const status = this.#chat && chatStatus(this.#chat, this.#tree.facts, doing);
    const live = this.#transcript.live(sign);
    const heldTool = this.#approvals.held?.tool;
    const offer = current === undefined ? this.#runner.offer : '';
    const notice = this.#notice || this.#runner.editing || offer;
    const queue = this.#chat === undefined ? [] : waitingLines(this.#chat, this.#work);
    const view = { ...this.#input.view, live, queue, heldTool, notice, status };
    return renderFrame(view, size(), paint);
  }
}
