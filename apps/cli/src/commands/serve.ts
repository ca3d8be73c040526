// `codelab serve`: runs the gateway until it is stopped.
import '../shared.ts';
import { once } from 'node:events';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { visibleLine } from '@codelab/protocol';
import { defaultHome } from '@codelab/server';
import type { Running } from '@codelab/server/gateway';
import { version, webFolder } from '../build-output.ts';
import { composeOptions, defineCommand, UsageError } from '../command-line/define-command.ts';
import { createInterruption, writeText } from '../command-line/process.ts';
import { logLevels, serveOptions } from '../command-line/serve-options.ts';
import { keepSample } from '../demo/copy-sample.ts';

const usualPort = 4040;

export const serve = defineCommand({
  words: '',
  takes: { min: 0, max: 0 },
  about: `Starts the gateway: the web IDE, the HTTP API, WebSockets and event streams for this workspace. Prints a link that signs you in.
Anyone with the token has full access. Listens on 127.0.0.1 only, unless you pass --host. Ctrl-C or SIGTERM stops the gateway;
pending approvals are kept and asked again after a restart.`,
  options: serveOptions,
  examples: [
    'codelab serve --port 0 --ready-file /tmp/gateway.json',
    'codelab serve --auth jwt --jwks keys.json',
  ],
  async run({ options }) {
    using interruption = createInterruption();
    using _stdin = options['exit-with-stdin']
      ? (await import('../command-line/exit-with-stdin.ts')).exitWithStdin(options, interruption)
      : undefined;
    const { startGateway } = await import('@codelab/server/gateway');
    await using running = await startGateway({
      ...where(options),
      compose: {
        ...composeOptions(placed(options)),
        isShortLived: false,
        isFileless: isFileless(options),
        ...(options.log && { log: options.log }),
        nats: natsAuth(options),
      },
      log: { level: levelOf(options['log-level'] ?? process.env.CODELAB_LOG_LEVEL) },
      nodeUrl: options['node-url'],
      ...(options.model !== undefined && { model: options.model }),
      ...(options.sample && { fallbackModel: 'demo' }),
      ...(options['no-web'] !== true && { web: webFolder }),
      version: version(),
    });
    const { url, port, token } = running;
    const ready = { url, port, pid: process.pid, token };
    if (options['ready-file'] !== undefined) writeReady(resolve(options['ready-file']), ready);
    writeText(1, options.json ? `${JSON.stringify(ready)}\n` : greeting(running));
    if (!interruption.signal.aborted) await once(interruption.signal, 'abort');
    return 0;
  },
});

function greeting({ url, port, moved, signInLink }: Running): string {
  const link = signInLink();
  const another = port === usualPort ? 'codelab sign-in' : `codelab sign-in ${url}`;
  const open = `Open ${link}\nThe link works once, within 15 minutes; \`${another}\` makes another.\n`;
  return `${moved === undefined ? '' : `${visibleLine(moved)}\n`}Listening on ${url}\n${link === undefined ? '' : open}`;
}

type Given = Partial<
  Record<
    | 'host'
    | 'port'
    | 'token'
    | 'token-file'
    | 'token-fd'
    | 'auth'
    | 'jwks'
    | 'issuer'
    | 'audience'
    | 'allow-host'
    | 'allow-origin',
    string
  >
>;

type Filed = { workspace?: string; 'no-workspace'?: boolean; sample?: boolean; mode?: string };

function where(options: Given) {
  const { host, auth, jwks } = options;
  const token = readToken('codelab serve', options);
  if (auth === 'jwt' && jwks === undefined)
    throw new UsageError('--auth jwt needs --jwks: the address or the file of the keys.');
  if (auth !== 'jwt' && jwks !== undefined) throw new UsageError('--jwks belongs to --auth jwt.');
  const { issuer = 'https://auth.codelab.local', audience = 'codelab-api' } = options;
  return {
    port: portOf(options.port ?? String(usualPort)),
    // A port that the user names is used or refused, never replaced by another.
    furtherPorts: options.port === undefined ? 20 : 0,
    hosts: listOf(options['allow-host']),
    origins: listOf(options['allow-origin']),
    ...(host !== undefined && { host }),
    ...(token !== undefined && { token }),
    ...(jwks !== undefined && { jwt: { jwks, issuer, audience } }),
  };
}

