// Proves that a change was asked for by the page that was signed in, and asked for once: a MAC over the whole request, made with a key
// that the page has had since the sign-in and never sends.
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { ToolError } from '@codelab/protocol';

export const proofHeader = 'x-codelab-proof';
/** Each answer to a page says what its next proof must name. */
export const epochHeader = 'x-codelab-epoch';

type Proven = {
  method: string;
  /** Path and query, as they were sent. */
  url: string;
  body: Uint8Array;
  /** `epoch.nonce.mac`, as the header has it. */
  proof: string | undefined;
};

export type Proofs = { readonly epoch: string; check(asked: Proven): void };

// Used nonces are remembered; when there are too many, a new epoch makes all of them worthless.
const maxNonces = 10_000;

export function createProofs(key: string): Proofs {
  const used = new Set<string>();
  let epoch = newEpoch();
  return {
    get epoch() {
      return epoch;
    },
    check({ method, url, body, proof }) {
      const [given, nonce = '', mac = ''] = (proof ?? '').split('.');
      // Told to whoever asks: without the key it proves nothing.
      if (given !== epoch || !/^[\w-]{16,64}$/.test(nonce)) throw refused('PROOF_STALE', { epoch });
      const text = [method, url, epoch, nonce, hash('sha256', body)].join('\n');
      const expected = createHmac('sha256', key).update(text).digest();
      const sent = Buffer.from(mac, 'hex');
      if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) throw refused('PROOF_INVALID');
      if (used.has(nonce)) throw refused('PROOF_REPLAYED');
      used.add(nonce);
      if (used.size < maxNonces) return;
      used.clear();
      epoch = newEpoch();
    },
  };
}

function newEpoch(): string {
  return randomBytes(12).toString('base64url');
}

function refused(reason: string, more: { epoch?: string } = {}): ToolError {
  const message = `This request lacks the proof that the signed-in page made it (\`${proofHeader}\`). Reload the page and try again.`;
  return new ToolError('PERMISSION_DENIED', message, { reason, ...more });
}
