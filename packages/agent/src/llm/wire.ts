// What one wire format knows: how a request is written and how a reply is read. Sending, waiting and repeating are the same for all.
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
  door: HttpEndpoint;
  write(request: ModelRequest): Buffer;
  /** A reader for one answer. */
  read(request: ModelRequest): ReplyReader;
  /** Whether a reply comes piece by piece. A whole one is waited for longer. */
  isStreamed(): boolean;
  /** Something the user should know of what this request leaves out. */
  notice?(request: ModelRequest): string | undefined;
  /** Given when the request will be written otherwise after this refusal, so that it is worth sending at once again. */
  adapt?(trouble: ModelFailure): RefusedPart | undefined;
  /** The model that was probably meant, when the provider does not know this one. */
  suggest?(): Promise<string | undefined>;
};

export type ReplyReader = {
  event(event: SseEvent): ModelEvent[];
  /** The answer of a server that does not stream. */
  whole(answer: unknown): ModelEvent[];
  /** Nothing more of the reply will come, whatever else the stream holds. */
  isComplete(): boolean;
  /** The stream may end here. */
  isEnough(): boolean;
  /** What has been read of the text, complete or not. */
  textSoFar(): string;
  /** The last deltas, if any were held back, and the reply. */
  finish(): { events: ModelEvent[]; reply: Reply };
};

/** One model at one address: what a wire needs to know to talk to it. */
export type Site = {
  /** As the provider names the model. */
  id: string;
  origin: Origin;
  door: HttpEndpoint;
  quirks: Quirks;
  /** Where it is known. */
  price: Price | undefined;
};
