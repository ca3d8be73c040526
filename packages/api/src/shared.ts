// Schemas that several areas share.
import { lazily, policyModes } from '@codelab/protocol';
import * as z from 'zod/mini';

export { lazily };

export const jsonObject = () => z.record(z.string(), z.unknown());

/** A number in a query, which arrives as text. */
export const wholeNumber = (max: number) => z.coerce.number().check(z.int(), z.gte(0), z.lte(max));
export const countFromOne = (max: number) => z.coerce.number().check(z.int(), z.gte(1), z.lte(max));
export const cursor = () => z._default(wholeNumber(Number.MAX_SAFE_INTEGER), 0);

export const name = () => z.string().check(z.minLength(1), z.maxLength(200));
export const filePath = () => z.string().check(z.minLength(1), z.maxLength(4096));

/** A time as ISO 8601 in UTC. */
export const time = () => z.string();

export const policyMode = lazily(() => z.enum(policyModes));

/** The scope in which a rule is saved. */
export const RuleScope = lazily(() => z.enum(['session', 'workspace', 'user']));
export type RuleScope = z.infer<ReturnType<typeof RuleScope>>;
