// The caller of tools over MCP: the authenticated peer, its CodeLab session, its client's capabilities, and where else its approvals can
// be decided.
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

// A caller is a peer that was authenticated, with its CodeLab session and the places where its approvals can be decided besides the
// client.
export type Caller = {
  peer: Peer;
  /** The profile whose tools are offered; without it, the session's own. */
  profile: string | undefined;
  /** The session of its calls, created with the first one. `client` is the client's own name. */
  openSession(client: string): Promise<SharedSession>;
  /** Like `openSession`, but only an existing session: listing what is offered creates none. */
  findSession(client: string): Promise<SharedSession | undefined>;
  /** Where a human can decide besides the client, as a sentence for the client only: it may contain a link that decides. */
  tellWay(session: SharedSession, approval: ApprovalRequest): Promise<string>;
  /** The same without a link that decides, for everybody including the model, as the end of a sentence. */
  placeToDecide(session: SharedSession): string;
};

/** The shared state of all servers of one wire. */
export type McpWire = {
  gateway: Gateway;
  calls: LiveCalls;
  version: string;
  /** How long a client that can't prompt its user, but gets progress, waits for a decision. */
  patienceMs: number;
  /** The wire itself is closing: its clients' calls are not cancelled. */
  isClosing(): boolean;
  /** Signs the state that a client sends back with its answer, and verifies it. */
  states: RequestStateCodec;
  /** Set by the conformance tests only. */
  extra: ExtraOffer | undefined;
  /** Notifies every listening stream of any server. */
  publish(event: ServerEvent): void;
  onFault(error: unknown): void;
};

/** A server for one client, or for one of its requests. */
export type Serving = {
  wire: McpWire;
  caller: Caller;
  /** Whether the client has an open connection for prompting its user. */
  era: 'legacy' | 'modern';
  deferredCalls: DeferredCalls;
};

/** The state that a client without a lasting connection sends back: which call it was asked about. */
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

// A client's description of itself, when it initializes or with each request: its name for the record, and whether it can prompt its user.
export type Client = {
  name: string;
  /** The transport of a decision, as the record names it. */
  via: string;
  canAsk: boolean;
};

const maxNameChars = 60;

/** The SDK has checked these shapes, but its types do not say so. */
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

/** For a request that reached no server. */
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

// Before there were several ways to ask, a form was the only one and was not declared.
function canAsk(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}