function natsAuth(options: Partial<Record<`nats-${'creds' | 'ca' | 'cert' | 'key'}`, string>>) {
  return {
    ...(options['nats-creds'] && { creds: resolve(options['nats-creds']) }),
    ...(options['nats-ca'] && { ca: resolve(options['nats-ca']) }),
    ...(options['nats-cert'] && { cert: resolve(options['nats-cert']) }),
    ...(options['nats-key'] && { key: resolve(options['nats-key']) }),
  };
}

function levelOf(text: string | undefined): (typeof logLevels)[number] {
  if (!text) return 'info';
  const level = logLevels.find((level) => level === text);
  if (level !== undefined) return level;
  throw new UsageError(`CODELAB_LOG_LEVEL is one of ${logLevels.join(', ')}, not ${text}.`);
}

function placed(files: Filed): Filed {
  if (!files.sample) return files;
  if (files.workspace !== undefined || files['no-workspace'])
    throw new UsageError('--sample names the workspace: leave out --workspace and --no-workspace.');
  return { ...files, workspace: keepSample('hello-shop', defaultHome()) };
}

function isFileless({ workspace, 'no-workspace': isWithout = false }: Filed): boolean {
  if (isWithout && workspace !== undefined)
    throw new UsageError('--workspace and --no-workspace say different things.');
  return isWithout;
}

function portOf(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new UsageError(`--port takes a number from 0 to 65535, not ${text}.`);
}

function listOf(text: string | undefined): string[] {
  return (text ?? '').split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim().toLowerCase()]));
}

// Written by rename, so that a waiting reader never sees half a file; readable by the owner only, since it holds the token.
function writeReady(path: string, ready: object): void {
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(ready)}\n`, { mode: 0o600 });
  renameSync(temporary, path);
}

// The token comes from a file, an open descriptor or the environment, which other users of the machine can't see; or from the command line,
// which they can.

type TokenOptions = { token?: string; 'token-file'?: string; 'token-fd'?: string };

/** Undefined when there is no token. The variable is removed from the environment, so that no child process inherits it. */
export function readToken(
  command: string,
  options: TokenOptions,
  env: NodeJS.ProcessEnv = process.env,
): string | undefined {
  const { token, 'token-file': file, 'token-fd': fd } = options;
  const fromEnv = env.CODELAB_TOKEN;
  delete env.CODELAB_TOKEN;
  if ([token, file, fd].filter((source) => source !== undefined).length > 1)
    throw new UsageError('Give one of --token, --token-file and --token-fd.');
  if (token !== undefined) hideFromProcessList(command);
  const secret = token ?? readSource(file, fd) ?? (fromEnv || undefined);
  if (secret !== undefined && !/^[\x21-\x7e]{8,}$/.test(secret))
    throw new UsageError('A token must have at least 8 characters and no spaces.');
  return secret;
}

// An empty name, as of a variable that is not set, is an error: a new token would take the place of the one that was meant.
function readSource(file: string | undefined, fd: string | undefined): string | undefined {
  if (file !== undefined) return readFrom(file);
  return fd === undefined ? undefined : readFrom(fdOf(fd));
}

function readFrom(source: string | number): string {
  try {
    return readFileSync(source, 'utf8').trim();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`The token can’t be read: ${why}.`);
  }
}

function fdOf(text = ''): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`--token-fd takes the number of an open descriptor, not ${text}.`);
}

/** On Linux and macOS, setting the title overwrites the arguments. */
function hideFromProcessList(command: string): void {
  process.title = command;
  writeText(
    2,
    'codelab: --token could be seen in the list of processes. --token-file FILE, --token-fd N or CODELAB_TOKEN keep it to yourself.\n',
  );
}
