// Parses the gateway's address, with the token of the link that `codelab serve` prints; the rest of the link is dropped.
import '../shared.ts';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomId, sha256 } from '@codelab/runtime';
import { UsageError } from '../command-line/define-command.ts';

export type GatewayAddress = { url: string; token: string | undefined; isInTheClear: boolean };

export function readUrl(typedUrl: string): GatewayAddress {
  const text = /^[a-z]+:\/\//i.test(typedUrl) ? typedUrl : `http://${typedUrl}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError('Give the address of a gateway, as in http://127.0.0.1:4040.');
  if (url.username !== '' || url.password !== '')
    throw new UsageError(
      'The address must not hold a password. Give the token with CODELAB_TOKEN or --token.',
    );
  const path = url.pathname.replace(/\/+$/, '');
  return {
    url: `${url.origin}${path}`,
    token: url.searchParams.get('token') ?? undefined,
    isInTheClear: url.protocol === 'http:' && !isLoopback(url.hostname),
  };
}

function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name);
}

// Identifies this executor to a gateway. The id survives a restart, so that the gateway hands its calls to this executor and no other.

/** From the state folder, which remembers the calls, and the workspace they ran in. */
export function executorId({ home, root }: { home: string; root: string }): string {
  return `${ownId(home)}-${sha256(root).slice(0, 16)}`;
}

/** The local session of a gateway's session. The id includes the gateway, since two gateways may have sessions of the same name. */
export function localSession(url: string, session: string): string {
  const safeName = session.replaceAll(/[^A-Za-z0-9._-]/g, '_').slice(0, 80);
  return `connect-${sha256(JSON.stringify([url, session])).slice(0, 12)}-${safeName}`;
}

function ownId(home: string): string {
  const file = join(home, 'executor-id');
  const storedId = read(file);
  if (storedId !== undefined) return storedId;
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, `${randomId()}\n`, { mode: 0o600, flush: true });
  renameSync(temporary, file);
  // Two processes may write at once; both then use the id that was written last.
  return read(file) ?? randomId();
}

function read(file: string): string | undefined {
  try {
    return /^[0-9a-f]{32}$/m.exec(readFileSync(file, 'utf8'))?.[0];
  } catch {
    return undefined;
  }
}
