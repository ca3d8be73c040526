// One line of a benchmark table: what was measured, against which baseline of the same run, and the goal as a ratio.
export type Row = { name: string; ours: string; baseline: string; ratio: number; goal: number };
