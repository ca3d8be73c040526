// One line of a benchmark table: the measured value, its baseline of the same run, and the goal as a ratio.
export type Row = {
  name: string;
  ours: string;
  baseline: string;
  ratio: number;
  /** Missing for what is only compared: the least program for the same work. */
  goal?: number;
  /** The ratio of the processor time, where it was measured: other programs on the machine change it little. */
  cpuRatio?: number;
};
