// `codelab mcp`: CodeLab's tools for MCP clients, on standard input and output or over HTTP.
import '../shared.ts';
import { once } from 'node:events';
import { isatty } from 'node:tty';
import { visibleLine } from '@codelab/protocol';
import { userName } from '@codelab/runtime';
import { version } from '../build-output.ts';
import {
  chooseProfile,
  commonOptions,
  composeOptions,
  defineCommand,
  type ParsedCommandLine,
  UsageError,
} from '../command-line/define-command.ts';
import { createInterruption, type Interruption, writeText } from '../command-line/process.ts';
import { tokenOptions } from '../command-line/serve-options.ts';

const { workspace, mode, profile, json } = commonOptions;
const maxFaultChars = 500;

const options = {
  workspace,
  http: {
    type: 'string',
    value: 'PORT',
    summary: 'serve streamable HTTP on 127.0.0.1 at this port instead; 0 picks a free port',
  },
  ...tokenOptions,
  profile,
  mode,
  json,
} as const;

export const mcp = defineCommand({
  words: '',
  takes: { min: 0, max: 0 },
  about: `Serves CodeLab's tools for this workspace to MCP clients, such as editors and other agents. The client starts this command and talks
to it over standard input and output. Every call goes through policy, approval and the audit log. Approvals are asked in the client if
it supports elicitation; you can also answer them with \`codelab approvals\` or in the web IDE.`,
  options,
  examples: ['codelab mcp --workspace ~/project', 'codelab mcp --http 4050 --profile ask'],
  run: runMcp,
});

async function runMcp({ options: commandOptions }: ParsedCommandLine<typeof options>): Promise<number> {
  if (commandOptions.profile !== undefined)
    await chooseProfile(commandOptions.profile, commandOptions.workspace);
  using interruption = createInterruption();
  if (commandOptions.http !== undefined) return await serveHttp(commandOptions, interruption);
  const needsHttp = (['token', 'token-file', 'token-fd'] as const).find((name) => name in commandOptions);
  if (needsHttp !== undefined) throw new UsageError(`--${needsHttp} needs --http PORT.`);
  if (isatty(0))
    writeText(
      2,
      'Waiting for an MCP client on standard input. MCP clients start this command themselves: add `codelab mcp` to the client’s configuration.\n',
    );
  const { serveMcpStdio } = await import('@codelab/server/mcp');
  await serveMcpStdio({
    compose: composeOptions(commandOptions),
    who: userName(),
    version: version(),
    ...(commandOptions.profile !== undefined && { profile: commandOptions.profile }),
    signal: interruption.signal,
    onFault: tellFault,
  });
  return 0;
}

async function serveHttp(
  commandOptions: ParsedCommandLine<typeof options>['options'],
  { signal }: Interruption,
): Promise<number> {
  const { readToken } = await import('./serve.ts');
  const token = readToken('codelab mcp', commandOptions);
  const { startGateway } = await import('@codelab/server/gateway');
  await using running = await startGateway({
    compose: { ...composeOptions(commandOptions), isShortLived: false },
    port: portOf(commandOptions.http ?? ''),
    ...(token !== undefined && { token }),
    version: version(),
    onFault: tellFault,
  });
  const query =
    commandOptions.profile === undefined ? '' : `?profile=${encodeURIComponent(commandOptions.profile)}`;
  const ready = { url: `${running.url}/mcp${query}`, token: running.token, pid: process.pid };
  const text = `MCP at ${ready.url}\nwith the header Authorization: Bearer ${ready.token}\n`;
  writeText(1, commandOptions.json ? `${JSON.stringify(ready)}\n` : text);
  if (!signal.aborted) await once(signal, 'abort');
  return 0;
}

// Standard output belongs to the protocol. The message may contain text of a client, so it is made visible.
function tellFault(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  writeText(2, `codelab mcp: ${visibleLine(message.slice(0, maxFaultChars))}\n`);
}

function portOf(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new UsageError(`--http takes a port from 0 to 65535, not ${text}.`);
}
