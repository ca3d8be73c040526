// The record of a session over the API: prove it, take it along.
import { download, request, segment } from './request.ts';

export type Proof = { ok: boolean; entries: number; broken?: { seq: number; why: string } };

const of = (id: string): string => `/sessions/${segment(id)}/audit`;

export const auditApi = {
  verify: (id: string) => request<Proof>('GET', `${of(id)}/verify`),
  export: (id: string) => download(`${of(id)}/export`),
};
