// One run: gateways start, users arrive, faults are injected, everything heals, and the laws are checked again.
import { injectFaults, occupy } from './faults.ts';
import { startUser, type User } from './users.ts';
import { createWorld, type Options, type World } from './world.ts';

const defaults: Options = {
  seed: 1,
  nodes: 3,
  sessions: 100,
  minutes: 2,
  turns: 2,
  leaseMs: 6000,
  latencyMs: 1,
  loss: 0.001,
  skewMs: 60_000,
  drift: 0.01,
  faults: [],
  everyMs: 8000,
};

/** After the last user has arrived and the last fault has ended, all pending work must end within this time. */
const quietMs = 5 * 60_000;

export async function simulate(overrides: Partial<Options>): Promise<World> {
  const world = createWorld({ ...defaults, ...overrides });
  const { options, scheduler, laws } = world;
  for (let place = 1; place <= options.nodes; place++) void occupy(world, place);
  await scheduler.run(1000);
  const users = Array.from({ length: options.sessions }, (_, i): User => startUser(world, `s${i + 1}`));
  const until = options.minutes * 60_000;
  injectFaults(world, until);
  const isOver = createCountdown(users);
  await scheduler.run(until + quietMs, () => laws.broken.length > 0 || isOver());
  if (laws.broken.length === 0) for (const user of users) if (!user.isDone) laws.atEnd(user);
  return world;
}

/** Looks only at the user that is not done yet. */
function createCountdown(users: readonly User[]): () => boolean {
  let first = 0;
  return () => {
    while (first < users.length && users[first]?.isDone) first++;
    return first === users.length;
  };
}
