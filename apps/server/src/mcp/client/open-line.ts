// The way to a server: a program that is started, or an address that is sent to. Also what may be said about it.
import { resolve } from 'node:path';
import type { Programs } from '@codelab/runtime';
import type { Transport } from '@modelcontextprotocol/client';
import type { McpServer } from '../../config/config.ts';
import { fillVariables } from './fill-variables.ts';
import { hideSecrets } from './hide-secrets.ts';
import { HttpTransport } from './http-transport.ts';
import { StdioTransport } from './stdio-transport.ts';

export type LineOrder = {
  name: string;
  server: McpServer;
  root: string;
  env: NodeJS.ProcessEnv;
  programs: Programs;
};

export type Line = {
  transport: Transport;
  hide(text: string): string;
  stderr(): string;
  /** Why it is over, when the other side ended it. */
  reason(): string | undefined;
};

export function openLine({ name, server, root, env, programs }: LineOrder): Line {
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

function toAddress(url: URL, headers: Record<string, string>): Line {
  const transport = new HttpTransport(url, headers);
  return {
    transport,
    hide: hideSecrets([...Object.values(headers), ...url.searchParams.values()]),
    stderr: () => '',
    reason: () => transport.reason,
  };
}
