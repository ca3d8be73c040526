// Proves a JWT by the keys of its issuer, fetched from an address or read from a file.
import { readFile } from 'node:fs/promises';
import { ToolError } from '@codelab/protocol';
import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose';

export type JwtOptions = { jwks: string; issuer: string; audience: string };

export type Proven = { subject: string; until: number };

/** Made once: the keys are kept and fetched again only when an unknown one is named. */
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
      if (!payload.sub || payload.exp === undefined) throw invalid('It has no `sub`.');
      return { subject: payload.sub, until: payload.exp * 1000 };
    } catch (error) {
      if (error instanceof errors.JWTExpired)
        throw new ToolError('UNAUTHORIZED', 'The token has expired. Get a new one and connect again.', {
          reason: 'TOKEN_EXPIRED',
        });
      if (error instanceof errors.JOSEError) throw invalid(error.message);
      throw error;
    }
  };
}

async function openKeys(jwks: string): Promise<JWTVerifyGetKey> {
  const { createLocalJWKSet, createRemoteJWKSet } = await import('jose');
  if (/^https?:\/\//.test(jwks)) return createRemoteJWKSet(new URL(jwks), { cacheMaxAge: 3_600_000 });
  return createLocalJWKSet(JSON.parse(await readFile(jwks, 'utf8')) as JSONWebKeySet);
}

function invalid(why: string): ToolError {
  return new ToolError('UNAUTHORIZED', `The token can’t be accepted: ${why}`, { reason: 'TOKEN_INVALID' });
}
