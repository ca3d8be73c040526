// The client at the other end of a connection, and its name in the log.
import type { Actor } from '@codelab/protocol';
import type { Proofs } from './auth/page-proof.ts';

/** The client at the other end, as authenticated by the gateway. */
export type Peer = {
  subject: string;
  via: string;
  /** Holds the gateway's own token: every session of the machine is his. */
  isOperator?: true;
  /** When the proof expires, in milliseconds since 1970. */
  until?: number;
  /** A signed-in browser page: its changes need a proof, and its streams end with the sign-out. */
  page?: { id: string; proofs: Proofs; ended: AbortSignal };
  /** For a request that another gateway forwarded: throws unless the body is the signed one. */
  checkBody?(body: Buffer | undefined): void;
};

/** The peer as the log names them. */
export function actorOf({ subject, via }: Peer): Actor {
  return { who: subject, via };
}
