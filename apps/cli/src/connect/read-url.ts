// The gateway's address as it was typed, with the token that `codelab serve` prints in it; nothing else of it is kept.
import { UsageError } from '../command-line/define-command.ts';

export type GatewayAddress = { url: string; token: string | undefined; isInTheClear: boolean };

export function readUrl(typed: string): GatewayAddress {
  const text = /^[a-z]+:\/\//i.test(typed) ? typed : `http://${typed}`;
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
