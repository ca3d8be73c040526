// Tokens of people, signed by a key that a gateway can read from a file.
import { generateKeyPairSync, sign as signBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratchFolder } from './scratch-folder.ts';

const issuer = 'https://auth.codelab.local';
const audience = 'codelab-api';

type SignedTokens = Disposable & {
  jwt: { jwks: string; issuer: string; audience: string };
  sign(subject: string, seconds: number): string;
};

export function signedTokens(): SignedTokens {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const scratch = scratchFolder();
  const jwks = join(scratch.folder, 'keys.json');
  const key = { ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'ES256' };
  writeFileSync(jwks, JSON.stringify({ keys: [key] }));
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return {
    jwt: { jwks, issuer, audience },
    sign(sub, seconds) {
      const exp = Math.floor(Date.now() / 1000) + seconds;
      const text = `${part({ alg: 'ES256', kid: 'k' })}.${part({ sub, iss: issuer, aud: audience, exp })}`;
      const by = { key: privateKey, dsaEncoding: 'ieee-p1363' as const };
      return `${text}.${signBytes('sha256', Buffer.from(text), by).toString('base64url')}`;
    },
    [Symbol.dispose]: () => scratch[Symbol.dispose](),
  };
}
