// Who is at the other end of a connection, and how the log names them.
import type { Actor } from '@codelab/protocol';
import type { Proofs } from './auth/page-proof.ts';

/** Who is at the other end, proven by the gateway's door. */
export type Peer = {
  subject: string;
  via: string;
  /** Holds the gateway's own token: every session of the machine is his. */
  isOperator?: true;
  /** When the proof runs out, in milliseconds since 1970. */
  until?: number;
  /** A browser's page that is signed in: what it changes needs a proof, and everything of it ends with the sign-out. */
  page?: { id: string; proofs: Proofs; ended: AbortSignal };
  /** Of a request that another gateway handed on: throws unless this is the body that it vouched for. */
  checkBody?(body: Buffer | undefined): void;
};

/** The peer as the log names them. */
export function actorOf({ subject, via }: Peer): Actor {
  return { who: subject, via };
}
