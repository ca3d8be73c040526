// Verifies a JWT with the keys of its issuer, fetched from an address or read from a file.
import { readFile } from 'node:fs/promises';
import { ToolError } from '@codelab/protocol';
import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose';

export type JwtOptions = { jwks: string; issuer: string; audience: string };

// Bounded because sessions and records contain the subject.
const maxSubject = 1000;

/** Prefix for the holder of the gateway's token when others use their own tokens; no token may contain it. */
export const operatorPrefix = 'operator:';

export type Proven = { subject: string; until: number };

/** The keys are cached and fetched again only when a token names an unknown one. */
export function createJwtCheck({ jwks, issuer, audience }: JwtOptions): (token: string) => Promise<Proven> {
  let keys: Promise<JWTVerifyGetKey> | undefined;
  return async (token) => {
    const { jwtVerify, errors } = await import('jose');
    try {
      keys ??= openKeys(jwks);
      keys.catch(() => {
        keys = undefined;
      });
      const { payload } = await jwtVerify(token, await keys, {
        issuer,
        audience,
        algorithms: ['RS256', 'ES256'],
        requiredClaims: ['sub', 'exp'],
      });
      const { sub, exp } = payload;
      // The signature proves the token, not its fields: an issuer may write anything into them.
      if (typeof sub !== 'string' || sub === '' || sub.length > maxSubject)
        throw invalid('`sub` is no name.');
      if (sub.startsWith(operatorPrefix)) throw invalid('`sub` is a name of the operator’s.');
      if (typeof exp !== 'number' || !Number.isFinite(exp)) throw invalid('`exp` is no time.');
      return { subject: sub, until: exp * 1000 };
    } catch (error) {
      if (error instanceof errors.JWTExpired)
        throw new ToolError('UNAUTHORIZED', 'The token has expired. Get a new one and connect again.', {
          reason: 'TOKEN_EXPIRED',
        });
      if (error instanceof errors.JOSEError) throw invalid(error.message);
      // A key of another kind than the token says.
      if (error instanceof TypeError && !isFetching(error)) throw invalid(error.message);
      throw error;
    }
  };
}

/** Throws when there are no keys to verify tokens with: every sign-in would fail without a reason. */
export async function checkKeys({ jwks }: JwtOptions): Promise<void> {
  try {
    const text = /^https?:\/\//.test(jwks) ? await fetchText(jwks) : await readFile(jwks, 'utf8');
    const { createLocalJWKSet } = await import('jose');
    const set = JSON.parse(text) as JSONWebKeySet;
    createLocalJWKSet(set);
    if (set.keys.length === 0) throw new Error('they are none');
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new ToolError(
      'INVALID_ARGUMENTS',
      `The keys at ${jwks} can’t be read: ${cause instanceof Error ? cause.message : String(cause)}. Check --jwks.`,
      { field: 'jwks' },
    );
  }
}

async function fetchText(url: string): Promise<string> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(10_000), redirect: 'manual' });
  if (!answer.ok) throw new Error(`the answer is ${answer.status}`);
  return await answer.text();
}

function isFetching({ message }: TypeError): boolean {
  return message === 'fetch failed';
}

async function openKeys(jwks: string): Promise<JWTVerifyGetKey> {
  const { createLocalJWKSet, createRemoteJWKSet } = await import('jose');
  if (/^https?:\/\//.test(jwks)) return createRemoteJWKSet(new URL(jwks), { cacheMaxAge: 3_600_000 });
  return createLocalJWKSet(JSON.parse(await readFile(jwks, 'utf8')) as JSONWebKeySet);
}

function invalid(why: string): ToolError {
  return new ToolError('UNAUTHORIZED', `The token can’t be accepted: ${why}`, { reason: 'TOKEN_INVALID' });
}
