// Reads the events of the Responses API, or a whole response.
import type { Reply } from '@codelab/protocol';
import type { ModelRequest } from '../../model.ts';
import { failedStream } from '../http/failure.ts';
import { parseEvent } from '../http/sse-reader.ts';
import { ModelFailure } from '../model-failure.ts';
import { type DraftCall, ReplyDraft } from '../reply/reply-draft.ts';
import type { ReplyReader, Site } from '../wire.ts';
import { readOpenaiUsage } from './usage.ts';

/** The order of a reply's items. Reasoning is sent back unchanged; texts and calls are only referenced. */
export type ResponsesOpaque = { items: OpaqueItem[] };

type OpaqueItem =
  | { reasoning: Record<string, unknown> }
  /** Number of characters of the reply's text. `phase` must be sent back with it. */
  | { text: number; phase?: string }
  /** Index of the call; its id may change on the wire. */
  | { call: number };

type Part = { type?: string; text?: string; refusal?: string };
type Item = {
  type?: string;
  id?: string;
  call_id?: string;
  name?: string;
  arguments?: string;
  content?: Part[] | null;
  summary?: Part[] | null;
  encrypted_content?: string | null;
  phase?: string | null;
};
type Response = {
  status?: string;
  output?: Item[];
  usage?: unknown;
  error?: unknown;
  incomplete_details?: { reason?: string } | null;
};
type StreamEvent = {
  type?: string;
  output_index?: number;
  summary_index?: number;
  delta?: string;
  arguments?: string;
  item?: Item;
  response?: Response;
  error?: unknown;
};

type Begun =
  | { kind: 'message'; length: number; phase?: string }
  | { kind: 'call'; call: DraftCall }
  | { kind: 'reasoning'; item?: Record<string, unknown>; isShown: boolean }
  | { kind: 'other' };

export function responsesReader(site: Site, request: ModelRequest): ReplyReader {
  const recovers = site.quirks.isNative !== true;
  const draft = new ReplyDraft({ model: site.origin.model, request, recovers });
  const items = new ItemDrafts(draft);
  let ended: Response | undefined;

  function read(event: StreamEvent): void {
    switch (event.type) {
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
      case 'response.cancelled':
        ended = event.response ?? {};
        if (event.type === 'response.failed' || ended.status === 'failed')
          throw failedStream(ended.error ?? { message: 'it failed' }, site.origin);
        items.complete(ended.output ?? []);
        break;
      case 'error':
        throw failedStream(event.error ?? event, site.origin);
      default:
        items.read(event);
    }
  }

  return {
    event({ data }) {
      if (data !== '[DONE]') read(parseEvent<StreamEvent>(data));
      return draft.take();
    },
    whole(answer) {
      const response = answer as Response;
      if (!Array.isArray(response.output))
        throw new ModelFailure('The answer holds no reply.', { mayPass: false });
      read({ type: 'response.completed', response });
      return draft.take();
    },
    isComplete: () => ended !== undefined,
    isEnough: () => ended !== undefined,
    textSoFar: () => draft.text,
    finish() {
      const opaque = items.opaque();
      return draft.finish({
        stop: items.isRefusal ? 'refused' : stopOf(ended ?? {}),
        usage: readOpenaiUsage(ended?.usage, site),
        ...(opaque && { opaque }),
      });
    },
  };
}

/** The items of an unfinished response, by index. */
class ItemDrafts {
  isRefusal = false;
  readonly #items = new Map<number, Begun>();
  readonly #draft: ReplyDraft;

  constructor(draft: ReplyDraft) {
    this.#draft = draft;
  }

