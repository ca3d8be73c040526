// What one wire format knows: how a request is written and how a reply is read. Sending, waiting and repeating are the same for all.
import type { Reply } from '@codelab/protocol';
import type { ModelEvent, ModelRequest } from '../model.ts';
import type { Origin } from './failure.ts';
import type { ModelTrouble } from './model-trouble.ts';
import type { Refused } from './optional-parts.ts';
import type { Door } from './post.ts';
import type { SseEvent } from './sse-reader.ts';

export type Wire = {
  origin: Origin;
  door: Door;
  write(request: ModelRequest): Buffer;
  /** A reader for one answer. */
  read(request: ModelRequest): ReplyReader;
  /** Something the user should know of what this request leaves out. */
  notice?(request: ModelRequest): string | undefined;
  /** Given when the request will be written otherwise after this refusal, so that it is worth sending at once again. */
  adapt?(trouble: ModelTrouble): Refused | undefined;
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
