// A reply while it arrives: text, reasoning and unfinished calls, and the events they produce.
import type { Reply, Usage, WantedCall } from '@codelab/protocol';
import type { ModelEvent, ModelRequest } from '../../model.ts';
import { callIds } from '../request/call-ids.ts';
import { toolNames } from '../request/tool-names.ts';
import { textGate } from './marked-calls.ts';
import { maxArgumentChars, parseArguments } from './read-arguments.ts';
import { recoverCalls } from './recover-calls.ts';

/** An unfinished call: `name` as the provider spells it, `json` the part of its arguments that has arrived. */
export type DraftCall = { index: number; id: string; name: string; json: string; announcedAs?: string };

export type ReplyEnd = { stop: Reply['stop']; usage: Usage; opaque?: unknown };

type Options = {
  model: string;
  request: ModelRequest;
  /** Whether calls and reasoning that a model writes as text are recognised. */
  recovers: boolean;
};

export class ReplyDraft {
  readonly calls: DraftCall[] = [];
  /** The whole text so far, held back or not. */
  text = '';
  #reasoning = '';
  #shown = '';
  #events: ModelEvent[] = [];
  readonly #options: Options;
  readonly #gate = textGate();
  readonly #splitter = thinkSplitter();
  readonly #freeId: (id: unknown) => string;

  constructor(options: Options) {
    this.#options = options;
    this.#freeId = callIds(options.request);
  }

  addText(delta: string): void {
    this.#addSplit(this.#options.recovers ? this.#splitter.push(delta) : { reasoning: '', text: delta });
  }

  #addSplit({ reasoning, text }: SplitText): void {
    this.addReasoning(reasoning);
    this.text += text;
    this.#show(this.#options.recovers ? this.#gate.pass(text) : text);
  }

  addReasoning(delta: string): void {
    this.#reasoning += delta;
    if (delta !== '') this.#events.push({ type: 'reasoning', delta });
  }

  beginCall(call: DraftCall): DraftCall {
    this.calls.push(call);
    return call;
  }

  /** A name is complete once there are arguments: only then is the call announced. */
  addArguments(call: DraftCall, delta: string): void {
    if (delta === '') return;
    if (call.json.length <= maxArgumentChars) call.json += delta;
    this.announce(call);
  }

  /** Announces a call whose name is complete, once. */
  announce(call: DraftCall): string {
    if (call.announcedAs === undefined) {
      call.announcedAs = this.#freeId(call.id);
      this.#events.push({ type: 'call', id: call.announcedAs, tool: this.#toolOf(call) });
    }
    return call.announcedAs;
  }

  /** The events since the last call. */
  take(): ModelEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  finish({ stop, usage, opaque }: ReplyEnd): { events: ModelEvent[]; reply: Reply } {
    this.#endText();
    // Calls of a reply that the provider's filter stopped are not run.
    const calls =
      stop === 'refused'
        ? []
        : [...this.#structured(stop === 'length'), ...this.#recovered(stop === 'length')];
    this.#show(this.#gate.rest());
    const reply: Reply = {
      model: this.#options.model,
      text: this.text,
      ...(this.#reasoning !== '' && { reasoning: this.#reasoning }),
      ...(opaque !== undefined && { opaque }),
      calls,
      usage,
      stop: calls.length > 0 ? 'calls' : stop,
    };
    return { events: this.take(), reply };
  }

  #endText(): void {
    if (!this.#options.recovers) return;
    this.#addSplit(this.#splitter.end());
    const split = splitAtLoneClose(this.text);
    if (split === undefined) return;
    // The reasoning was already shown as text; it is at least removed from the stored text.
    this.#reasoning += split.reasoning;
    this.text = split.text;
  }

  #structured(wasCut: boolean): WantedCall[] {
    return this.calls.map((call, i) => {
      const id = this.announce(call);
      if (call.name === '') return { id, tool: 'unknown', args: {}, problem: 'The call names no tool.' };
      return {
        id,
        tool: this.#toolOf(call),
        ...parseArguments(call.json, wasCut && i === this.calls.length - 1),
      };
    });
  }

  #recovered(wasCut: boolean): WantedCall[] {
    const { recovers, request } = this.#options;
    const found =
      recovers && this.calls.length === 0 ? recoverCalls(this.text, request.tools, wasCut) : undefined;
    if (found === undefined) return [];
    this.#gate.rest();
    this.text = found.text;
    if (this.text.startsWith(this.#shown)) this.#show(this.text.slice(this.#shown.length));
    return found.calls.map((call) => {
      const id = this.#freeId('');
      this.#events.push({ type: 'call', id, tool: call.tool });
      return { id, ...call };
    });
  }

  #show(delta: string): void {
    this.#shown += delta;
    if (delta !== '') this.#events.push({ type: 'text', delta });
  }

  #toolOf({ name }: DraftCall): string {
    return toolNames(this.#options.request.tools).fromWire(name);
  }
}

