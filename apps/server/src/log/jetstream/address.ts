// The address of a session log on NATS, `nats://HOST:PORT[,HOST:PORT]/NAME?replicas=3`, and the sign-in of its clients.
import { readFileSync } from 'node:fs';
import { ToolError } from '@codelab/protocol';

export type NatsAddress = {
  servers: string[];
  /** The prefix of streams and subjects, so that several logs fit on one server. */
  name: string;
  isTls: boolean;
  user?: string;
  pass?: string;
  token?: string;
  /** How many servers store each entry; by default three where the server is part of a cluster, else one. */
  replicas?: number;
  /** An append beyond this is refused with NO_SPACE. */
  maxBytes?: number;
  /** How long an operation waits for a server that does not answer. */
  waitMs: number;
  /** After so long without a word a gateway counts as gone. */
  leaseMs: number;
};

/** The sign-in of clients by files. The address itself may have `user:password@` or `token@`. */
export type NatsAuth = {
  /** A credentials file, as `nsc` and NATS' own tools make it. */
  creds?: string | undefined;
  /** PEM files: who signed the server's certificate, and the client's own certificate and key. */
  ca?: string | undefined;
  cert?: string | undefined;
  key?: string | undefined;
};

const defaultName = 'codelab';
const defaultWaitMs = 60_000;
const defaultLeaseMs = 6000;
const example = 'nats://HOST:PORT[,HOST:PORT][/NAME][?replicas=3&max_bytes=N&wait=SECONDS&lease=SECONDS]';

export function readNatsAddress(words: string): NatsAddress {
  const parts = /^(nats|tls):\/\/(?:([^@/]*)@)?([^/?@]+)(?:\/([^?]*))?(?:\?(.*))?$/s.exec(words);
  if (parts === null) throw invalid(`A session log in NATS is given as ${example}.`);
  const [, scheme = '', signIn, hosts = '', path = '', query = ''] = parts;
  const name = path === '' ? defaultName : decodeURIComponent(path);
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name))
    throw invalid('The name of a session log in NATS has letters, digits, `_` and `-`.');
  const servers = hosts.split(',');
  if (servers.some((server) => !/^(\[[0-9a-fA-F:]+\]|[^:\s[\]]+)(:\d{1,5})?$/.test(server)))
    throw invalid(`A server of the session log is given as HOST:PORT, as in ${example}.`);
  return { servers, name, isTls: scheme === 'tls', ...signInOf(signIn), ...settingsOf(query) };
}

/** The address without its secrets. */
export function shownAddress({ servers, name, isTls }: NatsAddress): string {
  return `${isTls ? 'tls' : 'nats'}://${servers.join(',')}${name === defaultName ? '' : `/${name}`}`;
}

function signInOf(text: string | undefined): Pick<NatsAddress, 'user' | 'pass' | 'token'> {
  if (text === undefined || text === '') return {};
  const [first = '', ...rest] = text.split(':');
  if (rest.length === 0) return { token: decodeURIComponent(first) };
  return { user: decodeURIComponent(first), pass: decodeURIComponent(rest.join(':')) };
}

function settingsOf(query: string): Pick<NatsAddress, 'replicas' | 'maxBytes' | 'waitMs' | 'leaseMs'> {
  const parameters = new URLSearchParams(query);
  const known = ['replicas', 'max_bytes', 'wait', 'lease'];
  const unknown = [...parameters.keys()].find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw invalid(`The address of a session log in NATS takes ${known.join(', ')}, not ${unknown}.`);
  const number = (key: string, min: number, max: number): number | undefined => {
    const text = parameters.get(key);
    if (text === null) return undefined;
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw invalid(`\`${key}\` of a session log in NATS is a number from ${min} to ${max}, not ${text}.`);
  };
  const replicas = number('replicas', 1, 5);
  const maxBytes = number('max_bytes', 1_000_000, Number.MAX_SAFE_INTEGER);
  const wait = number('wait', 1, 3600);
  const lease = number('lease', 1, 60);
  return {
    ...(replicas !== undefined && { replicas }),
    ...(maxBytes !== undefined && { maxBytes }),
    waitMs: wait === undefined ? defaultWaitMs : wait * 1000,
    leaseMs: lease === undefined ? defaultLeaseMs : lease * 1000,
  };
}

export function readAuthFile(path: string, label: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw invalid(`The ${label} for NATS can't be read: ${problem}.`);
  }
}

function invalid(message: string): ToolError {
  return new ToolError('INVALID_ARGUMENTS', message, { field: 'log' });
}
