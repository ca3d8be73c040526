// `codelab serve`: runs the gateway until it is told to stop.
import '../shared.ts';
import { once } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { visibleLine } from '@codelab/protocol';
import { defaultHome } from '@codelab/server';
import type { Running } from '@codelab/server/gateway';
import { version, webFolder } from '../build-output.ts';
import { commonOptions, composeOptions } from '../command-line/compose-options.ts';
import { defineCommand, UsageError } from '../command-line/define-command.ts';
import { readToken } from '../command-line/read-token.ts';
import { keepSample } from '../demo/copy-sample.ts';
import { writeText } from '../output/write-text.ts';
import { turnOptions } from '../run/turn-options.ts';
import { createInterruption } from '../tool-call/interruption.ts';

const { workspace, mode, json } = commonOptions;
const usualPort = 4040;
const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

export const serve = defineCommand({
  words: '',
  takes: { min: 0, max: 0 },
  about: `The gateway: sockets, HTTP and event streams over this workspace, for editors, browsers and programs.
Whoever has its token may use it. It listens on the loopback only unless --host says otherwise. Ctrl-C or SIGTERM ends it;
what waits for a decision then waits on in the log.`,
  options: {
    workspace,
    'no-workspace': {
      type: 'boolean',
      summary: 'without files of its own: clients that have some carry the calls out',
    },
    sample: {
      type: 'boolean',
      summary: 'over a copy of the sample workspace, kept beside the state folder',
    },
    host: { type: 'string', value: 'ADDRESS', summary: 'where to listen (default: 127.0.0.1)' },
    port: {
      type: 'string',
      value: 'N',
      summary: '0 takes any that is free (default: 4040, or the next free one)',
    },
    token: {
      type: 'string',
      value: 'T',
      summary: 'who has it may enter; others can see it in the list of processes (default: a new one)',
    },
    'token-file': { type: 'string', value: 'FILE', summary: 'the token is in this file' },
    'token-fd': {
      type: 'string',
      value: 'N',
      summary: 'the token comes from this open descriptor (or from CODELAB_TOKEN)',
    },
    auth: {
      type: 'string',
      value: 'HOW',
      choices: ['token', 'jwt'],
      summary: 'jwt: people bring their own tokens, and sessions belong to them (default: token)',
    },
    jwks: {
      type: 'string',
      value: 'URL|FILE',
      summary: 'with --auth jwt: the keys that tokens are signed with',
    },
    issuer: {
      type: 'string',
      value: 'URL',
      summary: 'with --auth jwt (default: https://auth.codelab.local)',
    },
    audience: { type: 'string', value: 'NAME', summary: 'with --auth jwt (default: codelab-api)' },
    'allow-host': { type: 'string', value: 'NAMES', summary: 'further names it is reached by, with commas' },
    'allow-origin': {
      type: 'string',
      value: 'ORIGINS',
      summary: 'pages of others that may use it, with commas',
    },
    'no-web': { type: 'boolean', summary: 'without the web IDE' },
    'ready-file': {
      type: 'string',
      value: 'FILE',
      summary: 'written as JSON once it listens: url, port, pid, token',
    },
    'exit-with-stdin': {
      type: 'boolean',
      summary: 'ends when its standard input closes, so that it never outlives the program that started it',
    },
    log: {
      type: 'string',
      value: 'WHERE',
      summary:
        'the session log: sqlite:PATH or nats://HOST:PORT[,HOST:PORT] (default: CODELAB_LOG, else sessions.db in the home)',
    },
    'nats-creds': {
      type: 'string',
      value: 'FILE',
      summary: 'with --log nats://: the credentials to sign in with (default: CODELAB_NATS_CREDS)',
    },
    'nats-ca': {
      type: 'string',
      value: 'FILE',
      summary: 'who signed the certificate of the NATS servers (default: CODELAB_NATS_CA)',
    },
    'nats-cert': {
      type: 'string',
      value: 'FILE',
      summary: 'the certificate to sign in with, and --nats-key its key (default: CODELAB_NATS_CERT, _KEY)',
    },
    'nats-key': { type: 'string', value: 'FILE', summary: 'the key of --nats-cert' },
    'node-url': {
      type: 'string',
      value: 'URL',
      summary: 'with --log nats://: where other gateways reach this one (default: where it listens)',
    },
    'log-level': {
      type: 'string',
      value: 'LEVEL',
      choices: logLevels,
      summary: 'JSON lines on stderr (default: CODELAB_LOG_LEVEL, else info)',
    },
    model: turnOptions.model,
    mode,
    json,
  },
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

function where(given: Given) {
  const { host, auth, jwks } = given;
  const token = readToken(given);
  if (auth === 'jwt' && jwks === undefined)
    throw new UsageError('--auth jwt needs --jwks: the address or the file of the keys.');
  if (auth !== 'jwt' && jwks !== undefined) throw new UsageError('--jwks belongs to --auth jwt.');
  const { issuer = 'https://auth.codelab.local', audience = 'codelab-api' } = given;
  return {
    port: portOf(given.port ?? String(usualPort)),
    // A port that the user names is used or refused, never replaced by another.
    furtherPorts: given.port === undefined ? 20 : 0,
    hosts: listOf(given['allow-host']),
    origins: listOf(given['allow-origin']),
    ...(host !== undefined && { host }),
    ...(token !== undefined && { token }),
    ...(jwks !== undefined && { jwt: { jwks, issuer, audience } }),
  };
}

function natsAuth(given: Partial<Record<`nats-${'creds' | 'ca' | 'cert' | 'key'}`, string>>) {
  return {
    ...(given['nats-creds'] && { creds: resolve(given['nats-creds']) }),
    ...(given['nats-ca'] && { ca: resolve(given['nats-ca']) }),
    ...(given['nats-cert'] && { cert: resolve(given['nats-cert']) }),
    ...(given['nats-key'] && { key: resolve(given['nats-key']) }),
  };
}

function levelOf(text: string | undefined): (typeof logLevels)[number] {
  if (!text) return 'info';
  const level = logLevels.find((one) => one === text);
  if (level !== undefined) return level;
  throw new UsageError(`CODELAB_LOG_LEVEL is one of ${logLevels.join(', ')}, not ${text}.`);
}

function placed(given: Filed): Filed {
  if (!given.sample) return given;
  if (given.workspace !== undefined || given['no-workspace'])
    throw new UsageError('--sample names the workspace: leave out --workspace and --no-workspace.');
  return { ...given, workspace: keepSample('hello-shop', defaultHome()) };
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
  return (text ?? '').split(',').flatMap((one) => (one.trim() === '' ? [] : [one.trim().toLowerCase()]));
}

// Written by rename, so that a waiting reader never sees half a file; readable by the owner only, since it holds the token.
function writeReady(path: string, ready: object): void {
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(ready)}\n`, { mode: 0o600 });
  renameSync(temporary, path);
}
