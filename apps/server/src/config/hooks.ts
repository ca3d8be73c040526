// The `hooks` setting: commands that are run before and after the calls of agents, and after their turns (docs/hooks.md).
import * as z from 'zod/mini';

const hook = () => ({
  command: z.string().check(z.minLength(1), z.maxLength(4000)),
  timeout_seconds: z.optional(z.int().check(z.minimum(1), z.maximum(600))),
  network: z.optional(z.boolean()),
});

const CallHook = () =>
  z.strictObject({ ...hook(), tools: z.optional(z.array(z.string().check(z.minLength(1)))) });
const TurnHook = () => z.strictObject(hook());

export const Hooks = () =>
  z.strictObject({
    before_call: z.optional(z.array(CallHook()).check(z.maxLength(20))),
    after_call: z.optional(z.array(CallHook()).check(z.maxLength(20))),
    turn_end: z.optional(z.array(TurnHook()).check(z.maxLength(20))),
  });
export type CallHook = z.infer<ReturnType<typeof CallHook>>;
export type TurnHook = z.infer<ReturnType<typeof TurnHook>>;
export type Hooks = z.infer<ReturnType<typeof Hooks>>;

/** The user's hooks run first, so that a workspace's hooks can't change the files they check. */
export function mergedHooks(user: Hooks = {}, workspace: Hooks = {}): Hooks | undefined {
  if (countHooks(user) + countHooks(workspace) === 0) return undefined;
  return {
    before_call: [...(user.before_call ?? []), ...(workspace.before_call ?? [])],
    after_call: [...(user.after_call ?? []), ...(workspace.after_call ?? [])],
    turn_end: [...(user.turn_end ?? []), ...(workspace.turn_end ?? [])],
  };
}

export function countHooks(hooks: Hooks = {}): number {
  return Object.values(hooks).reduce((sum, list) => sum + (list?.length ?? 0), 0);
}
