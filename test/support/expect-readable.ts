// Checks that the codec reads every message of a gateway and writes it again without loss.
import { decodeServerMessage, encodeServerMessage, type Json, type Spelling } from '@codelab/dialects';
import { expect } from 'vitest';

export function expectReadable(received: readonly Json[], spelling: Spelling): void {
  expect(received.length).toBeGreaterThan(0);
  for (const message of received)
    expect(encodeServerMessage(decodeServerMessage(message), spelling)).toMatchObject(message);
}