  read(event: StreamEvent): void {
    const at = event.output_index ?? 0;
    const delta = event.delta ?? '';
    const open = this.#items.get(at);
    switch (event.type) {
      case 'response.output_item.added':
        this.#begin(at, event.item ?? {});
        break;
      case 'response.output_item.done':
        this.#end(at, event.item ?? {});
        break;
      case 'response.refusal.delta':
      case 'response.output_text.delta':
        this.isRefusal ||= event.type === 'response.refusal.delta';
        this.addText(open ?? this.#begin(at, { type: 'message' }), delta);
        break;
      case 'response.function_call_arguments.delta':
        if (open?.kind === 'call') this.#draft.addArguments(open.call, delta);
        break;
      case 'response.reasoning_summary_part.added':
        if ((event.summary_index ?? 0) > 0) this.addThought(open, '\n\n');
        break;
      case 'response.reasoning_text.delta':
      case 'response.reasoning_summary_text.delta':
        this.addThought(open, delta);
        break;
      default:
        // Progress events, tools of the provider, and future types are ignored.
        break;
    }
  }

  /** Takes the content of the last event, for a server that omits the events before it. */
  complete(output: readonly Item[]): void {
    for (const [at, item] of output.entries()) if (!this.#items.has(at)) this.#end(at, item);
  }

  /** Undefined when there is nothing to send back but text and calls. */
  opaque(): ResponsesOpaque | undefined {
    const inOrder = [...this.#items].toSorted(([a], [b]) => a - b).map(([, open]) => open);
    const items = inOrder.flatMap((open) => this.#pointTo(open));
    const isPlain = items.every((entry) => !('reasoning' in entry) && !('phase' in entry));
    return isPlain ? undefined : { items };
  }

  #begin(at: number, item: Item): Begun {
    const openItem = this.#beginning(at, item);
    this.#items.set(at, openItem);
    return openItem;
  }

  #beginning(at: number, { type, call_id = '', name = '' }: Item): Begun {
    switch (type) {
      case 'message':
        return { kind: 'message', length: 0 };
      case 'function_call':
        return { kind: 'call', call: this.#draft.beginCall({ index: at, id: call_id, name, json: '' }) };
      case 'reasoning':
        return { kind: 'reasoning', isShown: false };
      default:
        return { kind: 'other' };
    }
  }

  #end(at: number, item: Item): void {
    const open = this.#items.get(at) ?? this.#begin(at, item);
    switch (open.kind) {
      case 'message':
        if (open.length === 0) for (const part of item.content ?? []) this.#sayPart(open, part);
        if (typeof item.phase === 'string') open.phase = item.phase;
        break;
      case 'call':
        if (open.call.json === '') this.#draft.addArguments(open.call, item.arguments ?? '');
        this.#draft.announce(open.call);
        break;
      case 'reasoning': {
        const texts = [...(item.summary ?? []), ...(item.content ?? [])].map(({ text = '' }) => text);
        if (!open.isShown) this.addThought(open, texts.join('\n\n'));
        // An item that is not stored at the provider is useless without its content.
        if (item.encrypted_content || item.content?.length) open.item = reasoningItem(item);
        break;
      }
      case 'other':
        break;
    }
  }

  #sayPart(open: Begun, { type, text = '', refusal = '' }: Part): void {
    this.isRefusal ||= type === 'refusal';
    this.addText(open, type === 'refusal' ? refusal : text);
  }

  addText(open: Begun, delta: string): void {
    if (open.kind === 'message') open.length += delta.length;
    this.#draft.addText(delta);
  }

  addThought(open: Begun | undefined, delta: string): void {
    if (open?.kind === 'reasoning' && delta !== '') open.isShown = true;
    this.#draft.addReasoning(delta);
  }

  #pointTo(open: Begun): OpaqueItem[] {
    switch (open.kind) {
      case 'message':
        return [{ text: open.length, ...(open.phase !== undefined && { phase: open.phase }) }];
      case 'call':
        return [{ call: this.#draft.calls.indexOf(open.call) }];
      case 'reasoning':
        return open.item === undefined ? [] : [{ reasoning: open.item }];
      case 'other':
        return [];
    }
  }
}

function reasoningItem({ id, summary, content, encrypted_content }: Item): Record<string, unknown> {
  return {
    type: 'reasoning',
    id,
    summary: summary ?? [],
    ...(content?.length && { content }),
    ...(encrypted_content && { encrypted_content }),
  };
}

function stopOf({ status, incomplete_details: details }: Response): Reply['stop'] {
  if (status === 'cancelled')
    throw new ModelFailure('The provider cancelled the reply.', { mayPass: true, reason: 'cut' });
  if (status !== 'incomplete' && !details?.reason) return 'end';
  return details?.reason === 'content_filter' ? 'refused' : 'length';
}
