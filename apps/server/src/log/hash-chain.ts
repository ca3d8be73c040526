// Each event's hash covers everything recorded about it and the hash before it, so no entry changes or vanishes unnoticed.
import { sha256 } from '@codelab/runtime';

export const chainStart = '';

export type Link = { session: string; seq: number; time: number; json: string };

export function chainHash(previous: string, { session, seq, time, json }: Link): string {
  return sha256(`${previous}\n${session}\n${seq}\n${time}\n${json}`);
}
