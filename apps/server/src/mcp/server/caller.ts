// Who calls tools over MCP: a peer that the door let in, its CodeLab session, and where its questions can be answered besides itself.
import type { ApprovalRequest } from '@codelab/protocol';
import type { RequestStateCodec, ServerEvent } from '@modelcontextprotocol/server';
import * as z from 'zod/mini';
import type { Gateway, Peer, SharedSession } from '../../sessions/gateway.ts';
import type { ExtraOffer } from './extra-offer.ts';
import type { LiveCalls } from './live-calls.ts';
import type { SetAside } from './set-aside.ts';

export type Caller = {
  peer: Peer;
  /** The role whose tools are offered; without it the session's own. */
  profile: string | undefined;
  /** The session its calls are made in, made when the first one is. `client` is what the client calls itself. */
  openSession(client: string): Promise<SharedSession>;
  /** The same, but only when it is there already: looking at what is offered makes no session. */
  findSession(client: string): Promise<SharedSession | undefined>;
  /** Where a human can decide besides at the client, as a sentence for the client alone: it may hold a link that decides. */
  tellWay(session: SharedSession, approval: ApprovalRequest): Promise<string>;
  /** The same for everybody's eyes, the model's included, as the end of a sentence: nothing in it decides. */
  placeToDecide(session: SharedSession): string;
};

/** What all servers of one wire share. */
export type Wire = {
  gateway: Gateway;
  calls: LiveCalls;
  version: string;
  /** How long a client that can't ask, but hears progress, is kept waiting for a decision. */
  patienceMs: number;
  /** The wire itself is closed: what its clients wanted is not taken back. */
  isClosing(): boolean;
  /** Signs what a client brings back with its answer, and proves it. */
  states: RequestStateCodec;
  /** Only the conformance tests have one. */
  extra: ExtraOffer | undefined;
  /** Tells every stream that listens, whoever holds it. */
  publish(event: ServerEvent): void;
  onFault(error: unknown): void;
};

/** A server of one client, or of one of its requests. */
export type Serving = {
  wire: Wire;
  caller: Caller;
  /** Whether the client holds a line on which it can be asked something. */
  era: 'legacy' | 'modern';
  aside: SetAside;
};

/** What a client without a lasting line brings back: which call it was asked about. */
export const AskedState = () =>
  z.strictObject({
    who: z.string(),
    session: z.string(),
    callId: z.string(),
    approvalId: z.string(),
    /** Hash over the method, the tool and its arguments. */
    wanted: z.string(),
  });
export type AskedState = z.infer<ReturnType<typeof AskedState>>;
