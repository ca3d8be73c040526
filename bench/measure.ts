// Medians of repeated runs; two subjects are measured in turns, so that a busy moment of the machine hits both.
export async function mediansMs(
  subjects: readonly (() => unknown)[],
  rounds: number,
  /** Done between the turns, outside of what is measured. */
  tidy: () => void = () => undefined,
): Promise<number[]> {
  const times: number[][] = subjects.map(() => []);
  for (let round = -Math.ceil(rounds / 10); round < rounds; round++) {
    for (const [i, subject] of subjects.entries()) {
      const start = performance.now();
      await subject();
      if (round >= 0) times[i]?.push(performance.now() - start);
      tidy();
    }
  }
  return times.map((list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN);
}
