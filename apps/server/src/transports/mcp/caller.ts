// Who calls tools over MCP: a peer that the door let in, its CodeLab session, and where its questions can be answered besides itself.
import type { ApprovalRequest } from '@codelab/protocol';
import type { RequestStateCodec } from '@modelcontextprotocol/server';
import type { Gateway, Peer, SharedSession } from '../../gateway/gateway.ts';
import type { LiveCalls } from './live-calls.ts';

export type Caller = {
  peer: Peer;
  /** The role whose tools are offered; without it the session's own. */
  profile: string | undefined;
  /** The session its calls are made in, made when the first one is. `client` is what the client calls itself. */
  openSession(client: string): Promise<SharedSession>;
  /** Where a human can decide besides at the client, as a sentence. */
  tellWay(session: SharedSession, approval: ApprovalRequest): Promise<string>;
};

/** What all servers of one wire share. */
export type Wire = {
  gateway: Gateway;
  calls: LiveCalls;
  version: string;
  /** The wire itself is closed: what its clients wanted is not taken back. */
  isClosing(): boolean;
  /** Signs what a client brings back with its answer, and proves it. */
  states: RequestStateCodec<AskedState>;
  onFault(error: unknown): void;
};

/** What a client without a lasting line brings back: which call it was asked about. */
export type AskedState = {
  who: string;
  session: string;
  callId: string;
  approvalId: string;
  /** Hash over the tool and its arguments. */
  wanted: string;
};
