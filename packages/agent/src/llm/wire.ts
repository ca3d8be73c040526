// The parts of a wire: how a request is written and how a reply is read. Sending, waiting and retrying are the same for all.
import type { Reply } from '@codelab/protocol';
import type { ModelEvent, ModelRequest } from '../model.ts';
import type { Origin } from './http/failure.ts';
import type { HttpEndpoint } from './http/post.ts';
import type { SseEvent } from './http/sse-reader.ts';
import type { ModelFailure } from './model-failure.ts';
import type { Price, Quirks } from './providers.ts';
import type { RefusedPart } from './request/optional-parts.ts';

export type Wire = {
  origin: Origin;
  endpoint: HttpEndpoint;
  write(request: ModelRequest): Buffer;
  /** A reader for one answer. */
  read(request: ModelRequest): ReplyReader;
  /** Whether a reply is streamed. A whole reply gets a longer timeout. */
  isStreamed(): boolean;
  /** A note for the user about parts that this request leaves out. */
  notice?(request: ModelRequest): string | undefined;
  /** Returns a value when the request will differ after this refusal, so that it is worth sending again at once. */
  adapt?(trouble: ModelFailure): RefusedPart | undefined;
  /** The model that was probably meant, when the provider does not know this one. */
  suggest?(): Promise<string | undefined>;
};

export type ReplyReader = {
  event(event: SseEvent): ModelEvent[];
  /** Reads the answer of a server that does not stream. */
  whole(answer: unknown): ModelEvent[];
  /** The reply is complete, whatever else the stream holds. */
  isComplete(): boolean;
  /** The stream may end here. */
  isEnough(): boolean;
  /** The text read so far, complete or not. */
  textSoFar(): string;
  /** The last deltas, if any were held back, and the reply. */
  finish(): { events: ModelEvent[]; reply: Reply };
};

/** One model at one address: what a wire needs to talk to it. */
export type Site = {
  /** The provider's name of the model. */
  id: string;
  origin: Origin;
  endpoint: HttpEndpoint;
  quirks: Quirks;
  /** Undefined where it is unknown. */
  price: Price | undefined;
};
