// One change to a repository at a time: git does not wait for its own locks.
const last = new Map<string, Promise<unknown>>();

export async function takeTurns<T>(repository: string, work: () => Promise<T>): Promise<T> {
  const before = last.get(repository) ?? Promise.resolve();
  const mine = before.then(work, work);
  last.set(repository, mine);
  try {
    return await mine;
  } finally {
    if (last.get(repository) === mine) last.delete(repository);
  }
}
