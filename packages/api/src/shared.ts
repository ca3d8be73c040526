// What the schemas of several areas share.
import { policyModes } from '@codelab/protocol';
import * as z from 'zod/mini';

/** A schema that is made when it is first asked for, and then kept. */
export function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

export const json = () => z.record(z.string(), z.unknown());

/** A number in a query, which comes as text. */
export const count = (most: number) => z.coerce.number().check(z.int(), z.gte(0), z.lte(most));
export const countFromOne = (most: number) => z.coerce.number().check(z.int(), z.gte(1), z.lte(most));
export const cursor = () => z._default(count(Number.MAX_SAFE_INTEGER), 0);

export const name = () => z.string().check(z.minLength(1), z.maxLength(200));
export const filePath = () => z.string().check(z.minLength(1), z.maxLength(4096));

/** A time as ISO 8601 in UTC. */
export const time = () => z.string();

export const PolicyMode = lazily(() => z.enum(policyModes));

/** Where a rule can be kept. */
export const RuleScope = lazily(() => z.enum(['session', 'workspace', 'user']));
export type RuleScope = z.infer<ReturnType<typeof RuleScope>>;
