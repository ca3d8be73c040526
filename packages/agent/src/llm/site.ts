// One model at one address: what a wire needs to know to talk to it.
import type { Origin } from './failure.ts';
import type { Door } from './post.ts';

export type Site = {
  /** As the provider names the model. */
  id: string;
  origin: Origin;
  door: Door;
  /** The provider's own servers: their prices and their ways are known. */
  isOfficial: boolean;
};
