/** A run of old lines that stands against a run of new lines; 0-based, half-open. Either run may be empty. */
export type LineChange = {
  oldStart: number;
  oldEnd: number;
  newStart: number;
  newEnd: number;
};
