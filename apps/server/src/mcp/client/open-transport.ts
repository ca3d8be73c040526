// The transport to a configured server, with variables filled in, and with its secrets hidden from messages.
import { resolve } from 'node:path';
import { ToolError } from '@codelab/protocol';
import type { ChildPrograms } from '@codelab/runtime';
import type { Transport } from '@modelcontextprotocol/client';
import type { McpServer } from '../../config/config.ts';
import { HttpTransport } from './http-transport.ts';
import { StdioTransport } from './stdio-transport.ts';

// The way to a server: a program that is started, or an address that is sent to. Also what may be said about it.
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
  /** Why it is over, when the other side ended it. */
  reason(): string | undefined;
};

export function openTransport({ name, server, root, env, programs }: TransportOptions): OpenTransport {
  if ('url' in server) return toAddress(new URL(server.url), fillVariables(name, server.headers, env));
  const given = fillVariables(name, server.env, env);
  const transport = new StdioTransport({
    argv: [server.command, ...(server.args ?? [])],
    cwd: resolve(root, server.cwd ?? '.'),
    env: given,
    programs,
  });
  return {
    transport,
    hide: hideSecrets(Object.values(given)),
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

// Puts the user's own variables in the place of `${NAME}`, so that secrets need not stand in a file.
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

// Takes what was given to a server in confidence out of what is said about it: errors go to the log and to the model.

// Shorter ones are flags and numbers, which would blot out innocent text.
const shortest = 6;

export function hideSecrets(given: readonly string[]): (text: string) => string {
  const secrets = [...new Set(given.flatMap((value) => [value, ...value.split(/\s+/)]))]
    .filter(({ length }) => length >= shortest)
    .sort((a, b) => b.length - a.length);
  return (text) => secrets.reduce((shown, secret) => shown.replaceAll(secret, '•••'), text);
}
