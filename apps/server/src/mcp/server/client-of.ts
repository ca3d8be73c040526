// What a client says of itself, in its greeting or with each request: its name for the record, and whether it can ask its user.
import { visibleLine } from '@codelab/protocol';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type Implementation,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';

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
