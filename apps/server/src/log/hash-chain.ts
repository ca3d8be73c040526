// Each event's hash covers everything recorded about it and the hash before it, so no entry changes or vanishes unnoticed.
import { hash } from 'node:crypto';

export const chainStart = '';

export type Link = { session: string; seq: number; time: number; json: string };

export function chainHash(previous: string, { session, seq, time, json }: Link): string {
  return hash('sha256', `${previous}\n${session}\n${seq}\n${time}\n${json}`, 'hex');
}
