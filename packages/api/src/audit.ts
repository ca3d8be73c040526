// The record of a session: proving that it is whole, and taking it along.
import * as z from 'zod/mini';
import { route } from './route.ts';
import { lazily } from './shared.ts';

const base = '/api/v1/sessions/{id}/audit';

const Proof = lazily(() =>
  z.strictObject({
    ok: z.boolean(),
    entries: z.number(),
    broken: z.optional(z.strictObject({ seq: z.number(), why: z.string() })),
  }),
);
export type Proof = z.infer<ReturnType<typeof Proof>>;

export const auditRoutes = {
  verify: route({
    id: 'verifyAudit',
    method: 'GET',
    path: `${base}/verify`,
    summary: 'Proves every entry of a session’s record, or names the first broken one',
    answer: Proof,
  }),
  export: route({
    id: 'exportAudit',
    method: 'GET',
    path: `${base}/export`,
    summary: 'Every entry of a session as a line of JSON',
    media: ['application/x-ndjson'],
  }),
};
