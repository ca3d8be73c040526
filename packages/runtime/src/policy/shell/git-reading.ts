// A command of git that was found to read only.
import type { GivenOptions } from './options.ts';

export type GitReading = {
  /** Its place among the parts of the line. */
  part: number;
  cwd: string;
  /** One word or two: `log`, `stash show`. */
  name: string;
  args: readonly string[];
  /** Where the first operand stands among them: options for paths have to come before. */
  operandsAt: number;
  given: GivenOptions;
};
