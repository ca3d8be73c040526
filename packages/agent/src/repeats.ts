// Notices when a model makes the same calls over and over, one of them or a few in turns, whether they fail or succeed.
import { createHash } from 'node:crypto';

type Repeated = {
  /** How often the call was made with the same end: the same result, or any failure. */
  same: number;
  /** How often it was made, whatever came of it. */
  made: number;
};

type Made = { tool: string; args: Record<string, unknown>; isError: boolean; text: string };

/** Who makes no more different calls than these in turns makes no progress. */
const mostInTurns = 3;
const mostRemembered = 200;

/** The model is told from here on; a call whose results differ may be waiting for something. */
const told = { failed: 2, same: 3, made: 10 };
const stopped = { same: 6, made: 30 };

export class Repeats {
  #calls: { call: string; end: string }[] = [];
  #stuck: { tool: string; times: number } | undefined;

  /** The call that was made so often that the turn should stop. */
  get stuck(): Readonly<{ tool: string; times: number }> | undefined {
    return this.#stuck;
  }

  /** What the model is told of the repetition, if there is one. */
  note({ tool, args, isError, text }: Made): string | undefined {
    const call = `${tool} ${JSON.stringify(args)}`;
    const end = isError ? 'failed' : createHash('sha1').update(text).digest('base64');
    this.#calls.push({ call, end });
    this.#calls = this.#calls.slice(-mostRemembered);
    const { same, made } = this.#count(call, end);
    if (same >= stopped.same || made >= stopped.made) this.#stuck ??= { tool, times: made };
    if (isError && same >= told.failed)
      return `This same call has now failed ${same} times. Don't repeat it; find another way.`;
    if (same >= told.same)
      return `This same call has now been made ${same} times with the same result. Don't repeat it: use what you have, or find another way.`;
    return made >= told.made
      ? `This same call has now been made ${made} times. Do something else, or say what you are waiting for.`
      : undefined;
  }

  clear(): void {
    this.#calls = [];
    this.#stuck = undefined;
  }

  #count(call: string, end: string): Repeated {
    const inTurns = new Set<string>();
    const counted = { same: 0, made: 0 };
    for (const one of this.#calls.toReversed()) {
      inTurns.add(one.call);
      if (inTurns.size > mostInTurns) break;
      if (one.call !== call) continue;
      counted.made++;
      if (one.end === end) counted.same++;
    }
    return counted;
  }
}
