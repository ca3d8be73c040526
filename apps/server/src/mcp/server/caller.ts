// Who calls tools over MCP: the authenticated peer, its CodeLab session, what its client says of itself, and where else its questions can be answered.
import { type ApprovalRequest, visibleLine } from '@codelab/protocol';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type Implementation,
  type RequestStateCodec,
  type Server,
  type ServerContext,
  type ServerEvent,
} from '@modelcontextprotocol/server';
import * as z from 'zod/mini';
import type { Gateway, Peer, SharedSession } from '../../sessions/gateway.ts';
import type { DeferredCalls, LiveCalls } from './calls/live-calls.ts';
import type { ExtraOffer } from './extra-offer.ts';

// Who calls tools over MCP: a peer that the door let in, its CodeLab session, and where its questions can be answered besides itself.
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
export type McpWire = {
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
  wire: McpWire;
  caller: Caller;
  /** Whether the client holds a line on which it can be asked something. */
  era: 'legacy' | 'modern';
  aside: DeferredCalls;
};

/** What a client without a lasting line brings back: which call it was asked about. */
export const RequestState = () =>
  z.strictObject({
    who: z.string(),
    session: z.string(),
    callId: z.string(),
    approvalId: z.string(),
    /** Hash over the method, the tool and its arguments. */
    wanted: z.string(),
  });
export type RequestState = z.infer<ReturnType<typeof RequestState>>;

// What a client says of itself, in its greeting or with each request: its name for the record, and whether it can ask its user.
export type Client = {
  name: string;
  /** How the record names the way a decision came. */
  via: string;
  canAsk: boolean;
};

const maxNameChars = 60;

/** Proven by the SDK to have these shapes, which its types do not tell. */
export type Envelope = {
  [CLIENT_INFO_META_KEY]?: Implementation;
  [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities;
};

export function clientOf(server: Server, { mcpReq }: Pick<ServerContext, 'mcpReq'>): Client {
  const envelope: Envelope | undefined = mcpReq.envelope;
  return describe(
    envelope?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion(),
    envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities(),
  );
}

/** Of a request that no server has heard. */
export function clientOfEnvelope(envelope: Envelope): Client {
  return describe(envelope[CLIENT_INFO_META_KEY], envelope[CLIENT_CAPABILITIES_META_KEY]);
}

function describe(info: Implementation | undefined, capabilities: ClientCapabilities | undefined): Client {
  const name = nameOf(info);
  return { name, via: name === '' ? 'mcp' : `mcp:${name}`, canAsk: canAsk(capabilities) };
}

function nameOf(info: Implementation | undefined): string {
  if (info === undefined) return '';
  return visibleLine(`${info.name}/${info.version}`.slice(0, maxNameChars).toWellFormed());
}

// Before there were several ways to ask, a form was the only one, and went without saying.
function canAsk(capabilities: ClientCapabilities | undefined): boolean {
  const asking = capabilities?.elicitation;
  return asking !== undefined && (asking.form !== undefined || asking.url === undefined);
}
