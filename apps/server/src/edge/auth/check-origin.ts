// Keeps out what a browser was talked into: a name that was bound to this address (DNS rebinding), and pages of other origins.
import { ToolError } from '@codelab/protocol';

const loopback = ['localhost', '127.0.0.1', '[::1]'];

export type OriginRules = {
  /** Names besides those of the loopback that this gateway is reached by. */
  hosts: readonly string[];
  /** Origins of pages besides its own that may use it. */
  origins: readonly string[];
};

/** A program that is no browser sends no origin, and needs none: its token is what counts. */
export function checkOrigin(
  { host, origin }: { host?: string | undefined; origin?: string | undefined },
  { hosts, origins }: OriginRules,
): void {
  const name = nameOf(host);
  if (name === undefined || ![...loopback, ...hosts].includes(name))
    throw refused(`This gateway does not answer to the name ${JSON.stringify(host ?? '')}.`, 'host');
  if (origin === undefined || origins.includes(origin)) return;
  if (origin !== `http://${host}` && origin !== `https://${host}`)
    throw refused(`Pages of ${JSON.stringify(origin.slice(0, 200))} may not use this gateway.`, 'origin');
}

function nameOf(host: string | undefined): string | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(host ?? '');
  return match?.[1]?.toLowerCase();
}

function refused(message: string, reason: string): ToolError {
  return new ToolError('PERMISSION_DENIED', message, { reason });
}
