// The transport to a configured server, with variables filled in, and with its secrets hidden from messages.
import { resolve } from 'node:path';
import { ToolError } from '@codelab/protocol';
import type { ChildPrograms } from '@codelab/runtime';
import type { Transport } from '@modelcontextprotocol/client';
import type { McpServer } from '../../config/config.ts';
import { HttpTransport } from './http-transport.ts';
import { StdioTransport } from './stdio-transport.ts';

// A transport starts a program or sends to an address; the options also say what messages may name.
export type TransportOptions = {
  name: string;
  server: McpServer;
  root: string;
  env: NodeJS.ProcessEnv;
  programs: ChildPrograms;
};

export type OpenTransport = {
  transport: Transport;
  hide(text: string): string;
  stderr(): string;
  /** Why the transport ended; undefined when we ended it. */
  reason(): string | undefined;
};

export function openTransport({ name, server, root, env, programs }: TransportOptions): OpenTransport {
  if ('url' in server) return toAddress(new URL(server.url), fillVariables(name, server.headers, env));
  const variables = fillVariables(name, server.env, env);
  const transport = new StdioTransport({
    argv: [server.command, ...(server.args ?? [])],
    cwd: resolve(root, server.cwd ?? '.'),
    env: variables,
    programs,
  });
  return {
    transport,
    hide: hideSecrets(Object.values(variables)),
    stderr: () => transport.stderr,
    reason: () => transport.reason,
  };
}

function toAddress(url: URL, headers: Record<string, string>): OpenTransport {
  const transport = new HttpTransport(url, headers);
  return {
    transport,
    hide: hideSecrets([...Object.values(headers), ...url.searchParams.values()]),
    stderr: () => '',
    reason: () => transport.reason,
  };
}

// Replaces `${NAME}` by the user's variables, so that secrets need not be in a file.
export function fillVariables(
  server: string,
  values: Readonly<Record<string, string>> = {},
  env: NodeJS.ProcessEnv,
): Record<string, string> {
  const filled = Object.entries(values).map(([key, value]) => [
    key,
    fill(`The MCP server ${server}: \`${key}\``, value, env),
  ]);
  return Object.fromEntries(filled);
}

function fill(place: string, value: string, env: NodeJS.ProcessEnv): string {
  return value.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_all, name: string) => {
    const found = env[name];
    if (found !== undefined && found !== '') return found;
    throw new ToolError('INVALID_ARGUMENTS', `${place} needs the variable ${name}, which is not set.`, {
      variable: name,
    });
  });
}

// Removes secrets that a server received from texts about it: errors go to the log and to the model.

// Shorter values are flags and numbers, and redacting them would remove harmless text.
const shortest = 6;

export function hideSecrets(values: readonly string[]): (text: string) => string {
  const secrets = [...new Set(values.flatMap((value) => [value, ...value.split(/\s+/)]))]
    .filter(({ length }) => length >= shortest)
    .sort((a, b) => b.length - a.length);
  return (text) => secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '•••'), text);
}
