// What a chat begins with.
import type { ComposeOptions } from '@codelab/server';

export type StartOptions = {
  places: ComposeOptions;
  session: string;
  model: string | undefined;
  effort?: string | undefined;
  profile: string | undefined;
  /** `ask`, `never`, `all`, or whatever fits. */
  approve: string | undefined;
};
