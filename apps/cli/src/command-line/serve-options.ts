// The options of `codelab serve`, and of the access token of any server.
import { turnOptions } from '../run/turn-options.ts';
import { commonOptions, type Options } from './define-command.ts';

const { workspace, mode, json } = commonOptions;

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

export const tokenOptions = {
  token: {
    type: 'string',
    value: 'T',
    summary:
      'access token; other users can read it in the process list, so prefer --token-file (default: a new token)',
  },
  'token-file': { type: 'string', value: 'FILE', summary: 'read the access token from this file' },
  'token-fd': {
    type: 'string',
    value: 'N',
    summary: 'read the access token from this file descriptor (default: CODELAB_TOKEN)',
  },
} as const satisfies Options;

export const serveOptions = {
  workspace,
  'no-workspace': {
    type: 'boolean',
    summary: 'serve no files: connected clients (`codelab connect`) run the calls',
  },
  sample: {
    type: 'boolean',
    summary: 'serve a copy of the sample workspace, stored beside the state folder',
  },
  host: { type: 'string', value: 'ADDRESS', summary: 'address to listen on (default: 127.0.0.1)' },
  port: {
    type: 'string',
    value: 'N',
    summary: 'port to listen on; 0 picks a free port (default: 4040, or the next free port)',
  },
  ...tokenOptions,
  auth: {
    type: 'string',
    value: 'HOW',
    choices: ['token', 'jwt'],
    summary:
      '`token`: one token that all users share; `jwt`: a JWT for each user, with sessions of their own (default: token)',
  },
  jwks: {
    type: 'string',
    value: 'URL|FILE',
    summary: 'with --auth jwt: public keys that verify the tokens',
  },
  issuer: {
    type: 'string',
    value: 'URL',
    summary: 'with --auth jwt: required issuer (default: https://auth.codelab.local)',
  },
  audience: {
    type: 'string',
    value: 'NAME',
    summary: 'with --auth jwt: required audience (default: codelab-api)',
  },
  'allow-host': {
    type: 'string',
    value: 'NAMES',
    summary: 'additional host names to accept, separated by commas',
  },
  'allow-origin': {
    type: 'string',
    value: 'ORIGINS',
    summary: 'other web origins that may call the API, separated by commas',
  },
  'no-web': { type: 'boolean', summary: 'do not serve the web IDE' },
  'ready-file': {
    type: 'string',
    value: 'FILE',
    summary: 'write url, port, pid and token to this file as JSON once the gateway listens',
  },
  'exit-with-stdin': {
    type: 'boolean',
    summary: 'stop when standard input closes, so that the gateway ends with the program that started it',
  },
  log: {
    type: 'string',
    value: 'WHERE',
    summary:
      'where sessions are stored: sqlite:PATH or nats://HOST:PORT[,HOST:PORT] (default: CODELAB_LOG, else $CODELAB_HOME/sessions.db)',
  },
  'nats-creds': {
    type: 'string',
    value: 'FILE',
    summary: 'with --log nats://: credentials file (default: CODELAB_NATS_CREDS)',
  },
  'nats-ca': {
    type: 'string',
    value: 'FILE',
    summary: 'with --log nats://: CA certificate of the servers (default: CODELAB_NATS_CA)',
  },
  'nats-cert': {
    type: 'string',
    value: 'FILE',
    summary: 'with --log nats://: client certificate (default: CODELAB_NATS_CERT)',
  },
  'nats-key': {
    type: 'string',
    value: 'FILE',
    summary: 'private key of --nats-cert (default: CODELAB_NATS_KEY)',
  },
  'node-url': {
    type: 'string',
    value: 'URL',
    summary:
      'with --log nats://: URL at which other gateways reach this one (default: the address it listens on)',
  },
  'log-level': {
    type: 'string',
    value: 'LEVEL',
    choices: logLevels,
    summary: 'level of the JSON log on standard error (default: CODELAB_LOG_LEVEL, else info)',
  },
  model: turnOptions.model,
  mode,
  json,
} as const satisfies Options;