// Separates reasoning that a server left in the text, as it arrives: `<think>…</think>` at the start, or the channels of gpt-oss.
type SplitText = { reasoning: string; text: string };

type ThinkSplitter = {
  push(delta: string): SplitText;
  /** The text held back to the end. */
  end(): SplitText;
};

const pairs: readonly { open: string; close: string }[] = [
  { open: '<think>', close: '</think>' },
  { open: '<thinking>', close: '</thinking>' },
  { open: '<|channel|>analysis<|message|>', close: '<|end|>' },
];

/** Written by gpt-oss before its answer. */
const preambles = ['<|start|>assistant<|channel|>final<|message|>', '<|channel|>final<|message|>'];

const openings = [...pairs.map(({ open }) => open), ...preambles];

const nothing: SplitText = { reasoning: '', text: '' };

function thinkSplitter(): ThinkSplitter {
  let state: 'start' | 'thinking' | 'after' | 'text' = 'start';
  let close = '';
  let buffered = '';

  function start(): SplitText {
    const start = buffered.trimStart();
    const pair = pairs.find(({ open }) => start.startsWith(open));
    if (pair === undefined) return mayBecome(start, openings) ? nothing : after(buffered);
    state = 'thinking';
    ({ close } = pair);
    buffered = start.slice(pair.open.length);
    return thinking();
  }

  function thinking(): SplitText {
    const at = buffered.indexOf(close);
    if (at === -1) {
      const reasoning = buffered.slice(0, buffered.length - tailOf(buffered, close));
      buffered = buffered.slice(reasoning.length);
      return { reasoning, text: '' };
    }
    const reasoning = buffered.slice(0, at);
    state = 'after';
    buffered = buffered.slice(at + close.length);
    return { reasoning, text: blank().text };
  }

  /** Blank lines and marks between reasoning and answer belong to neither. */
  function blank(): SplitText {
    buffered = buffered.trimStart();
    return buffered === '' || mayBecome(buffered, preambles) ? nothing : after(buffered);
  }

  function after(rest: string): SplitText {
    const mark = preambles.find((preamble) => rest.trimStart().startsWith(preamble));
    state = 'text';
    buffered = '';
    return { reasoning: '', text: mark === undefined ? rest : rest.trimStart().slice(mark.length) };
  }

  return {
    push(delta) {
      if (state === 'text') return { reasoning: '', text: delta };
      buffered += delta;
      if (state === 'start') return start();
      return state === 'thinking' ? thinking() : blank();
    },
    end() {
      const rest = buffered;
      buffered = '';
      return state === 'thinking' ? { reasoning: rest, text: '' } : { reasoning: '', text: rest };
    },
  };
}

/** Whether more text could complete one of the marks. */
function mayBecome(text: string, marks: readonly string[]): boolean {
  return marks.some((mark) => mark !== text && mark.startsWith(text));
}

/** How many characters at the end of a text may be the beginning of a mark. */
function tailOf(text: string, mark: string): number {
  for (let size = Math.min(text.length, mark.length - 1); size > 0; size--)
    if (text.endsWith(mark.slice(0, size))) return size;
  return 0;
}

/** Some templates put the opening mark into the prompt, so that the text has only the closing one. */
function splitAtLoneClose(text: string): SplitText | undefined {
  const at = text.indexOf('</think>');
  const before = text.slice(0, at);
  const isQuoted = before.split('`').length % 2 === 0;
  if (at === -1 || isQuoted || before.includes('<think>')) return undefined;
  return { reasoning: before, text: text.slice(at + '</think>'.length).trimStart() };
}
