// A reply while it arrives: text, reasoning and unfinished calls, and the events they produce.
import type { Reply, Usage, WantedCall } from '@codelab/protocol';
import type { ModelEvent, ModelRequest } from '../../model.ts';
import { callIds } from '../request/call-ids.ts';
import { toolNames } from '../request/tool-names.ts';
import { textGate } from './marked-calls.ts';
import { maxArgumentChars, parseArguments } from './read-arguments.ts';
import { recoverCalls } from './recover-calls.ts';
import { type SplitText, splitAtLoneClose, thinkSplitter } from './think-splitter.ts';

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
    const taken = this.#events;
    this.#events = [];
    return taken;
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
