// Notices when a model repeats the same calls, one of them or a few in turns, whether they fail or succeed.
import { createHash } from 'node:crypto';

type Repeated = {
  /** How often the call ended in the same way: with the same result, or with any failure. */
  same: number;
  /** How often the call was made, whatever its result. */
  made: number;
};

type Made = { tool: string; args: Record<string, unknown>; isError: boolean; text: string };

/** A model that alternates between no more than this many different calls makes no progress. */
const mostInTurns = 3;
const mostRemembered = 200;

/** The model is warned from these counts on; a call whose results differ may be waiting for something. */
const noteFrom = { failed: 2, same: 3, made: 10 };
const stopped = { same: 6, made: 30 };

export class Repeats {
  #calls: { call: string; end: string }[] = [];
  #stuck: { tool: string; times: number } | undefined;

  /** The call that was made so often that the turn should stop. */
  get stuck(): Readonly<{ tool: string; times: number }> | undefined {
    return this.#stuck;
  }

  /** The note about the repetition for the model, if there is one. */
  note({ tool, args, isError, text }: Made): string | undefined {
    const call = `${tool} ${JSON.stringify(args)}`;
    const end = isError ? 'failed' : printOf(text);
    this.#calls.push({ call, end });
    this.#calls = this.#calls.slice(-mostRemembered);
    const { same, made } = this.#count(call, end);
    if (same >= stopped.same || made >= stopped.made) this.#stuck ??= { tool, times: made };
    if (isError && same >= noteFrom.failed)
      return `This same call has now failed ${same} times. Don't repeat it; find another way.`;
    if (same >= noteFrom.same)
      return `This same call has now been made ${same} times with the same result. Don't repeat it: use what you have, or find another way.`;
    return made >= noteFrom.made
      ? `This same call has now been made ${made} times. Do something else, or say what you are waiting for.`
      : undefined;
  }

  clear(): void {
    this.#calls = [];
    this.#stuck = undefined;
  }

  #count(call: string, end: string): Repeated {
    const inTurns = new Set<string>();
    const counts = { same: 0, made: 0 };
    for (const earlier of this.#calls.toReversed()) {
      inTurns.add(earlier.call);
      if (inTurns.size > mostInTurns) break;
      if (earlier.call !== call) continue;
      counts.made++;
      if (earlier.end === end) counts.same++;
    }
    return counts;
  }
}

const mostChars = 2048;

/** A short result stands for itself, a long one is remembered by its hash. Loading Node's crypto costs what a step does. */
function printOf(text: string): string {
  return text.length <= mostChars ? `=${text}` : `sha1:${createHash('sha1').update(text).digest('base64')}`;
}
