// One model at one address: what a wire needs to know to talk to it.
import type { Origin } from './failure.ts';
import type { Door } from './post.ts';
import type { Price, Quirks } from './providers.ts';

export type Site = {
  /** As the provider names the model. */
  id: string;
  origin: Origin;
  door: Door;
  quirks: Quirks;
  /** Where it is known. */
  price: Price | undefined;
};
